#pragma once

#include <span>
#include <string_view>

#include "base/embedded_file.h"

namespace tritonrl::python {

// All our Python, by path below this folder; boot_module() is the text that starts a zygote with them.
std::span<const base::EmbeddedFile> embedded_modules();
std::string_view boot_module();

}  // namespace tritonrl::python
