#include "machine/arithmetic/dot_operand.h"

#include "base/check.h"
#include "machine/numbers/float_formats.h"

namespace tritonrl::machine {
namespace {

template <class Format>
struct FromFormat {
  using From = typename Format::Storage;
  using To = float;
  static TRL_INLINE float of(From value) { return Format::widen(value); }
};

struct FromInt8 {
  using From = std::int8_t;
  using To = float;
  static TRL_INLINE float of(From value) { return value; }
};

struct ToHalf {
  using From = float;
  using To = std::uint16_t;
  static TRL_INLINE To of(float value) { return Half::narrow(value); }
};

struct Tf32 {
  using From = float;
  using To = float;
  static TRL_INLINE float of(float value) { return to_tf32(value); }
};

// Part 0 is the number rounded to TF32, part 1 what the matrix unit sees of the rest.
template <int kPart>
struct Tf32Part {
  using From = float;
  using To = float;
  static TRL_INLINE float of(float value) {
    const float big = round_to_tf32(value);
    return kPart == 0 ? big : to_tf32(value - big);
  }
};

template <int kPart>
struct Bf16Part {
  using From = float;
  using To = float;
  static TRL_INLINE float of(float value) {
    float part = BFloat16::widen(BFloat16::narrow(value));
    for (int i = 0; i < kPart; ++i) {
      value -= part;
      part = BFloat16::widen(BFloat16::narrow(value));
    }
    return part;
  }
};

template <class Convert>
TRL_INLINE void convert(const void* from, void* to, std::int64_t count) {
  const auto* in = static_cast<const typename Convert::From*>(from);
  auto* out = static_cast<typename Convert::To*>(to);
  for (std::int64_t i = 0; i < count; ++i) out[i] = Convert::of(in[i]);
}

template <class Convert>
void convert_baseline(const void* from, typename Convert::To* to, std::int64_t count) {
  convert<Convert>(from, to, count);
}
#if TRL_VECTOR_DISPATCH
template <class Convert>
TRL_TARGET_AVX2 void convert_avx2(const void* from, typename Convert::To* to, std::int64_t count) {
  convert<Convert>(from, to, count);
}
template <class Convert>
TRL_TARGET_AVX512 void convert_avx512(const void* from, typename Convert::To* to, std::int64_t count) {
  convert<Convert>(from, to, count);
}
#endif

template <class Convert>
auto converter() {
#if TRL_VECTOR_DISPATCH
  if (vector_width() == VectorWidth::kAvx512) return convert_avx512<Convert>;
  if (vector_width() == VectorWidth::kAvx2) return convert_avx2<Convert>;
#endif
  return convert_baseline<Convert>;
}

Parts float_parts(DotPrecision precision) {
  switch (precision) {
    case DotPrecision::kIeee:
      return {};
    case DotPrecision::kTf32:
      return {1, {converter<Tf32>()}};
    case DotPrecision::kTf32x3:
      return {2, {converter<Tf32Part<0>>(), converter<Tf32Part<1>>()}};
    case DotPrecision::kBf16x3:
      return {2, {converter<Bf16Part<0>>(), converter<Bf16Part<1>>()}};
    case DotPrecision::kBf16x6:
      return {3, {converter<Bf16Part<0>>(), converter<Bf16Part<1>>(), converter<Bf16Part<2>>()}};
  }
  TRL_CHECK(false, "a precision that is none");
}

}  // namespace

Parts parts_of(Scalar scalar, DotPrecision precision) {
  switch (scalar) {
    case Scalar::kF32:
      return float_parts(precision);
    case Scalar::kI8:
      return {1, {converter<FromInt8>()}};
    case Scalar::kF16:
      return {1, {converter<FromFormat<Half>>()}};
    case Scalar::kBF16:
      return {1, {converter<FromFormat<BFloat16>>()}};
    case Scalar::kF8E4M3:
      return {1, {converter<FromFormat<F8E4M3>>()}};
    case Scalar::kF8E5M2:
      return {1, {converter<FromFormat<F8E5M2>>()}};
    case Scalar::kF8E4M3B15:
      return {1, {converter<FromFormat<F8E4M3B15>>()}};
    case Scalar::kF8E4M3FNUZ:
      return {1, {converter<FromFormat<F8E4M3Fnuz>>()}};
    case Scalar::kF8E5M2FNUZ:
      return {1, {converter<FromFormat<F8E5M2Fnuz>>()}};
    default:
      TRL_CHECK(false, "no matrix product of " + to_string(scalar));
  }
}

void widen_half(const void* from, float* to, std::int64_t count) {
  converter<FromFormat<Half>>()(from, to, count);
}

void narrow_half(const float* from, void* to, std::int64_t count) {
  converter<ToHalf>()(from, static_cast<std::uint16_t*>(to), count);
}

}  // namespace tritonrl::machine
