#include <cmath>

#include "machine/arithmetic/elementwise_saturate.h"
#include "machine/arithmetic/libdevice.h"

namespace tritonrl::machine {
namespace {

using namespace libdevice_table;

enum class Toward : std::uint8_t { kNearestEven, kZero, kDown, kUp, kNearestAway };

template <Toward T, class To>
struct ToInteger {
  template <class From>
  static TRL_INLINE To apply(From x) {
    if constexpr (T == Toward::kNearestEven) return saturate<To>(std::rint(x));
    if constexpr (T == Toward::kDown) return saturate<To>(std::floor(x));
    if constexpr (T == Toward::kUp) return saturate<To>(std::ceil(x));
    if constexpr (T == Toward::kNearestAway) return saturate<To>(std::round(x));
    return saturate<To>(x);
  }
};

struct Reinterpret32 {
  static TRL_INLINE float apply(std::int32_t a) { return bits_as<float>(a); }
  static TRL_INLINE std::int32_t apply(float a) { return bits_as<std::int32_t>(a); }
};
struct Reinterpret64 {
  static TRL_INLINE double apply(std::int64_t a) { return bits_as<double>(a); }
  static TRL_INLINE std::int64_t apply(double a) { return bits_as<std::int64_t>(a); }
};
struct FromWords {
  static TRL_INLINE double apply(std::uint32_t high, std::uint32_t low) {
    return bits_as<double>(std::uint64_t{high} << 32 | low);
  }
};
struct LowWord {
  static TRL_INLINE std::uint32_t apply(double a) { return static_cast<std::uint32_t>(bits_as<std::uint64_t>(a)); }
};
struct HighWord {
  static TRL_INLINE std::uint32_t apply(double a) {
    return static_cast<std::uint32_t>(bits_as<std::uint64_t>(a) >> 32);
  }
};
struct FromHalf {
  static TRL_INLINE float apply(std::int16_t a) { return Half::widen(static_cast<std::uint16_t>(a)); }
};
struct ToHalf {
  static TRL_INLINE std::int16_t apply(float a) { return static_cast<std::int16_t>(Half::narrow<>(a)); }
};

// The four directions of one conversion. Unsigned results are i32 and i64 in the IR.
template <class Out, class In, Toward T>
constexpr LibdeviceFunction to_integer(std::string_view symbol) {
  return vector_row<ToInteger<T, typename Out::Value>, Out, In>(symbol, kOneInteger);
}
#define TRL_TO_INTEGER(Out, In, name)                                                                                 \
  to_integer<Out, In, Toward::kNearestEven>("__nv_" name "_rn"),                                                      \
      to_integer<Out, In, Toward::kZero>("__nv_" name "_rz"), to_integer<Out, In, Toward::kDown>("__nv_" name "_rd"), \
      to_integer<Out, In, Toward::kUp>("__nv_" name "_ru")

constexpr LibdeviceFunction kFunctions[] = {
    TRL_TO_INTEGER(I, F, "float2int"),
    TRL_TO_INTEGER(U, F, "float2uint"),
    TRL_TO_INTEGER(L, F, "float2ll"),
    TRL_TO_INTEGER(UL, F, "float2ull"),
    TRL_TO_INTEGER(I, D, "double2int"),
    TRL_TO_INTEGER(U, D, "double2uint"),
    TRL_TO_INTEGER(L, D, "double2ll"),
    TRL_TO_INTEGER(UL, D, "double2ull"),
    to_integer<L, F, Toward::kNearestEven>("__nv_llrintf"),
    to_integer<L, D, Toward::kNearestEven>("__nv_llrint"),
    to_integer<L, F, Toward::kNearestAway>("__nv_llroundf"),
    to_integer<L, D, Toward::kNearestAway>("__nv_llround"),
    vector_row<Reinterpret32, F, I>("__nv_int_as_float", kOneInteger),
    vector_row<Reinterpret32, F, I>("__nv_uint_as_float", kOneInteger),
    vector_row<Reinterpret32, I, F>("__nv_float_as_int", kOneInteger),
    vector_row<Reinterpret32, I, F>("__nv_float_as_uint", kOneInteger),
    vector_row<Reinterpret64, D, L>("__nv_longlong_as_double", kOneInteger),
    vector_row<Reinterpret64, L, D>("__nv_double_as_longlong", kOneInteger),
    vector_row<FromWords, D, U, U>("__nv_hiloint2double", kOneInteger),
    vector_row<LowWord, U, D>("__nv_double2loint", kOneInteger),
    vector_row<HighWord, U, D>("__nv_double2hiint", kOneInteger),
    vector_row<FromHalf, F, H>("__nv_half2float", kOneInteger),
    vector_row<ToHalf, H, F>("__nv_float2half_rn", kOneInteger),
};
#undef TRL_TO_INTEGER

}  // namespace

std::span<const LibdeviceFunction> libdevice_conversions() {
  return kFunctions;
}

}  // namespace tritonrl::machine
