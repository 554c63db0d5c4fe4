#pragma once

#include <string>

#include "cli/option_list.h"

namespace tritonrl::cli {

// docs/configuration.md: every option of every verb with type, default and meaning, those that many verbs share once.
std::string option_page(const OptionList& list);

}  // namespace tritonrl::cli
