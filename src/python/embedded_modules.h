#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/embedded_file.h"

namespace tritonrl::python {

// All our Python, by path below this folder. boot_module() is the program that makes them importable; it reads
// boot_text() on descriptor 4: `service` is the module that it hands over to, with `options` (JSON), as a zygote that
// loads `library`, or, without one, to its main().
std::span<const base::EmbeddedFile> embedded_modules();
std::string_view boot_module();
std::string boot_text(const std::string& service, std::string_view options, const std::string& library = {});

}  // namespace tritonrl::python
