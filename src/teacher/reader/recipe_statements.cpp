#include "teacher/reader/recipe_statements.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

namespace tritonrl::teacher {
namespace {

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool in_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9');
}

bool is_python(std::string_view word) {
  constexpr std::array<std::string_view, 8> kWords = {"tl", "libdevice", "float", "and", "or", "not", "True", "False"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

RecipeStatement::Kind special(std::string_view function) {
  constexpr std::array<std::string_view, 8> kReduces = {"sum", "max", "min", "prod", "any", "all", "argmax", "argmin"};
  constexpr std::array<std::string_view, 4> kScans = {"cumsum", "cumprod", "cummax", "cummin"};
  if (std::find(kReduces.begin(), kReduces.end(), function) != kReduces.end()) return RecipeStatement::Kind::kReduce;
  if (std::find(kScans.begin(), kScans.end(), function) != kScans.end()) return RecipeStatement::Kind::kScan;
  return RecipeStatement::Kind::kExpression;
}

void read_expression(std::string_view text, RecipeStatement& out) {
  if (const std::size_t open = text.find('('); open != std::string_view::npos && text.ends_with(')')) {
    const std::string_view function = text.substr(0, open);
    if (const RecipeStatement::Kind kind = special(function); kind != RecipeStatement::Kind::kExpression) {
      out.kind = kind;
      out.text = function;
      out.names.emplace_back(text.substr(open + 1, text.size() - open - 2));
      out.truth = function == "any" || function == "all";
      return;
    }
  }
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\'') {  // float('inf')
      const std::size_t end = text.find('\'', i + 1) + 1;
      out.text += text.substr(i, end - i);
      i = end;
      continue;
    }
    const bool after_number = i > 0 && (in_name(text[i - 1]) || text[i - 1] == '.');  // the e of 1e-05
    if (!starts_name(c) || after_number) {
      if (c == '<' || c == '>' || (c == '=' && i + 1 < text.size() && text[i + 1] == '=') || c == '!') out.truth = true;
      out.text += c;
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && in_name(text[end])) ++end;
    const std::string word(text.substr(i, end - i));
    const bool keyword = end < text.size() && text[end] == '=' && (end + 1 >= text.size() || text[end + 1] != '=');
    if (is_python(word) || keyword) {
      out.text += word;
    } else {
      auto found = std::find(out.names.begin(), out.names.end(), word);
      if (found == out.names.end()) found = out.names.insert(out.names.end(), word);
      out.text += "$" + std::to_string(found - out.names.begin());
    }
    i = end;
    while (i < text.size() && text[i] == '.') {  // members: tl.exp
      std::size_t stop = i + 1;
      while (stop < text.size() && in_name(text[stop])) ++stop;
      out.text += text.substr(i, stop - i);
      i = stop;
    }
  }
  if (text.starts_with("tl.where(") || text.starts_with("tl.maximum(") || text.starts_with("tl.minimum("))
    out.truth = false;
}

std::vector<RecipeStatement> take_apart(std::string_view text) {
  std::vector<RecipeStatement> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("; "), text.size());
    std::string_view statement = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    RecipeStatement& made = out.emplace_back();
    if (const std::size_t equals = statement.find(" = "); equals != std::string_view::npos) {
      made.target = statement.substr(0, equals);
      statement.remove_prefix(equals + 3);
    }
    read_expression(statement, made);
  }
  return out;
}

// By the recipe of the table itself: comparing texts would cost more than what is done with the statements.
using AllStatements = std::unordered_map<const Recipe*, std::vector<RecipeStatement>>;

AllStatements all_statements() {
  AllStatements out;
  for (const Operator& op : all_operators()) {
    for (const Recipe& recipe : op.recipes) out.try_emplace(&recipe, take_apart(recipe.text));
  }
  return out;
}

}  // namespace

const std::vector<RecipeStatement>& statements_of(const Recipe& recipe) {
  static const AllStatements kAll = all_statements();
  return kAll.at(&recipe);
}

}  // namespace tritonrl::teacher
