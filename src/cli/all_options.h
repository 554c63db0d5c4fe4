#pragma once

#include "cli/option_list.h"

namespace tritonrl::cli {

// Of all verbs in the order of --help, also of those that tritonrl-model executes, which is asked for them. Where it
// was not built, theirs have none.
OptionList all_options(const CLI::App& app);

}  // namespace tritonrl::cli
