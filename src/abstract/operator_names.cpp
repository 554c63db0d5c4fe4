#include "abstract/operator_names.h"

#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "program/operator_entries.h"

namespace tritonrl::abstract {
namespace {

constexpr int kHeavyOfRecurrent = 3;

int usual_weight(program::OperatorKind kind) {
  if (!program::is_heavy(kind)) return 0;
  return kind == program::OperatorKind::kRecurrent ? kHeavyOfRecurrent : 1;
}

using Index = std::unordered_map<std::string_view, std::size_t>;

struct Table {
  std::vector<OperatorName> operators;
  Index names, functions, methods, layers, foreign;

  Table() {
    for (const program::OperatorEntry& entry : program::operator_entries()) {
      if (entry.name.empty() || entry.has("label") || entry.has("unspelt")) continue;
      operators.push_back({.name = entry.name,
                           .kind = entry.kind,
                           .heavy = entry.heavy.value_or(usual_weight(entry.kind)),
                           .query = entry.query});
      add(&names, entry.name, operators.size() - 1);
      functions.try_emplace(entry.name, operators.size() - 1);
    }
    for (const program::OperatorEntry& entry : program::operator_entries()) {
      if (!entry.name.empty() && !entry.has("unspelt")) add_spellings(entry);
    }
  }

  void add_spellings(const program::OperatorEntry& entry) {
    const std::string_view label = entry.text("label");
    const auto found = names.find(label.empty() ? entry.name : label);
    TRL_CHECK(found != names.end(), "operators/: no such label: " + std::string(label));
    const std::size_t place = found->second;
    if (!label.empty()) functions.insert_or_assign(entry.name, place);
    for (const program::OperatorEntry::Line& line : entry.lines) {
      if (line.key == "layer") add(&layers, line.text.substr(0, line.text.find('(')), place);
      if (line.key != "spelt" && line.key != "counted") continue;
      for (std::string_view rest = line.text; !rest.empty();) add_spelling(program::take_word(&rest), place);
    }
  }

  static void add(Index* index, std::string_view spelling, std::size_t place) {
    TRL_CHECK(index->emplace(spelling, place).second, "operators/: twice: " + std::string(spelling));
  }

  void add_spelling(std::string_view spelling, std::size_t place) {
    if (spelling.starts_with('.')) return add(&methods, spelling.substr(1), place);
    if (spelling.find('.') != std::string_view::npos) return add(&foreign, spelling, place);
    // A listed spelling wins over another operator's own name.
    functions.insert_or_assign(spelling, place);
  }

  const OperatorName* find(const Index& index, std::string_view spelling) const {
    const auto found = index.find(spelling);
    return found == index.end() ? nullptr : &operators[found->second];
  }
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

}  // namespace

const OperatorName* find_operator_name(std::string_view name) {
  return table().find(table().names, name);
}

const OperatorName* find_function(std::string_view spelling) {
  const Table& known = table();
  const OperatorName* op = known.find(known.functions, spelling);
  if (op != nullptr || !spelling.ends_with('_')) return op;
  return known.find(known.functions, spelling.substr(0, spelling.size() - 1));
}

const OperatorName* find_tensor_method(std::string_view spelling) {
  const OperatorName* op = table().find(table().methods, spelling);
  return op != nullptr ? op : find_function(spelling);
}

const OperatorName* find_layer(std::string_view spelling) {
  if (spelling.starts_with("Lazy")) spelling.remove_prefix(4);
  return table().find(table().layers, spelling);
}

const OperatorName* find_foreign(std::string_view spelling) {
  return table().find(table().foreign, spelling);
}

const OperatorName* find_sign(std::string_view kind) {
  constexpr auto kSigns = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"Add", "+"},       {"Sub", "-"},       {"Mult", "*"},      {"Div", "/"},   {"MatMult", "@"}, {"Pow", "**"},
       {"FloorDiv", "//"}, {"Mod", "%"},       {"BitAnd", "&"},    {"BitOr", "|"}, {"BitXor", "^"},  {"LShift", "<<"},
       {"RShift", ">>"},   {"Eq", "=="},       {"NotEq", "!="},    {"Lt", "<"},    {"LtE", "<="},    {"Gt", ">"},
       {"GtE", ">="},      {"USub", "unary-"}, {"UAdd", "unary+"}, {"Invert", "~"}});
  for (const auto& [name, sign] : kSigns) {
    if (name == kind) return find_function(sign);
  }
  return nullptr;
}

std::span<const OperatorName> all_operator_names() {
  return table().operators;
}

}  // namespace tritonrl::abstract
