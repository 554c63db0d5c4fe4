#include <bit>

#include "machine/arithmetic/elementwise_integer.h"
#include "machine/arithmetic/libdevice.h"

namespace tritonrl::machine {
namespace {

using namespace libdevice_table;

TRL_OPERATION(CountLeadingZeros, int, (T a), std::countl_zero(a))
TRL_OPERATION(CountOnes, int, (T a), std::popcount(a))
TRL_OPERATION(FindFirstSet, int, (T a), a == 0 ? 0 : std::countr_zero(a) + 1)
struct ReverseBits {
  template <class T>
  static TRL_INLINE T apply(T a) {
    constexpr T kAll = static_cast<T>(~T{0});
    for (int shift = 1; shift < static_cast<int>(8 * sizeof(T)); shift *= 2) {
      const T mask = kAll / ((T{1} << shift) + 1);  // 0x55…, 0x33…, 0x0f…, …
      a = (a >> shift & mask) | (a & mask) << shift;
    }
    return a;
  }
};

// Each of four selectors picks one of the eight bytes of (b, a); its top bit asks for the byte's sign instead.
struct PermuteBytes {
  static TRL_INLINE std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t selectors) {
    const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t selector = selectors >> (4 * i);
      const std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7))) & 0xff;
      const std::uint32_t sign = (byte & 0x80) != 0 ? 0xff : 0;
      result |= ((selector & 8) != 0 ? sign : byte) << (8 * i);
    }
    return result;
  }
};

struct Multiply24 {  // the low 32 bits of the product of the operands' low 24
  static TRL_INLINE std::uint32_t apply(std::uint32_t a, std::uint32_t b) { return (a & 0xffffff) * (b & 0xffffff); }
};
struct MultiplySigned24 {
  static TRL_INLINE std::uint32_t apply(std::uint32_t a, std::uint32_t b) { return extend(a) * extend(b); }
  static TRL_INLINE std::uint32_t extend(std::uint32_t a) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(a << 8) >> 8);
  }
};

struct SumOfAbsoluteDifference {
  template <class T>
  static TRL_INLINE std::uint32_t apply(T a, T b, std::uint32_t c) {
    const std::uint32_t x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
    return choose(a > b, x - y, y - x) + c;
  }
};
template <int Bias>
struct Average {
  template <class T>
  static TRL_INLINE T apply(T a, T b) {
    return static_cast<T>((std::int64_t{a} + std::int64_t{b} + Bias) >> 1);
  }
};

constexpr LibdeviceFunction kFunctions[] = {
    plain_row<CountLeadingZeros, I, U>("__nv_clz", kOneInteger),
    plain_row<CountLeadingZeros, I, UL>("__nv_clzll", kOneInteger),
    vector_row<CountOnes, I, U>("__nv_popc", kOneInteger),
    vector_row<CountOnes, I, UL>("__nv_popcll", kOneInteger),
    plain_row<FindFirstSet, I, U>("__nv_ffs", kOneInteger),
    plain_row<FindFirstSet, I, UL>("__nv_ffsll", kOneInteger),
    vector_row<ReverseBits, U, U>("__nv_brev", kOneInteger),
    vector_row<ReverseBits, UL, UL>("__nv_brevll", kOneInteger),
    plain_row<PermuteBytes, U, U, U, U>("__nv_byte_perm", kOneInteger),
    vector_row<integer::MultiplyHigh, I, I, I>("__nv_mulhi", kOneInteger),
    vector_row<integer::MultiplyHigh, U, U, U>("__nv_umulhi", kOneInteger),
    plain_row<integer::MultiplyHigh, L, L, L>("__nv_mul64hi", kOneInteger),
    plain_row<integer::MultiplyHigh, UL, UL, UL>("__nv_umul64hi", kOneInteger),
    vector_row<MultiplySigned24, U, U, U>("__nv_mul24", kOneInteger),
    vector_row<Multiply24, U, U, U>("__nv_umul24", kOneInteger),
    vector_row<SumOfAbsoluteDifference, U, I, I, U>("__nv_sad", kOneInteger),
    vector_row<SumOfAbsoluteDifference, U, U, U, U>("__nv_usad", kOneInteger),
    vector_row<integer::Absolute, I, I>("__nv_abs", kOneInteger),
    vector_row<integer::Absolute, L, L>("__nv_llabs", kOneInteger),
    vector_row<Average<0>, I, I, I>("__nv_hadd", kOneInteger),
    vector_row<Average<0>, U, U, U>("__nv_uhadd", kOneInteger),
    vector_row<Average<1>, I, I, I>("__nv_rhadd", kOneInteger),
    vector_row<Average<1>, U, U, U>("__nv_urhadd", kOneInteger),
    vector_row<integer::Min, I, I, I>("__nv_min", kOneInteger),
    vector_row<integer::Min, U, U, U>("__nv_umin", kOneInteger),
    vector_row<integer::Min, L, L, L>("__nv_llmin", kOneInteger),
    vector_row<integer::Min, UL, UL, UL>("__nv_ullmin", kOneInteger),
    vector_row<integer::Max, I, I, I>("__nv_max", kOneInteger),
    vector_row<integer::Max, U, U, U>("__nv_umax", kOneInteger),
    vector_row<integer::Max, L, L, L>("__nv_llmax", kOneInteger),
    vector_row<integer::Max, UL, UL, UL>("__nv_ullmax", kOneInteger),
};

}  // namespace

std::span<const LibdeviceFunction> libdevice_integers() {
  return kFunctions;
}

}  // namespace tritonrl::machine
