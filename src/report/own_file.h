#pragma once

#include <string_view>

namespace tritonrl::report {

// A file of this folder that is part of the program: "page/style.css".
std::string_view own_file(std::string_view name);

}  // namespace tritonrl::report
