#include "generate/draws.h"

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

}  // namespace tritonrl::generate
