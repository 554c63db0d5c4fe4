#include "model/cpu_attention.h"

#include "model/cpu_attention_widths.h"

namespace tritonrl::model {
namespace {

AttentionLoops widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return avx512_attention();
  if (__builtin_cpu_supports("x86-64-v3")) return avx2_attention();
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
