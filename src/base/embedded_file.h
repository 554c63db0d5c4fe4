#pragma once

#include <string_view>

namespace tritonrl::base {

// A text file compiled into the program (cmake/embed.cmake). Both views live as long as the program.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace tritonrl::base
