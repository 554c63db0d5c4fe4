#pragma once

#include <vector>

#include "serve/route.h"
#include "serve/verify_routes.h"

namespace tritonrl::serve {

// /v1/verify, /v1/verify/batch, /v1/jobs. `routes` must outlive them.
std::vector<Route> judge_routes(VerifyRoutes& routes);

}  // namespace tritonrl::serve
