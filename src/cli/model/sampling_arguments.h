#pragma once

#include "generate/generator.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// Temperature, filters, length and stop strings. Ranges are checked by the generator.
void declare(CLI::App& command, generate::SamplingOptions& sampling);

}  // namespace tritonrl::cli
