#include "runner/device/vary_inputs.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/where.h>

namespace tritonrl::runner {
namespace {

constexpr std::int64_t kSizesOfRuns = 3;

bool has_other_values(const at::Tensor& tensor) {
  if (!tensor.is_floating_point() || tensor.numel() <= 2) return tensor.is_floating_point() && tensor.numel() > 0;
  // a mask or a label: two values that mean something
  const at::Tensor low = tensor.min(), high = tensor.max();
  return !tensor.eq(low).logical_or(tensor.eq(high)).all().item().toBool();
}

// Sorted rows, or a symmetric matrix: a solution may build on that.
bool has_order(const at::Tensor& tensor) {
  const std::int64_t row = tensor.size(-1);
  if (row > 2 && tensor.slice(-1, 1).ge(tensor.slice(-1, 0, -1)).all().item().toBool()) return true;
  return tensor.dim() >= 2 && row > 1 && tensor.size(-2) == row && tensor.equal(tensor.transpose(-2, -1));
}

void centre(const at::Tensor& tensor) {
  const at::Tensor zero = tensor.eq(0);
  const at::Tensor count = zero.logical_not().sum();
  const at::Tensor middle = tensor.sum(at::kDouble).div(count.clamp_min(1)).to(tensor.scalar_type());
  tensor.sub_(middle).masked_fill_(zero, 0);
}

// Other rows begin with another run: by columns, too, sizes differ. By factors so small that long products of numbers
// below one still vanish.
void in_runs(const at::Tensor& tensor, std::uint64_t seed) {
  const std::int64_t row = tensor.size(-1);
  const at::TensorOptions numbers = tensor.options().dtype(at::kInt);
  const at::Tensor run = at::arange(row, numbers).mul(kSizesOfRuns).div(row, "floor");
  std::vector<std::int64_t> lines(tensor.sizes().begin(), tensor.sizes().end());
  lines.back() = 1;
  const at::Tensor line = at::arange(tensor.numel() / row, numbers).view(lines);
  const at::Tensor turn = line.add(static_cast<std::int64_t>(seed % kSizesOfRuns)).add(run).remainder(kSizesOfRuns);
  const at::Tensor factor = at::where(turn.eq(1), 1.75, at::where(turn.eq(2), -0.75, 1.0));
  tensor.mul_(factor.to(tensor.scalar_type()));
}

}  // namespace

bool vary_inputs(const std::vector<at::Tensor>& inputs, const std::string& variation, std::uint64_t seed) {
  if (variation != "scaled" && variation != "signed" && variation != "uneven") return true;
  bool changed = false;
  for (const at::Tensor& one : inputs) {
    if (!has_other_values(one)) continue;
    if (variation == "uneven") {
      if (one.dim() == 0 || one.numel() < 16 || has_order(one)) continue;
      in_runs(one, seed);
    } else if (variation == "scaled") {
      one.mul_(2);
    } else {
      centre(one);
    }
    changed = true;
  }
  return changed;
}

}  // namespace tritonrl::runner
