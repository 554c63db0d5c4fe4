#include "machine/numbers/vector_dispatch.h"

#include <algorithm>
#include <atomic>

namespace tritonrl::machine {
namespace {

VectorWidth detect() {
#if TRL_VECTOR_DISPATCH
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return VectorWidth::kBaseline;
  if (!__builtin_cpu_supports("bmi2")) return VectorWidth::kBaseline;  // F16C, too: what has AVX2 has it
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  return wide ? VectorWidth::kAvx512 : VectorWidth::kAvx2;
#else
  return VectorWidth::kBaseline;
#endif
}

std::atomic<VectorWidth> widest_allowed = VectorWidth::kAvx512;

}  // namespace

VectorWidth vector_width() {
  static const VectorWidth width = detect();
  return std::min(width, widest_allowed.load());
}

void limit_vector_width(VectorWidth widest) {
  widest_allowed = widest;
}

}  // namespace tritonrl::machine
