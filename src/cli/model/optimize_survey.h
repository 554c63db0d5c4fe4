#pragma once

#include "cli/model/optimize_options.h"

namespace tritonrl::cli {

// Which classes of a file are worth optimising (optimize/survey.h). kAnswerIsNo where none is.
int run_survey(const OptimizeArguments& arguments, const CLI::App& command);

}  // namespace tritonrl::cli
