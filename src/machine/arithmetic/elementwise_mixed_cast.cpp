#include "machine/arithmetic/elementwise_find.h"
#include "machine/arithmetic/elementwise_saturate.h"

namespace tritonrl::machine {
namespace {

// Rounded once. What does not fit into a float is first made a float that is rounded to odd.
template <class T>
TRL_INLINE float to_odd_float_of(T value) {
  if constexpr (sizeof(T) <= 2) {
    return static_cast<float>(value);
  } else if constexpr (sizeof(T) == 4) {
    return to_odd_float(static_cast<double>(value));
  } else {
    // Eleven bits less fit into a double; the last of them tells whether anything was cut off.
    const bool is_negative = std::is_signed_v<T> && value < T{0};
    const std::uint64_t bits = static_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = choose(is_negative, 0 - bits, bits);
    const bool is_large = magnitude >> 53 != 0;
    const std::uint64_t cut = magnitude >> 11 | choose((magnitude & 0x7ff) != 0, std::uint64_t{1}, std::uint64_t{0});
    const double kept = static_cast<double>(static_cast<std::int64_t>(choose(is_large, cut, magnitude)));
    const double number = choose(is_large, kept * 2048, kept);
    return to_odd_float(choose(is_negative, -number, number));
  }
}

template <class To>
TRL_OPERATION(FromInteger, To, (T value), static_cast<To>(value))  // float or double
TRL_OPERATION(OddFromInteger, float, (T value), to_odd_float_of(value))

    // Eight bits come out of sixteen, as LLVM's code for the GPU has it: 300.0 becomes 44, not 127.
    template <class To>
    struct ToInteger {
  template <class T>
  static TRL_INLINE To apply(T value) {
    using Saturated =
        std::conditional_t<sizeof(To) == 1, std::conditional_t<std::is_signed_v<To>, std::int16_t, std::uint16_t>, To>;
    return static_cast<To>(saturate<Saturated>(value));
  }
};

template <template <Scalar> class Integer>
Elementwise from_integer(Scalar from, Scalar to) {
  return for_integer(from, [&]<Scalar From> {
    return for_float(to, []<Scalar To> {
      using Value = typename ElementOf<To>::Storage;
      using Op = std::conditional_t<sizeof(Value) == 2, OddFromInteger, FromInteger<Value>>;
      return vector_loop<Op, ElementOf<To>, Integer<From>>();
    });
  });
}

template <template <Scalar> class Integer>
Elementwise to_integer(Scalar from, Scalar to) {
  return for_integer(to, [&]<Scalar To> {
    return for_float(from, [&]<Scalar From> {
      using E = Integer<To>;
      return vector_loop<ToInteger<typename E::Value>, E, ElementOf<From>>();
    });
  });
}

}  // namespace

ElementwiseOp find_mixed_cast(const ElementwiseRequest& request) {
  if (request.result != 0 || !request.has_operands(1)) return {};
  const Scalar from = request.in[0], to = request.out;
  Elementwise run = nullptr;
  if (request.name == "arith.sitofp") run = from_integer<ElementOf>(from, to);
  if (request.name == "arith.uitofp") run = from_integer<UnsignedOf>(from, to);
  if (request.name == "arith.fptosi") run = to_integer<ElementOf>(from, to);
  if (request.name == "arith.fptoui") run = to_integer<UnsignedOf>(from, to);
  return {run, ArithmeticClass::kInteger, 1};
}

}  // namespace tritonrl::machine
