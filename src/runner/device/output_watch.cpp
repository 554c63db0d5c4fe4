#include "runner/device/output_watch.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>

#include "runner/process/garbage.h"

namespace tritonrl::runner {
namespace {

constexpr std::int64_t kLooked = std::int64_t{1} << 20;
constexpr double kPart = 0.001;  // of the elements that may differ: sums by atomics never come out the same
constexpr double kNarrow = 2e-2, kWide = 4e-4;  // twice and four times what the comparison with the reference allows

double tolerance_of(at::ScalarType type) {
  return type == at::kFloat || type == at::kDouble ? kWide : kNarrow;
}

bool differs(const at::Tensor& first, const at::Tensor& now) {
  if (first.numel() == 0) return false;
  at::Tensor other;
  if (first.is_floating_point()) {
    const double tolerance = tolerance_of(first.scalar_type());
    const at::Tensor a = first.to(at::kDouble), b = now.to(at::kDouble);
    const at::Tensor size = a.abs().nan_to_num(0, 0, 0);
    const at::Tensor allowed = size.maximum(size.mean()).mul(tolerance).add(tolerance);
    const at::Tensor same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
    other = same.logical_or((a - b).abs().le(allowed)).logical_not();
  } else {
    other = first.ne(now);
  }
  return static_cast<double>(other.sum().item().toLong()) > kPart * static_cast<double>(first.numel());
}

}  // namespace

// Places an odd number of elements apart: no row length is a multiple of all of them.
at::Tensor OutputWatch::sample_of(const at::Tensor& output, std::size_t index) const {
  at::Tensor all = output.is_complex() ? at::view_as_real(output.resolve_conj()) : output;
  all = all.is_non_overlapping_and_dense() ? all.as_strided({all.numel()}, {1}) : all.reshape({-1});
  const std::int64_t step = std::max<std::int64_t>(1, all.numel() / kLooked) | 1;
  const auto begin = static_cast<std::int64_t>(mixed(secret_, index) % static_cast<std::uint64_t>(step));
  return all.slice(0, std::min(begin, all.numel()), all.numel(), step).clone();
}

void OutputWatch::look(const std::vector<at::Tensor>& outputs) {
  bool other = false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    at::Tensor sample = sample_of(outputs[i], i);
    if (!begun_) {
      first_.push_back(std::move(sample));
    } else {
      other = other || differs(first_[i], sample);
    }
  }
  begun_ = true;
  differing_ += other;
}

}  // namespace tritonrl::runner
