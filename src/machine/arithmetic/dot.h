#pragma once

#include <cstdint>
#include <string_view>

#include "machine/numbers/scalar.h"

namespace tritonrl::machine {

// How tt.dot multiplies float32 operands. kTf32 drops the bits below TF32's ten as the target's matrix units do.
enum class DotPrecision : std::uint8_t { kIeee, kTf32, kTf32x3, kBf16x3, kBf16x6 };

// As the IR's attribute inputPrecision spells it ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"); kIeee, the attribute's
// default, for anything else.
DotPrecision dot_precision(std::string_view text);

// d = a · b + c. Operands are dense, row-major, [batch, m, k], [batch, k, n] and [batch, m, n]; `accumulator` is the
// type of c and d. Products of narrow floats and TF32 are exact in float32, which is what they are summed in, also for
// an f16 accumulator (rounded once, at the end). Sums run in ascending order of k, so that results do not depend on the
// shape; they are the same on all processors but for the fused multiply-adds of float32 and float64.
struct Dot {
  std::int64_t batch = 1, m = 0, n = 0, k = 0;
  Scalar a = Scalar::kF32, b = Scalar::kF32, accumulator = Scalar::kF32;
  DotPrecision precision = DotPrecision::kIeee;
};

// Types: f32, f16, bf16, f64, i8 (signed; accumulator i32), fp8 (a and b may be of different kinds); f16 accumulators
// for f16 and fp8 alone.
bool supported(const Dot& dot);
// Bytes of scratch that run_dot needs.
std::int64_t scratch_bytes(const Dot& dot);
// `scratch` is aligned to 64 bytes; d may be c.
void run_dot(const Dot& dot, const void* a, const void* b, const void* c, void* d, void* scratch);

}  // namespace tritonrl::machine
