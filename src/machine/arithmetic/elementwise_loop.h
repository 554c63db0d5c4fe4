#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "machine/arithmetic/elementwise.h"
#include "machine/numbers/float_formats.h"
#include "machine/numbers/vector_dispatch.h"

namespace tritonrl::machine {

// How a loop sees the elements of an operand or of the result: `Storage` in memory, `Value` in arithmetic.

template <class T>
struct Plain {
  using Storage = T;
  using Value = T;
  static TRL_INLINE Value load(Storage storage) { return storage; }
  static TRL_INLINE Storage store(Value value) { return value; }
};

// An i1 is a byte that is 0 or 1. As a signed number its one is -1.
template <class T>
struct Bit {
  using Storage = std::uint8_t;
  using Value = T;
  static TRL_INLINE Value load(Storage storage) {
    return std::is_signed_v<T> ? static_cast<T>(-static_cast<T>(storage)) : static_cast<T>(storage);
  }
  static TRL_INLINE Storage store(Value value) { return static_cast<Storage>(value & 1); }
};

// A float type that is calculated in another, wider one.
template <class Format, class T = float>
struct Narrow {
  using Storage = typename Format::Storage;
  using Value = T;
  using Bits = Format;
  static TRL_INLINE Value load(Storage storage) { return Format::widen(storage); }
  static TRL_INLINE Storage store(Value value) {
    if constexpr (std::is_same_v<T, float>) return Format::template narrow<>(value);
    return Format::template narrow<>(to_odd_float(static_cast<double>(value)));
  }
};

template <Scalar S>
struct ElementOf;
template <>
struct ElementOf<Scalar::kF8E4M3> : Narrow<F8E4M3> {};
template <>
struct ElementOf<Scalar::kF8E5M2> : Narrow<F8E5M2> {};
template <>
struct ElementOf<Scalar::kF8E4M3B15> : Narrow<F8E4M3B15> {};
template <>
struct ElementOf<Scalar::kF8E4M3FNUZ> : Narrow<F8E4M3Fnuz> {};
template <>
struct ElementOf<Scalar::kF8E5M2FNUZ> : Narrow<F8E5M2Fnuz> {};
template <>
struct ElementOf<Scalar::kF16> : Narrow<Half> {};
template <>
struct ElementOf<Scalar::kBF16> : Narrow<BFloat16> {};
template <>
struct ElementOf<Scalar::kF32> : Plain<float> {};
template <>
struct ElementOf<Scalar::kF64> : Plain<double> {};
template <>
struct ElementOf<Scalar::kI1> : Bit<std::int8_t> {};
template <>
struct ElementOf<Scalar::kI8> : Plain<std::int8_t> {};
template <>
struct ElementOf<Scalar::kI16> : Plain<std::int16_t> {};
template <>
struct ElementOf<Scalar::kI32> : Plain<std::int32_t> {};
template <>
struct ElementOf<Scalar::kI64> : Plain<std::int64_t> {};

// The same as unsigned numbers.
template <Scalar S>
struct UnsignedOf;
template <>
struct UnsignedOf<Scalar::kI1> : Bit<std::uint8_t> {};
template <>
struct UnsignedOf<Scalar::kI8> : Plain<std::uint8_t> {};
template <>
struct UnsignedOf<Scalar::kI16> : Plain<std::uint16_t> {};
template <>
struct UnsignedOf<Scalar::kI32> : Plain<std::uint32_t> {};
template <>
struct UnsignedOf<Scalar::kI64> : Plain<std::uint64_t> {};

// index, and pointers where only their width counts, as i64.
constexpr Scalar as_fixed_width(Scalar scalar) {
  return scalar == Scalar::kIndex || scalar == Scalar::kPointer ? Scalar::kI64 : scalar;
}

// An operation on floats may be straight code for most arguments and leave the others to `repair`, which may branch and
// call.
template <class Op, class T>
concept NeedsRepair = std::same_as<T, float> && requires(T value) {
  { Op::needs_repair(value) } -> std::same_as<bool>;
};

template <class Op, class Out, class In>
TRL_INLINE void run_repaired(typename Out::Storage* out, std::int64_t count, const typename In::Storage* in) {
  constexpr std::int64_t kChunk = 256;
  typename In::Value arguments[kChunk];  // kept: the result may be stored over them
  for (std::int64_t start = 0; start < count; start += kChunk) {
    const std::int64_t size = count - start < kChunk ? count - start : kChunk;
    int any = 0;
    for (std::int64_t i = 0; i < size; ++i) {
      arguments[i] = In::load(in[start + i]);
      any |= Op::needs_repair(arguments[i]) ? 1 : 0;
    }
#pragma GCC ivdep
    for (std::int64_t i = 0; i < size; ++i) out[start + i] = Out::store(Op::apply(arguments[i]));
    if (any == 0) continue;
    for (std::int64_t i = 0; i < size; ++i) {
      if (Op::needs_repair(arguments[i])) out[start + i] = Out::store(Op::repair(arguments[i]));
    }
  }
}

template <class Op, class Out, class... In>
struct Loop {
  // The operands' addresses as values: stores of bytes might change those in the array.
  static TRL_INLINE void run(typename Out::Storage* out, std::int64_t count, const typename In::Storage*... in) {
    if constexpr (sizeof...(In) == 1 && (NeedsRepair<Op, typename In::Value> && ...)) {
      return run_repaired<Op, Out, In...>(out, count, in...);
    }
    // The result may be an operand, element for element, which is no dependence between iterations.
#pragma GCC ivdep
    for (std::int64_t i = 0; i < count; ++i) {
      out[i] = Out::store(static_cast<typename Out::Value>(Op::apply(In::load(in[i])...)));
    }
  }
  template <std::size_t... I>
  static TRL_INLINE void body(void* out, const void* const* in, std::int64_t count, std::index_sequence<I...>) {
    run(static_cast<typename Out::Storage*>(out), count, static_cast<const typename In::Storage*>(in[I])...);
  }
  static void baseline(void* out, const void* const* in, std::int64_t count) {
    body(out, in, count, std::index_sequence_for<In...>{});
  }
#if TRL_VECTOR_DISPATCH
  TRL_TARGET_AVX2 static void avx2(void* out, const void* const* in, std::int64_t count) {
    body(out, in, count, std::index_sequence_for<In...>{});
  }
  TRL_TARGET_AVX512 static void avx512(void* out, const void* const* in, std::int64_t count) {
    body(out, in, count, std::index_sequence_for<In...>{});
  }
#endif
};

// Op::apply on every element. For operations that no vector unit helps.
template <class Op, class Out, class... In>
Elementwise plain_loop() {
  return &Loop<Op, Out, In...>::baseline;
}

// The same for the widest vectors of this machine.
template <class Op, class Out, class... In>
Elementwise vector_loop() {
#if TRL_VECTOR_DISPATCH
  switch (vector_width()) {
    case VectorWidth::kAvx512:
      return &Loop<Op, Out, In...>::avx512;
    case VectorWidth::kAvx2:
      return &Loop<Op, Out, In...>::avx2;
    case VectorWidth::kBaseline:
      break;
  }
#endif
  return &Loop<Op, Out, In...>::baseline;
}

}  // namespace tritonrl::machine
