#include "generate/draws.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

#include <array>

namespace tritonrl::generate {
namespace {

using Block = std::array<std::uint32_t, 4>;

// What a counter is for; two purposes never share a block.
enum class Purpose : std::uint32_t { kToken = 0, kSampleSeed = 1 };

Block philox(std::uint64_t key, std::uint64_t counter, Purpose purpose) {
  constexpr std::uint32_t kMultiply0 = 0xD2511F53, kMultiply1 = 0xCD9E8D57;
  constexpr std::uint32_t kStep0 = 0x9E3779B9, kStep1 = 0xBB67AE85;
  Block block = {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                 static_cast<std::uint32_t>(purpose), 0};
  std::uint32_t key0 = static_cast<std::uint32_t>(key), key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiply0} * block[0];
    const std::uint64_t product1 = std::uint64_t{kMultiply1} * block[2];
    block = {static_cast<std::uint32_t>(product1 >> 32) ^ block[1] ^ key0, static_cast<std::uint32_t>(product1),
             static_cast<std::uint32_t>(product0 >> 32) ^ block[3] ^ key1, static_cast<std::uint32_t>(product0)};
    key0 += kStep0;
    key1 += kStep1;
  }
  return block;
}

DrawKey key_of(std::uint32_t first, std::uint32_t second) {
  return {.offset = first, .multiplier = second | 1};
}

// In place, on int32 as if it were unsigned: x ^= x >> bits.
void fold(at::Tensor& x, int bits) {
  x.bitwise_xor_(x.__rshift__(bits).bitwise_and_((std::int64_t{1} << (32 - bits)) - 1));
}

std::int32_t as_signed(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}

}  // namespace

std::uint64_t sample_seed(std::uint64_t request_seed, int index) {
  if (index == 0) return request_seed;
  const Block block = philox(request_seed, static_cast<std::uint64_t>(index), Purpose::kSampleSeed);
  return (std::uint64_t{block[1]} << 32) | block[0];
}

DrawKey draw_key(std::uint64_t seed, std::int64_t index) {
  const auto counter = static_cast<std::uint64_t>(index);
  const Block block = philox(seed, counter / 2, Purpose::kToken);
  return key_of(block[counter % 2 * 2], block[counter % 2 * 2 + 1]);
}

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
