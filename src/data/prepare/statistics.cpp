#include "data/prepare/statistics.h"

#include "base/fields.h"

namespace tritonrl::data {
namespace {

constexpr std::size_t kNamed = 5;  // of each reason

}  // namespace

std::int64_t Statistics::kept() const {
  std::int64_t sum = 0;
  for (const auto& levels : tasks) sum += levels[1] + levels[2] + levels[3];
  return sum;
}

std::int64_t Statistics::kept_pairs() const {
  std::int64_t sum = 0;
  for (const auto& levels : pairs) sum += levels[1] + levels[2] + levels[3];
  return sum;
}

void Statistics::leave_out(const std::string& reason, const std::string& place, const std::string& message) {
  ++left_out[reason];
  std::vector<std::string>& names = named[reason];
  if (names.size() < kNamed) names.push_back(place + ": " + message);
}

void Statistics::fields(base::FieldVisitor& field) {
  std::int64_t all = kept(), solved = kept_pairs();  // for a reader
  field("kept", all);
  field("kept_pairs", solved);
  TRL_FIELDS(field, read, left_out, named, task_only, tasks, pairs, labelled_by_program, degenerate, not_runnable,
             operators, verdicts, packages, confusion, odd_confusion, token_unit, instruction_tokens, output_tokens,
             code_bytes, output_bytes);
}

std::string to_json(const Statistics& statistics) {
  return base::to_json(statistics).dump();
}

}  // namespace tritonrl::data
