#include "cli/source_file.h"

#include <iostream>
#include <iterator>

#include "base/files.h"

namespace tritonrl::cli {

std::string read_source(const std::string& name) {
  if (name != "-") return base::read_file(name, std::size_t{64} << 20);
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

}  // namespace tritonrl::cli
