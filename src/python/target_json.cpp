#include "python/target_json.h"

namespace tritonrl::python {

base::Json target_json(const program::Target& target) {
  return {{"name", target.name},
          {"device_name", target.device_name},
          {"capability", base::Json::array({target.capability_major, target.capability_minor})},
          {"memory_bytes", target.memory_bytes},
          {"sm_count", target.sm_count},
          {"threads_per_sm", target.max_threads_per_sm},
          {"registers_per_sm", target.registers_per_sm},
          {"shared_memory_per_block", target.shared_memory_per_block},
          {"l2_bytes", target.l2_bytes},
          {"clock_khz", target.clock_khz}};
}

}  // namespace tritonrl::python
