#include "program/operator_entries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tritonrl::program {
namespace {

const OperatorEntry& entry(std::string_view name) {
  const auto all = operator_entries();
  return *std::ranges::find(all, name, &OperatorEntry::name);
}

TEST(OperatorEntries, HoldWhatTheBlocksSay) {
  const OperatorEntry& relu = entry("leaky_relu");
  EXPECT_EQ(relu.kind, OperatorKind::kPointwise);
  EXPECT_EQ(relu.ops_per_element, 1);
  EXPECT_FALSE(relu.heavy.has_value());
  EXPECT_EQ(relu.text("layer"), "LeakyReLU(negative_slope=0.01, inplace=False)");
  EXPECT_TRUE(relu.has("exact"));
  EXPECT_EQ(relu.text("exact"), "");
  EXPECT_EQ(relu.text("rows"), "");
  EXPECT_EQ(relu.texts("aten").front(), "aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor | _ out");
  EXPECT_EQ(entry("lstm_cell").heavy, 2);
  EXPECT_TRUE(entry("size").query);
}

TEST(OperatorEntries, SharedTextsStandInTheirPlaces) {
  EXPECT_EQ(entry("softmax").text("recipe"),
            "if dim is not None: high = max(input); diff = input - high; power = tl.exp(diff); total = sum(power); "
            "power / total");
  for (const OperatorEntry& one : operator_entries()) {
    for (const OperatorEntry::Line& line : one.lines) {
      EXPECT_EQ(line.text.find('$'), std::string_view::npos) << one.name << ": " << line.text;
    }
  }
}

// A line that nobody reads would be a fact that nobody holds to.
TEST(OperatorEntries, KeysAreKnownAndNamesStandOnce) {
  const std::set<std::string_view> known = {"aten",       "spelt",    "counted", "label", "unspelt", "layer",
                                            "call",       "called",   "group",   "rows",  "type",    "recipe",
                                            "row_values", "channels", "exact",   "drawn", "computes"};
  std::set<std::string_view> names;
  for (const OperatorEntry& one : operator_entries()) {
    EXPECT_TRUE(one.name.empty() || names.insert(one.name).second) << one.name;
    for (const OperatorEntry::Line& line : one.lines)
      EXPECT_TRUE(known.contains(line.key)) << one.name << ": " << line.key;
  }
  EXPECT_GT(names.size(), 400u);
}

TEST(OperatorEntries, WordsAndNumbers) {
  std::string_view text = "a bc d";
  EXPECT_EQ(take_word(&text), "a");
  EXPECT_EQ(take_word(&text), "bc");
  EXPECT_EQ(text, "d");
  EXPECT_EQ(take_word(&text), "d");
  EXPECT_EQ(take_word(&text), "");
  EXPECT_EQ(number_in("0.34", "row"), 0.34);
  EXPECT_DEATH(number_in("0.34x", "the row"), "bad number: the row");
}

}  // namespace
}  // namespace tritonrl::program
