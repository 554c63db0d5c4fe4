#pragma once

#include <string>

#include "base/unique_fd.h"

namespace tritonrl::http {

// A socket that listens; `port` 0 becomes the one that was free. UserError where that cannot be.
base::UniqueFd listen_at(const std::string& host, int& port);

}  // namespace tritonrl::http
