#include "record/task_constants.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/error.h"

namespace tritonrl::record {
namespace {

TEST(TaskConstants, ReplacesWhatStandsAloneAtTheStartOfALine) {
  const std::string source = "N = 3\nM: int = 4\nif N == 3:\n    N = 5\nNN = 7\nK=1\n";
  EXPECT_EQ(with_constants(source, {{"N", "8"}, {"K", "2"}, {"M", "9"}}),
            "N = 8\nM: int = 9\nif N == 3:\n    N = 5\nNN = 7\nK = 2\n");
  EXPECT_EQ(with_constants(source, {}), source);
}

TEST(TaskConstants, NamesWhatIsNotThere) {
  try {
    with_constants("N = 3\n", {{"ROWS", "8"}});
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("ROWS"), std::string::npos);
  }
}

TEST(TaskConstants, ChangesNumbersBehindGetInputs) {
  const std::string source = "def get_inputs():\n    return [0.5]\n";
  const std::string changed = with_other_numbers(source);
  EXPECT_TRUE(changed.starts_with(source));
  EXPECT_NE(changed.find("\nget_inputs = "), std::string::npos);
}

using Spans = std::vector<std::pair<TaskSpan, std::int64_t>>;

TEST(TaskIntegers, AreSplicedByteForByte) {
  const std::string source = "# größe\r\nN, M = 128, 0x40\nx = torch.rand(N * 2, 1_000)";
  const auto span = [&](const std::string& literal) {
    return TaskSpan{source.find(literal), source.find(literal) + literal.size()};
  };
  EXPECT_EQ(with_integers(source, Spans{{span("1_000"), 7}, {span("128"), 4096}, {span("0x40"), 3}}),
            "# größe\r\nN, M = 4096, 3\nx = torch.rand(N * 2, 7)");
  EXPECT_EQ(with_integers(source, Spans{}), source);
  EXPECT_EQ(with_integers("2 ** 3", Spans{{{0, 1}, -2}}), "(-2) ** 3");
}

TEST(TaskIntegersDeathTest, SpansMustLieInTheSourceApart) {
  EXPECT_DEATH(with_integers("abc 12", Spans{{{4, 7}, 1}}), "spans");
  EXPECT_DEATH(with_integers("abc 12", Spans{{{4, 6}, 1}, {{5, 6}, 1}}), "spans");
}

}  // namespace
}  // namespace tritonrl::record
