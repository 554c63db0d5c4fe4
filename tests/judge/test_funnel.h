#pragma once

#include "judge/funnel.h"

namespace tritonrl::judge {

// Options of the processes behind a judge under test: the build's own, the best sandbox of this machine, no cache.
ReplayerOptions test_replayer_options();

// One warm judge for all tests of a program, with a fixed seed; on the GPU that TRITONRL_TEST_DEVICE names, if it does,
// and there with --live if TRITONRL_TEST_LIVE is set.
Funnel& test_funnel();
JudgeOptions test_judge_options();

}  // namespace tritonrl::judge
