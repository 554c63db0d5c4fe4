#pragma once

#include "judge/stages/measure.h"

namespace tritonrl::judge {

// Where Python itself runs on the GPU. Stage timing: the candidate's file as it stands agrees with its recording.
std::optional<Finding> run_live(const Trial& trial, const Measured& measured, TrialLog& log);

// The measured speed-up becomes that over torch.compile, where it takes the task.
void measure_over_compile(const Trial& trial, const runner::MeasuredTimes& times, TrialLog& log);

}  // namespace tritonrl::judge
