#pragma once

#include <optional>

#include "judge/stages/verify_full.h"

namespace tritonrl::judge {

// How long it would take on the target.
struct Modelled {
  record::Timing timing;
  std::optional<double> work_share;  // part of the modelled work that counted launches do; none for the reference
};
Modelled model_time(const Trial& trial, const Full& full);

}  // namespace tritonrl::judge
