#pragma once

#include <cstdint>

// Loops that are compiled for several vector widths, chosen when a kernel is made ready. Not target_clones: that needs
// ifuncs, which sanitizers and other linkers do not like, and we hold function pointers anyway.
//
// The sources that use this are compiled with -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math: the widths then
// give the same bits, so that a verdict does not depend on the machine.

#if defined(__x86_64__) && defined(__GNUC__)
#define TRL_VECTOR_DISPATCH 1
#define TRL_TARGET_AVX2 __attribute__((target("avx2,fma,f16c,bmi2")))
#define TRL_TARGET_AVX512 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,f16c,bmi2")))
#else
#define TRL_VECTOR_DISPATCH 0
#endif

// For everything that such a loop calls: what is not inlined would be compiled for the narrowest width only.
#define TRL_INLINE __attribute__((always_inline)) inline

// An operation on elements of any type T, for such a loop to apply.
#define TRL_OPERATION(Name, Result, parameters, ...) \
  struct Name {                                      \
    template <class T>                               \
    static TRL_INLINE Result apply parameters {      \
      return __VA_ARGS__;                            \
    }                                                \
  };

namespace tritonrl::machine {

enum class VectorWidth : std::uint8_t { kBaseline, kAvx2, kAvx512 };

// The widest that this machine has, or that was allowed.
VectorWidth vector_width();

// For tests: pretend that the machine has no wider vectors, in what is looked up from now on.
void limit_vector_width(VectorWidth widest);

}  // namespace tritonrl::machine
