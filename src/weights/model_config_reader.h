#pragma once

#include <cstdint>
#include <vector>

#include "base/json_field.h"

namespace tritonrl::weights {

// The `eos_token_id` of config.json or generation_config.json: absent, one number, or a list.
std::vector<std::int64_t> read_eos_token_ids(const base::JsonField& config);

}  // namespace tritonrl::weights
