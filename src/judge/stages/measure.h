#pragma once

#include "judge/stages/verify_full.h"

namespace tritonrl::judge {

// The candidate as the GPU ran it.
struct Measured {
  SizedCandidate real;  // recorded again where the GPU lays results out otherwise
};

// Stages full and timing on a GPU: the program at the task's own sizes, on real data, against the reference there, and
// its time.
Reached<Measured> measure(const Trial& trial, const Full& full, TrialLog& log);

// How a GPU is to judge and time under these options: all but programs, draws and tolerances.
runner::DeviceWork device_work(const JudgeOptions& options);

}  // namespace tritonrl::judge
