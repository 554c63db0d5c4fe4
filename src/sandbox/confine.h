#pragma once

#include <string>

#include "base/unique_fd.h"
#include "sandbox/policy.h"

namespace tritonrl::sandbox {

// What the keeper and its child share of one job, made by isolate() before the fork.
struct Enclosure {
  std::string scratch;          // the private folder, as the child will see it
  bool remove_scratch = false;  // it is a folder on disk and not a mount
  base::UniqueFd status_read;   // the child's word: "ok" once confined, else what failed
  base::UniqueFd status_write;
  base::UniqueFd proc;  // /proc of the outer pid namespace, where the keeper can see its child
};

// In the keeper, before it forks. InfrastructureError if the level cannot be had.
Enclosure isolate(const Policy& policy);

// In the child: gives up everything that `policy` does not grant, for good. Afterwards descriptor 0 is /dev/null, 1 and
// 2 are `log`, 3 is `channel`, the working directory is the scratch folder. Reports "ok" to the keeper.
// InfrastructureError names the step that failed; the process must then end without running anything.
void confine(const Policy& policy, Enclosure& enclosure, int channel, int log);

}  // namespace tritonrl::sandbox
