#include "program/written_out.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace tritonrl::program {
namespace {

// 1 / (1 + exp(-x)), (exp(2x) - 1) / (exp(2x) + 1): what surrounds the exponential of a function that torch has a name
// for.
constexpr int kAroundExponential = 3;

constexpr std::array<std::string_view, 7> kReductions = {"sum", "max", "min", "prod", "all", "any", "argmax"};
constexpr std::array<std::string_view, 12> kSpecials = {"exp", "exp2", "log", "log2", "erf",  "sin",
                                                        "cos", "sqrt", "pow", "tanh", "atan", "rsqrt"};
constexpr std::array<std::string_view, 3> kFree = {"to", "float", "count"};  // casts, and numbers

template <typename Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

// One statement: what it does, and whether it looks at elements rather than at values of rows.
struct Statement {
  WrittenOut done;
  bool of_elements = false;
};

Statement read_statement(std::string_view text, const std::set<std::string_view>& of_rows) {
  Statement out;
  bool operand = false;  // the last thing read was one: a sign behind it joins two
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
    } else if (in_name(text[at])) {
      const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
      std::size_t end = at;
      while (end < text.size() && (in_name(text[end]) || (number && text[end] == '-' && text[end - 1] == 'e'))) ++end;
      const std::string_view name = text.substr(at, end - at);
      const std::string_view last = name.substr(name.rfind('.') + 1);
      const bool called = end < text.size() && text[end] == '(';
      operand = !called;
      at = end;
      if (number || is_one_of(kFree, last)) continue;
      if (!called) {
        out.of_elements = out.of_elements || !of_rows.contains(name);
      } else if (name == last && is_one_of(kReductions, last)) {
        ++out.done.reduced;
      } else if (last == "sigmoid") {
        ++out.done.special;
        out.done.pointwise += kAroundExponential;
      } else {
        ++(name.starts_with("libdevice.") || is_one_of(kSpecials, last) ? out.done.special : out.done.pointwise);
      }
    } else if (std::string_view("+-*/<>=!&|%").find(text[at]) != std::string_view::npos) {
      if (operand) ++out.done.pointwise;
      operand = false;
      ++at;
    } else {
      operand = text[at] == ')' || text[at] == '\'';
      ++at;
    }
  }
  return out;
}

}  // namespace

WrittenOut written_out(std::string_view recipe) {
  if (recipe.starts_with("if ")) recipe.remove_prefix(recipe.find(": ") + 2);
  WrittenOut out;
  std::set<std::string_view> of_rows = {"eps"};
  while (!recipe.empty()) {
    const std::size_t end = std::min(recipe.find("; "), recipe.size());
    std::string_view text = recipe.substr(0, end);
    recipe.remove_prefix(std::min(end + 2, recipe.size()));
    std::string_view name;
    if (const std::size_t equals = text.find(" = "); equals != std::string_view::npos) {
      name = text.substr(text.find_first_not_of(' '), equals - text.find_first_not_of(' '));
      text.remove_prefix(equals + 3);
    }
    const Statement one = read_statement(text, of_rows);
    if (one.done.reduced > 0 || !one.of_elements) of_rows.insert(name);
    if (!one.of_elements) continue;
    out.special += one.done.special;
    out.reduced += one.done.reduced;
    out.pointwise += one.done.pointwise;
  }
  return out;
}

WrittenOut written_out(const OperatorEntry& entry) {
  WrittenOut out;
  // functions that are written with a sigmoid in Triton have a name of their own in torch
  if (entry.name == "tanh") return {.special = 1, .pointwise = kAroundExponential};
  for (const std::string_view recipe : entry.texts("recipe")) {
    const WrittenOut one = written_out(recipe);
    out.special = std::max(out.special, one.special);
    out.reduced = std::max(out.reduced, one.reduced);
    out.pointwise = std::max(out.pointwise, one.pointwise);
  }
  return out;
}

}  // namespace tritonrl::program
