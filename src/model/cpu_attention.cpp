#include "model/cpu_attention.h"

#include "model/cpu_attention_widths.h"

namespace tritonrl::model {
namespace {

AttentionLoops widest() {
#if defined(__x86_64__)
  // the levels x86-64-v3 and v4, by what tells their processors apart: not every compiler knows the levels' names
  const bool third = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool fourth = third && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (fourth) return avx512_attention();
  if (third) return avx2_attention();
#endif
  return baseline_attention();
}

const AttentionLoops& loops() {
  static const AttentionLoops chosen = widest();
  return chosen;
}

}  // namespace

void attend_stretch(const QueryRows& rows, const CachedStretch<float>& stretch) {
  loops().of_floats(rows, stretch);
}

void attend_stretch(const QueryRows& rows, const CachedStretch<BFloat16Bits>& stretch) {
  loops().of_bfloat16(rows, stretch);
}

}  // namespace tritonrl::model
