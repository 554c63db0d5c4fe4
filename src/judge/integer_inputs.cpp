#include "judge/integer_inputs.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <set>

#include "judge/elements.h"
#include "judge/rules/step_access.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using program::DType;
using program::OperatorKind;
using runner::TensorData;

constexpr std::size_t kFewWhole = 3;  // elements: a size, a count, a flag

bool computes_with(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kView:
    case OperatorKind::kAllocate:
    case OperatorKind::kFill:
    case OperatorKind::kCopy:
    case OperatorKind::kPointwise:
    case OperatorKind::kReduce:
    case OperatorKind::kScan:
    case OperatorKind::kSort:
    case OperatorKind::kPermute:
      return true;
    default:
      return false;
  }
}

bool reads_any(const StepAccess& access, const std::set<int>& storages) {
  return std::any_of(access.reads.begin(), access.reads.end(), [&](int one) { return storages.contains(one); });
}

// Nothing that follows from the storage is an index, a size, or an answer to the host.
bool chooses_nothing(const program::Program& program, int storage) {
  std::set<int> reached = {storage};
  for (const program::Step& step : program.forwards.front().steps) {
    const StepAccess access = access_of(program, step);
    if (!reads_any(access, reached)) continue;
    const auto* call = std::get_if<program::AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op == nullptr || !computes_with(op->kind)) return false;
    reached.insert(access.writes.begin(), access.writes.end());
  }
  return true;
}

bool is_signed(DType dtype) {
  return dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32 || dtype == DType::kInt64;
}

bool is_whole(DType dtype) {
  return is_signed(dtype) || dtype == DType::kUInt8 || dtype == DType::kBool;
}

std::string bytes_of_whole(const TensorData& like, const std::vector<std::int64_t>& values) {
  const auto size = static_cast<std::size_t>(program::size_of(like.dtype));
  std::string out(like.bytes.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(out.data() + i * size, &values[i], size);
  return out;
}

std::vector<std::int64_t> whole_values(const TensorData& data) {
  const Elements elements(data);
  std::vector<std::int64_t> out(elements.count());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::int64_t>(elements[i]);
  return out;
}

bool counts_up(const std::vector<std::int64_t>& values, std::size_t row) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != static_cast<std::int64_t>(i % row)) return false;
  }
  return row >= kFewWhole;
}

}  // namespace

std::vector<bool> only_computed_with(const program::Program& program) {
  std::vector<bool> out;
  for (const program::TensorRef ref : runner::tensors_of(program.forwards.front().inputs)) {
    const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
    out.push_back(is_signed(tensor.dtype) && chooses_nothing(program, tensor.storage));
  }
  return out;
}

std::string with_signs(const TensorData& data, std::uint64_t seed) {
  if (!is_signed(data.dtype)) return data.bytes;
  std::vector<std::int64_t> values = whole_values(data);
  if (values.size() < kFewWhole) return data.bytes;
  std::mt19937_64 random(seed);
  for (std::int64_t& one : values) one = random() % 2 == 0 ? one : -one;
  return bytes_of_whole(data, values);
}

std::string chosen_anew(const TensorData& data, std::uint64_t seed) {
  if (!is_whole(data.dtype)) return data.bytes;
  std::vector<std::int64_t> values = whole_values(data);
  if (values.size() < kFewWhole) return data.bytes;
  const auto row = static_cast<std::size_t>(std::max<std::int64_t>(1, data.sizes.empty() ? 1 : data.sizes.back()));
  std::mt19937_64 random(seed);
  if (counts_up(values, row)) {
    for (std::size_t begin = 0; begin < values.size(); begin += row)
      std::shuffle(values.begin() + static_cast<std::ptrdiff_t>(begin),
                   values.begin() + static_cast<std::ptrdiff_t>(begin + row), random);
    return bytes_of_whole(data, values);
  }
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < values.size() && seen.size() <= 2; ++i) seen.insert(values[i]);
  if (data.dtype == DType::kBool || seen == std::set<std::int64_t>{0}) seen = {0, 1};
  if (seen.size() != 2) return data.bytes;
  for (std::int64_t& one : values) one = random() % 2 == 0 ? *seen.begin() : *seen.rbegin();
  return bytes_of_whole(data, values);
}

}  // namespace tritonrl::judge
