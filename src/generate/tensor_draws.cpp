#include "generate/tensor_draws.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

namespace tritonrl::generate {
namespace {

// In place, on int32 as if it were unsigned: x ^= x >> bits.
void fold(at::Tensor& x, int bits) {
  x.bitwise_xor_(x.__rshift__(bits).bitwise_and_((std::int64_t{1} << (32 - bits)) - 1));
}

std::int32_t as_signed(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}

}  // namespace

at::Tensor draw_keys(std::uint64_t seed, std::int64_t steps) {
  at::Tensor out = at::empty({steps, 2}, at::kInt);
  auto* next = out.mutable_data_ptr<std::int32_t>();
  for (std::int64_t step = 0; step < steps; ++step) {
    const DrawKey key = draw_key(seed, step);
    *next++ = as_signed(key.offset);
    *next++ = as_signed(key.multiplier);
  }
  return out;
}

at::Tensor unit_draws(const at::Tensor& keys, std::int64_t vocabulary) {
  const at::Tensor tokens = at::arange(vocabulary, keys.options()).unsqueeze(0);
  at::Tensor x = tokens.mul(keys.narrow(1, 1, 1)).add_(keys.narrow(1, 0, 1));
  fold(x, 16);
  x.mul_(as_signed(0x7feb352d));
  fold(x, 15);
  x.mul_(as_signed(0x846ca68b));
  fold(x, 16);
  return x.__rshift__(1).bitwise_and_(0x7fffffff).to(at::kFloat).add_(0.5).mul_(0x1p-31);
}

}  // namespace tritonrl::generate
