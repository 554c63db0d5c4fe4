#pragma once

#include <string>

#include "judge/options.h"

namespace tritonrl::judge {

// Every field in one canonical text: equal texts mean equal options. For keys and for what a batch remembers.
std::string options_text(const JudgeOptions& options);

}  // namespace tritonrl::judge
