#pragma once

#include <cstdint>

namespace tritonrl::generate {

// Random numbers by counter: each is a pure function of who asks for it, so a sample draws the same ones on every
// machine and whatever runs beside it.
//
// A token is drawn by a race: token i with weight p(i) arrives after an exponential time of rate p(i), and the first
// one is taken. That is a draw from p, and a steady one: it changes under the rounding of another batch only if two
// tokens arrive within that rounding of each other. (The inverse of the cumulative distribution by one random number
// has a border a token, and every border moves: with a vocabulary of 50,000 that is a change every few hundred tokens.)

// The seed of sample `index` of a request. Sample 0 has the request's own, so a request of one sample with the seed of
// any Sample repeats its draws.
std::uint64_t sample_seed(std::uint64_t request_seed, int index);

// What decides one token of a sample: 64 bits of Philox 4x32-10 with the sample's seed as key and the token's place in
// the answer as counter.
struct DrawKey {
  std::uint32_t offset = 0;
  std::uint32_t multiplier = 1;  // odd
};
DrawKey draw_key(std::uint64_t sample_seed, std::int64_t index);

// The number in (0, 1] by which vocabulary entry `token` runs: its time is -log(1 - number) / weight. Of 31 bits, with
// as many significant digits near 0, where races are won, as a float has.
inline float unit_draw(DrawKey key, std::uint32_t token) {
  std::uint32_t x = token * key.multiplier + key.offset;
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  x ^= x >> 16;
  return (static_cast<float>(static_cast<std::int32_t>(x >> 1)) + 0.5f) * 0x1p-31f;
}

}  // namespace tritonrl::generate
