#pragma once

#include <bit>
#include <cstdint>

#include "machine/arithmetic/dot.h"
#include "machine/numbers/vector_dispatch.h"

namespace tritonrl::machine {

// What a matrix unit makes of a float32 operand of a TF32 product: the low 13 bits are not looked at.
TRL_INLINE float to_tf32(float value) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffffe000u);
}

// cvt.rna.tf32: to the nearest, ties away from zero. Triton splits the operands of tf32x3 with it.
TRL_INLINE float round_to_tf32(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  const bool infinite = (bits & 0x7fffffffu) == 0x7f800000u;
  const std::uint32_t rounded = (bits + 0x1000u) & 0xffffe000u;
  return std::bit_cast<float>(nan ? 0x7fffe000u : infinite ? bits : rounded);
}

// Makes `count` floats of as many elements.
using Widen = void (*)(const void* from, float* to, std::int64_t count);

// An operand as float matrices: one, or several that add up to it and are multiplied on their own.
struct Parts {
  int count = 1;
  Widen widen[3] = {};  // null: the elements are the floats
};

Parts parts_of(Scalar scalar, DotPrecision precision);

// Between float and the accumulators that are not float.
void widen_half(const void* from, float* to, std::int64_t count);
void narrow_half(const float* from, void* to, std::int64_t count);

}  // namespace tritonrl::machine
