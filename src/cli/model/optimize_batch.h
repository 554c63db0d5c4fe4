#pragma once

#include "cli/model/optimize_options.h"

namespace tritonrl::cli {

// Many modules with one set of warm processes, several at once: a line of results for each as soon as it is there
// (optimize/module_result.h), files and proofs in a folder. The same command goes on where it was stopped.
int run_batch(const OptimizeArguments& arguments, const CLI::App& command);

}  // namespace tritonrl::cli
