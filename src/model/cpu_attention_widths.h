#pragma once

#include "model/cpu_attention.h"

// One set of loops a vector width; cpu_attention.cpp picks the widest that the processor has.
namespace tritonrl::model {

struct AttentionLoops {
  void (*of_floats)(const QueryRows& rows, const CachedStretch<float>& stretch);
  void (*of_bfloat16)(const QueryRows& rows, const CachedStretch<BFloat16Bits>& stretch);
};

AttentionLoops baseline_attention();  // whatever every processor of this kind has
AttentionLoops avx2_attention();      // x86-64-v3
AttentionLoops avx512_attention();    // x86-64-v4

}  // namespace tritonrl::model
