#pragma once

#include <span>

#include "base/embedded_file.h"

namespace tritonrl::cli {

// configs/quickstart.toml, as it is in the program.
std::span<const base::EmbeddedFile> preset_files();

}  // namespace tritonrl::cli
