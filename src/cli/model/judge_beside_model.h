#pragma once

#include "judge/options.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// The judge's options for a command whose model has a device and whose run has a seed of their own: --judge-device and
// --judge-seed. To be called before theirs are declared.
void declare_beside_model(CLI::App& command, judge::JudgeOptions& options);

}  // namespace tritonrl::cli
