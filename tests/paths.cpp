#include "tests/paths.h"

#include <cstdlib>

namespace tritonrl {

std::string source_path(const std::string& below) {
  return TRITONRL_SOURCE_DIR "/" + below;
}

std::string build_path(const std::string& below) {
  return TRITONRL_BINARY_DIR "/" + below;
}

std::string test_python() {
  const char* chosen = std::getenv("TRITONRL_PYTHON");
  return chosen != nullptr ? chosen : TRITONRL_TEST_PYTHON;
}

std::string plain_python() {
  return TRITONRL_PLAIN_PYTHON;
}

}  // namespace tritonrl
