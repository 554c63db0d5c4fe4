#include "teacher/operators/table.h"

namespace tritonrl::teacher::operators {
namespace {

using program::OperatorEntry;
using program::OperatorKind;

using program::Words;

constexpr Words<Group, 9> kGroups = {{{"pointwise", Group::kPointwise},
                                      {"reduction", Group::kReduction},
                                      {"normalisation", Group::kNormalisation},
                                      {"loss", Group::kLoss},
                                      {"scan", Group::kScan},
                                      {"pooling", Group::kPooling},
                                      {"movement", Group::kMovement},
                                      {"heavy", Group::kHeavy},
                                      {"other", Group::kOther}}};

constexpr Words<Rows, 7> kRows = {{{"dim", Rows::kDim},
                                   {"last", Rows::kLast},
                                   {"spatial", Rows::kSpatial},
                                   {"groups", Rows::kGroups},
                                   {"channel", Rows::kPerChannel},
                                   {"classes", Rows::kClasses},
                                   {"all", Rows::kAll}}};

constexpr Words<ResultType, 5> kTypes = {{{"promoted", ResultType::kPromoted},
                                          {"float", ResultType::kFloat},
                                          {"bool", ResultType::kBool},
                                          {"int64", ResultType::kInt64},
                                          {"first", ResultType::kFirst}}};

// The value that the entry's line names; `usual` where it has no such line.
template <typename Value, std::size_t kCount>
Value named(const OperatorEntry& entry, std::string_view key, const Words<Value, kCount>& words, Value usual) {
  const std::string_view word = entry.text(key);
  return word.empty() ? usual : program::meaning_of(word, words, entry.name);
}

Group usual_group(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kPointwise:
      return Group::kPointwise;
    case OperatorKind::kReduce:
      return Group::kReduction;
    case OperatorKind::kNormalise:
    case OperatorKind::kSoftmax:
      return Group::kNormalisation;
    case OperatorKind::kLoss:
      return Group::kLoss;
    case OperatorKind::kScan:
    case OperatorKind::kSort:
      return Group::kScan;
    case OperatorKind::kPool:
      return Group::kPooling;
    case OperatorKind::kView:
    case OperatorKind::kCopy:
    case OperatorKind::kPermute:
    case OperatorKind::kResample:
    case OperatorKind::kGather:
      return Group::kMovement;
    default:
      return program::is_heavy(kind) ? Group::kHeavy : Group::kOther;
  }
}

ResultType usual_type(Group group) {
  switch (group) {
    case Group::kPointwise:
    case Group::kHeavy:
      return ResultType::kPromoted;
    case Group::kReduction:
    case Group::kNormalisation:
    case Group::kLoss:
      return ResultType::kFloat;
    default:
      return ResultType::kFirst;
  }
}

// "if p == 2: square = input * input; …", or the text alone.
Recipe read_recipe(std::string_view line) {
  constexpr std::string_view kIf = "if ", kThen = ": ";
  if (!line.starts_with(kIf)) return {.when = "", .text = line};
  const std::size_t end = line.find(kThen);
  if (end == std::string_view::npos) program::wrong_line("a condition without an end", line);
  return {.when = line.substr(kIf.size(), end - kIf.size()), .text = line.substr(end + kThen.size())};
}

}  // namespace

Operator read_operator(const OperatorEntry& entry) {
  Operator op{.name = entry.name, .parameters = entry.text("call")};
  op.group = named(entry, "group", kGroups, usual_group(entry.kind));
  op.rows = named(entry, "rows", kRows, Rows::kNone);
  op.type = named(entry, "type", kTypes, usual_type(op.group));
  for (const std::string_view line : entry.texts("recipe")) op.recipes.push_back(read_recipe(line));
  if (op.group == Group::kLoss) op.then = "reduction";
  op.computes = op.group == Group::kMovement ? entry.has("computes") : op.group != Group::kOther;
  op.exact = entry.has("exact");
  op.channel_parameters = entry.text("channels");
  op.row_parameters = entry.text("row_values");
  return op;
}

}  // namespace tritonrl::teacher::operators
