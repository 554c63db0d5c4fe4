#include "model/cpu_attention_loops.h"
#include "model/cpu_attention_widths.h"

namespace tritonrl::model {

AttentionLoops baseline_attention() {
  return {&attend<float>, &attend<BFloat16Bits>};
}

}  // namespace tritonrl::model
