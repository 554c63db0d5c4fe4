#include "judge/integer_inputs.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <set>

#include "judge/elements.h"
#include "judge/mask_pattern.h"
#include "judge/rules/step_access.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using program::DType;
using program::OperatorKind;
using runner::TensorData;

constexpr std::size_t kFewWhole = 3;    // elements: a size, a count, a flag
constexpr std::size_t kFewPlaces = 16;  // elements, or different ones: others hardly come by chance

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

using Numbers = std::vector<std::int64_t>;

bool is_sorted_up(const Numbers& values) {
  return std::is_sorted(values.begin(), values.end());
}

// Indices, below `bound`. What is negative has a meaning of its own, and stays.
void other_places(Numbers& values, const InputUse& use, std::mt19937_64& random) {
  const std::set<std::int64_t> seen(values.begin(), values.end());
  const bool once_each = seen.size() == values.size();
  if (use.overwrites) {
    if (once_each && *seen.begin() >= 0) std::shuffle(values.begin(), values.end(), random);
    return;
  }
  const std::int64_t most = use.bound > 0 ? use.bound : *seen.rbegin() + 1;
  const bool few = values.size() < kFewPlaces || seen.size() < kFewWhole || 2 * *seen.rbegin() < most;
  if (most < 1 || (!few && !once_each && !use.adds_up)) return;
  const bool in_order = is_sorted_up(values) && !once_each;  // numbers of segments: a solution may build on it
  const auto favourite = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  for (std::int64_t& one : values) {
    if (one < 0) continue;
    const bool again = use.adds_up && random() % 3 == 0;
    one = again ? favourite : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  }
  if (use.bound <= 0) values[random() % values.size()] = *seen.rbegin();  // how many there are may follow from it
  if (in_order) std::sort(values.begin(), values.end());
}

// Numbers that count for themselves: from one to the largest of them, which stays in one place.
bool other_lengths(Numbers& values, const InputUse& use, std::mt19937_64& random) {
  const std::set<std::int64_t> seen(values.begin(), values.end());
  const std::int64_t most = *seen.rbegin();
  if (!use.counts() || *seen.begin() < 1 || most < 2) return false;
  const bool alike = seen.size() == 1;
  if (!alike && values.size() >= kFewPlaces) return false;
  if (!alike && seen.size() > 2 && is_sorted_up(values)) return false;  // boundaries
  const bool falling = !alike && std::is_sorted(values.rbegin(), values.rend());
  for (std::int64_t& one : values) one = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  if (values.size() > 1) values[falling ? 0 : random() % values.size()] = most;
  if (falling) std::sort(values.rbegin(), values.rend());
  return true;
}

// At least one row of several is other than it was.
void other_pairs(Numbers& values, const TensorData& data, std::int64_t no, std::int64_t yes, bool careful,
                 std::uint64_t seed) {
  std::mt19937_64 random(seed);
  if (!careful) {
    const std::vector<bool> set = mask_pattern(data.sizes, values.size(), /*full_rows=*/false, random);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = set[i] ? yes : no;
    return;
  }
  const std::int64_t to = seed % 2 == 0 ? yes : no;
  for (std::int64_t& one : values) one = random() % 2 == 0 ? to : one;
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

std::string chosen_anew(const TensorData& data, std::uint64_t seed, const InputUse& use, bool careful) {
  if (!is_whole(data.dtype) || data.bytes.empty()) return data.bytes;
  Numbers values = whole_values(data);
  std::mt19937_64 random(seed);
  std::set<std::int64_t> seen(values.begin(), values.end());
  if (data.dtype != DType::kBool) {
    const auto row = static_cast<std::size_t>(std::max<std::int64_t>(1, data.sizes.empty() ? 1 : data.sizes.back()));
    if (counts_up(values, row) && !use.adds_up && (!use.indexes || values.size() >= kFewPlaces || use.bound <= 0)) {
      for (std::size_t begin = 0; begin < values.size(); begin += row)
        std::shuffle(values.begin() + static_cast<std::ptrdiff_t>(begin),
                     values.begin() + static_cast<std::ptrdiff_t>(begin + row), random);
      return bytes_of_whole(data, values);
    }
    if (use.indexes && !use.asked && !use.structured) {
      other_places(values, use, random);
      return bytes_of_whole(data, values);
    }
    if (other_lengths(values, use, random)) return bytes_of_whole(data, values);
  }
  if (values.size() < kFewWhole) return data.bytes;
  if (data.dtype == DType::kBool || seen == std::set<std::int64_t>{0}) seen = {0, 1};
  if (seen.size() != 2) return data.bytes;
  other_pairs(values, data, *seen.begin(), *seen.rbegin(), careful, seed);
  return bytes_of_whole(data, values);
}

}  // namespace tritonrl::judge
