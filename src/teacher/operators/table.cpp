#include "teacher/operators/table.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "base/check.h"

namespace tritonrl::teacher {
namespace operators {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// "a, b=(1, 2)" → "a", "b=(1, 2)".
std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i + separator.size() <= text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0 && text.substr(i, separator.size()) == separator) {
      pieces.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + separator.size();
    }
  }
  if (!trimmed(text.substr(begin)).empty()) pieces.push_back(trimmed(text.substr(begin)));
  return pieces;
}

Fact read_constant(std::string_view text) {
  if (text == "None") return Fact::none();
  if (text == "True" || text == "False") return Fact::truth(text == "True");
  if (text.starts_with('\'')) return Fact::words(text.substr(1, text.size() - 2));
  if (text.starts_with('(')) {
    std::vector<Fact> items;
    for (const std::string_view piece : split_at(text.substr(1, text.size() - 2), ",")) {
      items.push_back(read_constant(piece));
    }
    return Fact::list(std::move(items));
  }
  std::int64_t integer = 0;
  const char* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, integer); read.ec == std::errc{} && read.ptr == end) {
    return Fact::whole(integer);
  }
  double number = 0;
  const auto read = std::from_chars(text.data(), end, number);
  TRL_CHECK(read.ec == std::errc{} && read.ptr == end, "operator table: not a default: " + std::string(text));
  return Fact::real(number);
}

bool is_name_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool uses(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || (!is_name_character(text[at - 1]) && text[at - 1] != '.');
    const std::size_t after = at + name.size();
    const bool ends = after == text.size() || (!is_name_character(text[after]) && text[after] != '(');
    if (begins && ends) return true;
  }
  return false;
}

struct Entry {
  std::vector<Parameter> parameters;
  std::vector<RecipeFacts> recipes;
};

struct Table {
  std::vector<Operator> operators;
  std::vector<Entry> entries;
  std::unordered_map<std::string_view, std::size_t> names;

  Table() {
    for (const program::OperatorEntry& entry : program::operator_entries()) {
      if (entry.has("call")) operators.push_back(read_operator(entry));
    }
    entries.reserve(operators.size());
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const Operator& op = operators[i];
      TRL_CHECK(names.emplace(op.name, i).second, "operator table: twice: " + std::string(op.name));
      Entry& entry = entries.emplace_back();
      entry.parameters = read_parameters(op.parameters);
      for (const Recipe& recipe : op.recipes) {
        RecipeFacts& read = entry.recipes.emplace_back();
        read.conditions = split_at(recipe.when, " & ");
        for (std::size_t p = 0; p < entry.parameters.size(); ++p) {
          if (uses(recipe.text, entry.parameters[p].name)) read.used.push_back(static_cast<int>(p));
        }
      }
    }
  }

  std::size_t place(const Operator& op) const {
    TRL_CHECK(&op >= operators.data() && &op < operators.data() + operators.size(), "an operator of no table");
    return static_cast<std::size_t>(&op - operators.data());
  }
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

}  // namespace

std::vector<Parameter> read_parameters(std::string_view declaration) {
  std::vector<Parameter> parameters;
  bool keyword_only = false;
  for (std::string_view piece : split_at(declaration, ",")) {
    if (piece == "*") {
      keyword_only = true;
      continue;
    }
    Parameter parameter;
    parameter.keyword_only = keyword_only;
    if (piece.starts_with('*')) {
      piece.remove_prefix(1);
      parameter.many = true;
      keyword_only = true;
    }
    const std::size_t equal = piece.find('=');
    parameter.name = piece.substr(0, equal);
    if (equal != std::string_view::npos) {
      parameter.required = false;
      parameter.standard = read_constant(piece.substr(equal + 1));
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::span<const Parameter> parameters_of(const Operator& op) {
  return table().entries[table().place(op)].parameters;
}

std::span<const RecipeFacts> recipes_of(const Operator& op) {
  return table().entries[table().place(op)].recipes;
}

}  // namespace operators

std::span<const Operator> all_operators() {
  return operators::table().operators;
}

const Operator* find_operator(std::string_view name) {
  const auto& table = operators::table();
  const auto found = table.names.find(name);
  return found == table.names.end() ? nullptr : &table.operators[found->second];
}

const Bound::Argument* Bound::find(std::string_view parameter) const {
  for (const Argument& argument : arguments) {
    if (argument.parameter == parameter) return &argument;
  }
  return nullptr;
}

}  // namespace tritonrl::teacher
