#pragma once

#include "optimize/contest.h"

namespace tritonrl::optimize {

// Changes the best candidate's knobs (knobs.h) one at a time and judges what comes out, at most `most` of them: as many
// at once as the contest judges, then on from the best. Ends where no neighbour is faster. Gives how many it judged.
int search(Contest& contest, int most);

}  // namespace tritonrl::optimize
