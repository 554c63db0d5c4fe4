#pragma once

#include <span>
#include <string_view>

#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {

// The functions of CUDA's libdevice that tt.extern_elementwise names by symbol, one table for each family. They have
// fixed types; integers without a sign are i32 and i64 in the IR too.

struct LibdeviceCost {
  ArithmeticClass arithmetic;
  double operations;
};
inline constexpr LibdeviceCost kOneInteger = {ArithmeticClass::kInteger, 1};
inline constexpr LibdeviceCost kOneFloat = {ArithmeticClass::kFloat, 1};
inline constexpr LibdeviceCost kOneSpecial = {ArithmeticClass::kSpecial, 1};
inline constexpr LibdeviceCost kDivision = {ArithmeticClass::kSpecial, 8};
inline constexpr LibdeviceCost kPolynomial = {ArithmeticClass::kFloat, 20};
inline constexpr LibdeviceCost kLong = {ArithmeticClass::kFloat, 50};

struct LibdeviceFunction {
  std::string_view symbol;
  Elementwise (*pick)();  // for this machine
  LibdeviceCost cost;
  Scalar out;
  int operands;
  Scalar in[4];
};

std::span<const LibdeviceFunction> libdevice_elementary();   // exp, sin, fma, …
std::span<const LibdeviceFunction> libdevice_special();      // gamma, Bessel, error functions, norms
std::span<const LibdeviceFunction> libdevice_integers();     // popc, mulhi, sad, …
std::span<const LibdeviceFunction> libdevice_conversions();  // float2int_rn, int_as_float, …
std::span<const LibdeviceFunction> libdevice_rounded();      // fadd_rz and others that name how they round

// Null for a symbol that is not known.
const LibdeviceFunction* find_libdevice_function(std::string_view symbol);

// For the tables: elements by one letter each, the result's first.
namespace libdevice_table {

using F = ElementOf<Scalar::kF32>;
using D = ElementOf<Scalar::kF64>;
using H = ElementOf<Scalar::kI16>;
using I = ElementOf<Scalar::kI32>;
using L = ElementOf<Scalar::kI64>;
using U = UnsignedOf<Scalar::kI32>;
using UL = UnsignedOf<Scalar::kI64>;

template <class Element>
inline constexpr Scalar kScalarOf = std::is_same_v<Element, F>               ? Scalar::kF32
                                    : std::is_same_v<Element, D>             ? Scalar::kF64
                                    : std::is_same_v<Element, H>             ? Scalar::kI16
                                    : sizeof(typename Element::Storage) == 4 ? Scalar::kI32
                                                                             : Scalar::kI64;

template <class Out, class... In>
constexpr LibdeviceFunction libdevice_row(std::string_view symbol, Elementwise (*pick)(), LibdeviceCost cost) {
  return {symbol, pick, cost, kScalarOf<Out>, static_cast<int>(sizeof...(In)), {kScalarOf<In>...}};
}
template <class Op, class Out, class... In>
constexpr LibdeviceFunction plain_row(std::string_view symbol, LibdeviceCost cost) {
  return libdevice_row<Out, In...>(symbol, &plain_loop<Op, Out, In...>, cost);
}
template <class Op, class Out, class... In>
constexpr LibdeviceFunction vector_row(std::string_view symbol, LibdeviceCost cost) {
  return libdevice_row<Out, In...>(symbol, &vector_loop<Op, Out, In...>, cost);
}

// A function's float and double forms, with an X for either.
struct X {};
template <class Float, class Op, class... Elements>
constexpr LibdeviceFunction form_row(std::string_view symbol, LibdeviceCost cost) {
  return plain_row<Op, std::conditional_t<std::is_same_v<Elements, X>, Float, Elements>...>(symbol, cost);
}
#define TRL_BOTH(Op, name, cost, ...) \
  form_row<F, Op, __VA_ARGS__>("__nv_" name "f", cost), form_row<D, Op, __VA_ARGS__>("__nv_" name, cost)

}  // namespace libdevice_table

}  // namespace tritonrl::machine
