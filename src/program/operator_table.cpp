#include "program/operator_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/embedded_file.h"

namespace tritonrl::program {

std::span<const base::EmbeddedFile> operator_files();  // operators.txt, by cmake/embed.cmake

namespace {

constexpr std::array<std::pair<std::string_view, OperatorKind>, 23> kKinds = {{
    {"view", OperatorKind::kView},
    {"allocate", OperatorKind::kAllocate},
    {"fill", OperatorKind::kFill},
    {"copy", OperatorKind::kCopy},
    {"random", OperatorKind::kRandom},
    {"pointwise", OperatorKind::kPointwise},
    {"reduce", OperatorKind::kReduce},
    {"normalise", OperatorKind::kNormalise},
    {"softmax", OperatorKind::kSoftmax},
    {"scan", OperatorKind::kScan},
    {"sort", OperatorKind::kSort},
    {"matmul", OperatorKind::kMatmul},
    {"convolution", OperatorKind::kConvolution},
    {"recurrent", OperatorKind::kRecurrent},
    {"attention", OperatorKind::kAttention},
    {"pool", OperatorKind::kPool},
    {"gather", OperatorKind::kGather},
    {"permute", OperatorKind::kPermute},
    {"resample", OperatorKind::kResample},
    {"fourier", OperatorKind::kFourier},
    {"linalg", OperatorKind::kLinalg},
    {"loss", OperatorKind::kLoss},
    {"shape_query", OperatorKind::kShapeQuery},
}};

std::string_view take_word(std::string_view* line) {
  const std::size_t end = std::min(line->find(' '), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(std::min(end + 1, line->size()));
  return word;
}

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

Operator read_row(std::string_view line) {
  const std::string row(line);
  std::string_view kind_word = take_word(&line);
  const std::string_view ops = take_word(&line);
  Operator op;
  if (kind_word.ends_with(",random")) {
    op.random = true;
    kind_word.remove_suffix(std::string_view(",random").size());
  }
  const auto kind = operator_kind_from_string(kind_word);
  TRL_CHECK(kind.has_value(), "operators.txt: unknown kind: " + row);
  op.kind = *kind;
  op.random = op.random || op.kind == OperatorKind::kRandom;
  const auto [end, error] = std::from_chars(ops.data(), ops.data() + ops.size(), op.ops_per_element);
  TRL_CHECK(error == std::errc{} && end == ops.data() + ops.size(), "operators.txt: bad number: " + row);
  std::string why;
  auto schema = parse_schema(line, &why);
  TRL_CHECK(schema.has_value(), "operators.txt: " + why + ": " + row);
  static_cast<Schema&>(op) = std::move(*schema);
  mark_running_statistics(&op);
  return op;
}

struct Table {
  std::vector<Operator> operators;
  std::unordered_map<std::string_view, std::size_t> by_name;

  Table() {
    std::string_view text = operator_files().front().text;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!line.empty() && line.front() != '#') operators.push_back(read_row(line));
    }
    for (std::size_t i = 0; i < operators.size(); ++i) {
      TRL_CHECK(by_name.emplace(operators[i].name, i).second, "operators.txt: twice: " + operators[i].name);
    }
  }
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

}  // namespace

std::string_view to_string(OperatorKind kind) {
  for (const auto& [name, known] : kKinds) {
    if (known == kind) return name;
  }
  return "?";
}

std::optional<OperatorKind> operator_kind_from_string(std::string_view name) {
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

bool is_compute(OperatorKind kind) {
  return kind != OperatorKind::kView && kind != OperatorKind::kAllocate && kind != OperatorKind::kFill &&
         kind != OperatorKind::kCopy;
}

bool is_heavy(OperatorKind kind) {
  return kind == OperatorKind::kMatmul || kind == OperatorKind::kConvolution || kind == OperatorKind::kRecurrent ||
         kind == OperatorKind::kAttention;
}

const Operator* find_operator(std::string_view name) {
  const auto found = table().by_name.find(name);
  return found == table().by_name.end() ? nullptr : &table().operators[found->second];
}

std::span<const Operator> all_operators() {
  return table().operators;
}

std::string_view plain_name(std::string_view op) {
  if (const auto space = op.find("::"); space != std::string_view::npos) op.remove_prefix(space + 2);
  op = op.substr(0, op.find('.'));
  if (op.size() > 1 && op.ends_with('_') && !op.ends_with("__")) op.remove_suffix(1);
  return op;
}

}  // namespace tritonrl::program
