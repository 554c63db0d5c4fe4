#pragma once

#include <string>

#include "cli/option_list.h"

namespace tritonrl::cli {

enum class Shell : std::uint8_t { kBash, kZsh, kFish };

// What that shell has to read so that it completes verbs, options and the words that an option may have. Where a word
// is expected that nobody can list, file names are offered.
std::string completion_script(const OptionList& list, Shell shell);

}  // namespace tritonrl::cli
