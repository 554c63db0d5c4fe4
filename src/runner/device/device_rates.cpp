#include "runner/device/device_rates.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "runner/device/stopwatch.h"

namespace tritonrl::runner {
namespace {

constexpr std::int64_t kBytes = std::int64_t{512} << 20;  // many times any L2
constexpr std::int64_t kSide = 8192;                      // of the product's matrices
constexpr int kRuns = 4;

// The fastest run, seconds.
template <class Work>
double fastest(Work work) {
  Stopwatch watch;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRuns; ++i) {
    watch.start();
    work();
    watch.stop();
    least = std::min(least, watch.milliseconds() / 1000);
  }
  return least;
}

}  // namespace

MeasuredRates measure_rates() {
  const auto there = at::TensorOptions().device(at::kCUDA, 0);
  MeasuredRates out;
  {
    const at::Tensor from = at::empty({kBytes}, there.dtype(at::kByte)).zero_();
    const at::Tensor to = at::empty({kBytes}, there.dtype(at::kByte));
    const double copied = fastest([&] { to.copy_(from); });
    const double filled = fastest([&] { to.zero_(); });
    out.bytes_per_second = std::max(2.0 * kBytes / copied, kBytes / filled);
  }
  const at::Tensor matrix = at::ones({kSide, kSide}, there.dtype(at::kBFloat16));
  const double multiplied = fastest([&] { at::mm(matrix, matrix); });
  out.matrix_ops_per_second = 2.0 * kSide * kSide * kSide / multiplied;
  return out;
}

}  // namespace tritonrl::runner
