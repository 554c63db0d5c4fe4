#include "teacher/operators/table.h"

// What asks a question of each element, and what joins the answers.
namespace tritonrl::teacher::operators {

std::vector<Operator> comparison_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::string_view name, std::string_view parameters, std::vector<Recipe> recipes,
                          ResultType type = ResultType::kBool) {
    all.push_back({.name = name, .parameters = parameters, .type = type, .recipes = std::move(recipes)});
  };
  const auto compare = [&add](std::string_view name, std::string_view text) {
    add(name, "input, other, *, out=None", {{"", text}});
  };
  const auto question = [&add](std::string_view name, std::string_view text) {
    add(name, "input, *, out=None", {{"", text}});
  };
  compare("eq", "input == other");
  compare("ne", "input != other");
  compare("lt", "input < other");
  compare("le", "input <= other");
  compare("gt", "input > other");
  compare("ge", "input >= other");
  add("isclose", "input, other, rtol=1e-05, atol=1e-08, equal_nan=False",
      {{"not equal_nan", "tl.abs(input - other) <= atol + rtol * tl.abs(other)"}});
  question("isnan", "input != input");
  question("isinf", "tl.abs(input) == float('inf')");
  question("isposinf", "input == float('inf')");
  question("isneginf", "input == float('-inf')");
  question("isfinite", "tl.abs(input) < float('inf')");
  question("signbit", "(input < 0) | (1.0 / input == float('-inf'))");

  compare("logical_and", "(input != 0) & (other != 0)");
  compare("logical_or", "(input != 0) | (other != 0)");
  compare("logical_xor", "(input != 0) ^ (other != 0)");
  question("logical_not", "input == 0");

  constexpr auto kPromoted = ResultType::kPromoted;
  add("bitwise_and", "input, other, *, out=None", {{"", "input & other"}}, kPromoted);
  add("bitwise_or", "input, other, *, out=None", {{"", "input | other"}}, kPromoted);
  add("bitwise_xor", "input, other, *, out=None", {{"", "input ^ other"}}, kPromoted);
  add("bitwise_not", "input, *, out=None", {{"", "~input"}}, kPromoted);
  add("bitwise_left_shift", "input, other, *, out=None", {{"", "input << other"}}, kPromoted);
  add("bitwise_right_shift", "input, other, *, out=None", {{"", "input >> other"}}, kPromoted);
  return all;
}

}  // namespace tritonrl::teacher::operators
