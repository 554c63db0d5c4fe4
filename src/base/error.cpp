#include "base/error.h"

#include <cerrno>
#include <cstring>

namespace tritonrl::base {

std::string system_message(const std::string& what) {
  return what + ": " + std::strerror(errno);
}

}  // namespace tritonrl::base
