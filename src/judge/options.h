#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tritonrl::judge {

// Inputs that a candidate is tried on, in this order. The first five are the default of the contract; `signed` and
// `parameters` come on top.
inline constexpr const char* kVariations[] = {"original", "scaled", "seed", "shape", "dtype", "signed", "parameters"};

struct JudgeOptions {
  std::string policy = "kernelbench";  // "strict": no ATen arithmetic on more than 16 elements
  std::string target = "h200";         // GPU to compile for and to model
  std::string device = "cpu";          // "cuda", "cuda:1": also executed and timed there, at the task's own sizes
  bool live = false;                   // one that passed is run once as it stands, too: needs a GPU
  std::string baseline = "eager";      // what a measured speed-up is over; "compile": torch.compile, needs a GPU
  std::string precision = "fp32";      // of parameters and inputs: fp32, fp16, bf16
  std::vector<std::string> variations = {std::begin(kVariations), std::end(kVariations)};
  std::optional<std::uint64_t> seed;  // of parameters, inputs and garbage; none: secret and fresh
  double min_work_share = 0;          // a passed candidate whose work_share is lower is refused

  bool enable_multi_input = true;             // off: `original` alone
  int multi_input_num_tests = 5;              // most variations, beside `signed` and `parameters`
  bool multi_input_shape_variations = true;   // `shape`
  bool multi_input_value_variations = true;   // all others but `original`
  bool enable_staged_eval = true;             // off: no tiny stage
  bool staged_skip_timing_on_failure = true;  // off: a candidate with wrong results is modelled too (no reward for it)
  bool staged_tiny_batch_first = true;        // the tiny stage
  bool enable_calibrated_timing = true;       // off: no timing stage; a passed candidate gets the reward of `full`
  int timing_num_warmup = 10;                 // measured timing only
  int timing_num_trials = 50;                 // measured timing only
  bool timing_use_events = true;              // measured timing only

  double plan_speedup_cap = 3;  // TritonRL's plan reward: valid · min(speedup, cap)

  // Rules and protections that are switched off, by name (rules.h): to show what each is for. Never in training.
  std::set<std::string> without;

  std::int64_t sampled_programs = 64;   // of each launch at real shapes
  std::int64_t candidate_ms = 120'000;  // for one candidate, all stages together
};

}  // namespace tritonrl::judge
