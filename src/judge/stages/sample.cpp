#include "judge/stages/sample.h"

#include "judge/rules/step_access.h"

namespace tritonrl::judge {

runner::RunRequest sample_request(const Trial& trial, const SizedCandidate& candidate, int variant,
                                  std::int64_t sample) {
  runner::RunRequest how;
  how.garbage_seed = trial.tools.garbage_seed;  // which programs is as secret as what memory holds
  how.program = &candidate.program();
  how.images = candidate.compiled.images;
  how.launches = launches_with(candidate.compiled, variant);
  how.sample = sample;
  how.want_outputs = false;
  how.check_answers = false;
  how.wall_ms = how.machine.wall_ms = kFewSampledMs;
  const int last = static_cast<int>(candidate.program().forwards.size()) - 1;
  how.keep_state = true;
  how.forwards.clear();
  for (int f = needs_earlier(candidate.program()) ? 0 : last; f <= last; ++f) how.forwards.push_back(f);
  return how;
}

runner::RunOutcome run_sample(const Trial& trial, const SizedCandidate& candidate) {
  return trial.tools.replayer.runner().run(sample_request(trial, candidate, 0, kFewSampled), trial.budget);
}

}  // namespace tritonrl::judge
