#include "judge/options_text.h"

#include <nlohmann/json.hpp>

namespace tritonrl::judge {

std::string options_text(const JudgeOptions& options) {
  // Bound by name, so that a new field does not compile until it is here.
  const auto& [policy, target, device, live, baseline, precision, variations, seed, min_work_share, enable_multi_input,
               multi_input_num_tests, multi_input_shape_variations, multi_input_value_variations, enable_staged_eval,
               staged_skip_timing_on_failure, staged_tiny_batch_first, enable_calibrated_timing, timing_num_warmup,
               timing_num_trials, timing_use_events, plan_speedup_cap, without, sampled_programs, candidate_ms] =
      options;
  const nlohmann::json text = {
      {"policy", policy},
      {"target", target},
      {"device", device},
      {"live", live},
      {"baseline", baseline},
      {"precision", precision},
      {"variations", variations},
      {"seed", seed ? nlohmann::json(*seed) : nlohmann::json(nullptr)},
      {"min_work_share", min_work_share},
      {"enable_multi_input", enable_multi_input},
      {"multi_input_num_tests", multi_input_num_tests},
      {"multi_input_shape_variations", multi_input_shape_variations},
      {"multi_input_value_variations", multi_input_value_variations},
      {"enable_staged_eval", enable_staged_eval},
      {"staged_skip_timing_on_failure", staged_skip_timing_on_failure},
      {"staged_tiny_batch_first", staged_tiny_batch_first},
      {"enable_calibrated_timing", enable_calibrated_timing},
      {"timing_num_warmup", timing_num_warmup},
      {"timing_num_trials", timing_num_trials},
      {"timing_use_events", timing_use_events},
      {"plan_speedup_cap", plan_speedup_cap},
      {"without", without},
      {"sampled_programs", sampled_programs},
      {"candidate_ms", candidate_ms},
  };
  return text.dump();
}

}  // namespace tritonrl::judge
