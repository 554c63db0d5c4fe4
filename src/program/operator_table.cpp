#include "program/operator_table.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "program/operator_entries.h"
#include "program/schema_forms.h"

namespace tritonrl::program {
namespace {

// Normalisation in training writes its running statistics, but most of torch's schemas do not say so.
void mark_running_statistics(Operator* op) {
  const std::string& name = op->name;
  if (op->kind != OperatorKind::kNormalise || name.find("_no_training") != std::string::npos ||
      name.find("_no_update") != std::string::npos || name.find("_backward") != std::string::npos) {
    return;
  }
  for (Argument& argument : op->arguments) {
    if (argument.name == "running_mean" || argument.name == "running_var") argument.mutated = true;
  }
}

// What torch has one call for. Pointwise operators with many recipes and no layer are plain arithmetic, with special
// cases for types and numbers.
bool is_fused(const OperatorEntry& entry) {
  switch (entry.kind) {
    case OperatorKind::kPointwise:
      return entry.has("layer") || entry.texts("recipe").size() == 1;
    case OperatorKind::kReduce:
    case OperatorKind::kNormalise:
    case OperatorKind::kSoftmax:
    case OperatorKind::kLoss:
      return true;
    default:
      return false;
  }
}

// "[random] [kind] [operations] schemas": what the line does not say is as the entry says.
void read_schemas(const OperatorEntry& entry, std::string_view row, std::vector<Operator>* out) {
  Operator op;
  op.kind = entry.kind;
  op.ops_per_element = entry.ops_per_element;
  if (is_fused(entry)) op.written = written_out(entry);
  std::string_view rest = row;
  while (!rest.starts_with("aten::")) {
    const std::string_view word = take_word(&rest);
    if (const auto kind = operator_kind_from_string(word); kind && word != "random") {
      op.kind = *kind;
    } else if (word == "random") {
      op.random = true;
    } else {
      op.ops_per_element = number_in(word, row);
    }
  }
  op.random = op.random || op.kind == OperatorKind::kRandom;
  std::string why;
  auto schemas = parse_schemas(rest, &why);
  TRL_CHECK(schemas.has_value(), "operators/: " + why + ": " + std::string(row));
  for (Schema& schema : *schemas) {
    static_cast<Schema&>(op) = std::move(schema);
    mark_running_statistics(&op);
    out->push_back(op);
  }
}

struct Table {
  std::vector<Operator> operators;
  std::unordered_map<std::string_view, std::size_t> by_name;

  Table() {
    for (const OperatorEntry& entry : operator_entries()) {
      for (const OperatorEntry::Line& line : entry.lines) {
        if (line.key == "aten") read_schemas(entry, line.text, &operators);
      }
    }
    by_name.reserve(operators.size());
    for (std::size_t i = 0; i < operators.size(); ++i) {
      TRL_CHECK(by_name.emplace(operators[i].name, i).second, "operators/: twice: " + operators[i].name);
    }
  }
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

}  // namespace

const Operator* find_operator(std::string_view name) {
  const auto found = table().by_name.find(name);
  return found == table().by_name.end() ? nullptr : &table().operators[found->second];
}

std::span<const Operator> all_operators() {
  return table().operators;
}

bool draws_random(const AtenCall& call) {
  const Operator* op = find_operator(call.op);
  if (op == nullptr || !op->random) return false;
  if (op->kind == OperatorKind::kRandom) return true;
  const auto bound = bind_arguments(call, *op, nullptr);
  if (!bound) return true;
  for (std::size_t i = 0; i < bound->size(); ++i) {
    const std::string& name = op->arguments[i].name;
    const Value* value = (*bound)[i];
    const bool mode = name == "train" || name == "training";
    const bool part = name == "p" || name == "dropout_p" || name == "dropout";
    if (value == nullptr) {  // torch's default: no training, nothing dropped
      if ((mode || part) && op->arguments[i].has_default) return false;
      continue;
    }
    const auto* flag = value->get_if<bool>();
    const auto* number = value->get_if<double>();
    const auto* whole = value->get_if<std::int64_t>();
    if (mode && flag != nullptr && !*flag) return false;
    if (part && ((number != nullptr && *number == 0) || (whole != nullptr && *whole == 0))) return false;
  }
  return true;
}

std::string_view plain_name(std::string_view op) {
  if (const auto space = op.find("::"); space != std::string_view::npos) op.remove_prefix(space + 2);
  op = op.substr(0, op.find('.'));
  if (op.size() > 1 && op.ends_with('_') && !op.ends_with("__")) op.remove_suffix(1);
  return op;
}

}  // namespace tritonrl::program
