#pragma once

#include <string>
#include <vector>

#include "machine/launch_model.h"
#include "machine/machine.h"

namespace tritonrl::check {

// What came of one launch, as it goes from the script's process to ours.
struct LaunchResult {
  bool completed = false;
  std::vector<machine::Finding> findings;
  machine::Counters counters;
  machine::LaunchTime time;
  std::string printed;
  double milliseconds = 0;  // that the machine took
  void fields(base::FieldVisitor& field);
};

}  // namespace tritonrl::check
