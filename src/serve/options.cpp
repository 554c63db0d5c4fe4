#include "serve/options.h"

namespace tritonrl::serve {

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace tritonrl::serve
