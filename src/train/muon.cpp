#include "train/muon.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <algorithm>
#include <cmath>

namespace tritonrl::train {

at::Tensor orthogonalised(const at::Tensor& matrices) {
  // Keller Jordan's coefficients: steep at zero, and not quite convergent, which does not matter.
  constexpr double kA = 3.4445, kB = -4.7750, kC = 2.0315;
  constexpr int kSteps = 5;
  const bool tall = matrices.size(1) > matrices.size(2);
  at::Tensor x = matrices.to(matrices.is_cuda() ? at::kBFloat16 : at::kFloat);
  if (tall) x = x.transpose(1, 2);
  x = x / at::linalg_vector_norm(x, 2, at::IntArrayRef{1, 2}, /*keepdim=*/true).clamp_min(1e-7);
  for (int i = 0; i < kSteps; ++i) {
    const at::Tensor gram = at::bmm(x, x.transpose(1, 2));
    const at::Tensor update = at::baddbmm(gram, gram, gram, /*beta=*/kB, /*alpha=*/kC);
    x = at::baddbmm(x, update, x, /*beta=*/kA);
  }
  return tall ? x.transpose(1, 2) : x;
}

double muon_scale(std::int64_t rows, std::int64_t columns) {
  return 0.2 * std::sqrt(static_cast<double>(std::max(rows, columns)));
}

}  // namespace tritonrl::train
