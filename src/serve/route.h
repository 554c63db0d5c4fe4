#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json.h"
#include "serve/call.h"

namespace tritonrl::serve {

// One thing that can be asked for. Who may ask, what for and in which form is checked by it, and described by it.
struct Route {
  std::string method;              // "GET" serves HEAD too
  std::string path;                // as OpenAPI has it; one part may be {name}
  std::vector<std::string> types;  // of the body; none: there is none
  bool open = false;               // no token is needed
  base::Json operation;            // OpenAPI's description of it
  // `argument`: the part of the path that stands for {name}.
  std::function<void(const http::Request& request, const std::string& argument, const Call& call)> handle;
};

}  // namespace tritonrl::serve
