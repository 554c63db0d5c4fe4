#include <cfenv>
#include <cmath>

#include "machine/arithmetic/elementwise_float.h"
#include "machine/arithmetic/libdevice.h"

namespace tritonrl::machine {
namespace {

using namespace libdevice_table;

// Functions whose name says how they round. The processor's own mode does it, set around a whole loop.

template <int Mode, class Op, class Out, class... In>
void rounded(void* out, const void* const* in, std::int64_t count) {
  // Through a pointer that the compiler cannot see through: nothing of the loop may move past the mode's changes.
  Elementwise volatile run = &Loop<Op, Out, In...>::baseline;
  const int before = std::fegetround();
  std::fesetround(Mode);
  run(out, in, count);
  std::fesetround(before);
}
template <int Mode, class Op, class Out, class... In>
Elementwise pick_rounded() {
  return &rounded<Mode, Op, Out, In...>;
}

TRL_OPERATION(Reciprocal, T, (T a), T{1} / a)
template <class To>
TRL_OPERATION(Convert, To, (T a), static_cast<To>(a))
struct ReciprocalSquareRoot {
  static TRL_INLINE float apply(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
};

#define TRL_ROUNDED(Op, name, cost, Out, ...)                                                                        \
  libdevice_row<Out, __VA_ARGS__>("__nv_" name "_rn", &pick_rounded<FE_TONEAREST, Op, Out, __VA_ARGS__>, cost),      \
      libdevice_row<Out, __VA_ARGS__>("__nv_" name "_rz", &pick_rounded<FE_TOWARDZERO, Op, Out, __VA_ARGS__>, cost), \
      libdevice_row<Out, __VA_ARGS__>("__nv_" name "_rd", &pick_rounded<FE_DOWNWARD, Op, Out, __VA_ARGS__>, cost),   \
      libdevice_row<Out, __VA_ARGS__>("__nv_" name "_ru", &pick_rounded<FE_UPWARD, Op, Out, __VA_ARGS__>, cost)

constexpr LibdeviceFunction kFunctions[] = {
    TRL_ROUNDED(floating::Add, "fadd", kOneFloat, F, F, F),
    TRL_ROUNDED(floating::Add, "dadd", kOneFloat, D, D, D),
    TRL_ROUNDED(floating::Subtract, "fsub", kOneFloat, F, F, F),
    TRL_ROUNDED(floating::Subtract, "dsub", kOneFloat, D, D, D),
    TRL_ROUNDED(floating::Multiply, "fmul", kOneFloat, F, F, F),
    TRL_ROUNDED(floating::Multiply, "dmul", kOneFloat, D, D, D),
    TRL_ROUNDED(floating::Divide, "fdiv", kDivision, F, F, F),
    TRL_ROUNDED(floating::Divide, "ddiv", kDivision, D, D, D),
    TRL_ROUNDED(Reciprocal, "frcp", kDivision, F, F),
    TRL_ROUNDED(Reciprocal, "drcp", kDivision, D, D),
    TRL_ROUNDED(floating::SquareRoot, "fsqrt", kDivision, F, F),
    TRL_ROUNDED(floating::SquareRoot, "dsqrt", kDivision, D, D),
    TRL_ROUNDED(floating::FusedMultiplyAdd, "fmaf", kOneFloat, F, F, F, F),
    TRL_ROUNDED(floating::FusedMultiplyAdd, "fma", kOneFloat, D, D, D, D),
    TRL_ROUNDED(Convert<float>, "double2float", kOneInteger, F, D),
    TRL_ROUNDED(Convert<float>, "int2float", kOneInteger, F, I),
    TRL_ROUNDED(Convert<float>, "uint2float", kOneInteger, F, U),
    TRL_ROUNDED(Convert<float>, "ll2float", kOneInteger, F, L),
    TRL_ROUNDED(Convert<float>, "ull2float", kOneInteger, F, UL),
    TRL_ROUNDED(Convert<double>, "ll2double", kOneInteger, D, L),
    TRL_ROUNDED(Convert<double>, "ull2double", kOneInteger, D, UL),
    vector_row<Convert<double>, D, I>("__nv_int2double_rn", kOneInteger),
    vector_row<Convert<double>, D, U>("__nv_uint2double_rn", kOneInteger),
    vector_row<ReciprocalSquareRoot, F, F>("__nv_frsqrt_rn", kDivision),
};
#undef TRL_ROUNDED

}  // namespace

std::span<const LibdeviceFunction> libdevice_rounded() {
  return kFunctions;
}

}  // namespace tritonrl::machine
