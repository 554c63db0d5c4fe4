#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fields.h"

namespace tritonrl::judge {

// Inputs that a candidate is tried on, in this order. The first five are the default of the contract; the others come
// on top.
inline constexpr const char* kVariations[] = {"original", "scaled",     "seed", "shape", "dtype",
                                              "signed",   "parameters", "wide", "uneven"};
inline constexpr const char* kProtocols[] = {"kernelbench", "kernelbench-2024", "tf32", "fp16", "bf16"};
inline constexpr const char* kPolicies[] = {"kernelbench", "strict"};
inline constexpr const char* kBaselines[] = {"eager", "compile"};
inline constexpr const char* kPrecisions[] = {"fp32", "fp16", "bf16"};

// The list at the end is all that an option needs: the command line, configuration files and the keys of kept verdicts
// follow from it.
struct JudgeOptions {
  std::string policy = "kernelbench";
  std::string target = "h200";
  std::string device = "cpu";
  bool live = false;
  std::string baseline = "eager";
  std::string precision = "fp32";
  std::vector<std::string> variations = {std::begin(kVariations), std::end(kVariations)};
  std::optional<std::uint64_t> seed;
  double min_work_share = 0;
  bool weigh_by_work = false;
  bool require_general = false;
  std::string protocol = "kernelbench";
  std::optional<double> rtol, atol;

  bool enable_multi_input = true;  // off: `original` alone
  int multi_input_num_tests = 5;
  bool multi_input_shape_variations = true;  // `shape`
  bool multi_input_value_variations = true;  // all others but `original`
  bool enable_staged_eval = true;
  bool staged_skip_timing_on_failure = true;
  bool staged_tiny_batch_first = true;
  bool enable_calibrated_timing = true;  // off: a passed candidate gets the reward of `full`
  int timing_num_warmup = 10;
  int timing_num_trials = 50;
  bool timing_use_events = true;

  double plan_speedup_cap = 3;  // TritonRL's plan reward: valid · min(speedup, cap)
  std::set<std::string> without;
  std::int64_t sampled_programs = 64;
  std::int64_t candidate_ms = 120'000;
  std::int64_t candidate_mb = 4096;
  std::int64_t real_values_ms = 300;

  // The type of parameters and inputs: what the protocol says, else `precision`.
  std::string type() const { return protocol == "fp16" || protocol == "bf16" ? protocol : precision; }

  void fields(base::FieldVisitor& field) {
    constexpr double kMany = 1LL << 40;
    field("policy", policy,
          {.help = "strict: no arithmetic outside kernels but on tiny tensors", .choices = kPolicies});
    field("target", target, {.help = "GPU to compile for and to model: h200, sm_90, ..."});
    field(
        "device", device,
        {.help = "cpu, or GPUs on which candidates are executed and timed too, at the task's own sizes: cuda, cuda:1, "
                 "cuda:0,2, cuda:all"});
    field("live", live,
          {.help = "run the file of a candidate that passed once as it stands, on the GPU: it must agree with its "
                   "recording"});
    field("baseline", baseline,
          {.help = "what a measured speed-up is over: eager torch or torch.compile", .choices = kBaselines});
    field("precision", precision, {.help = "of parameters and inputs", .choices = kPrecisions});
    field("variations", variations, {.help = "inputs to try, separated by commas", .choices = kVariations});
    field("seed", seed, {.help = "of parameters, inputs and garbage (default: secret and fresh)"});
    field("min_work_share", min_work_share,
          {.help = "refuse a candidate whose kernels do less of the work", .least = 0, .most = 1});
    field("weigh_by_work", weigh_by_work,
          {.help = "what a candidate earns beyond compiling is weighed by the part of the work that its kernels do"});
    field("require_general", require_general,
          {.help = "refuse what is right at sizes that its blocks divide alone, as kernels without masks are"});
    field(
        "protocol", protocol,
        {.help = "whose tolerances: kernelbench (1e-4 for fp32), kernelbench-2024 (1e-2), tf32 (products may round to "
                 "TF32), fp16 and bf16 (those types, 1e-2)",
         .choices = kProtocols});
    field("rtol", rtol, {.help = "another relative tolerance than the protocol's", .least = 0, .most = 1});
    field("atol", atol, {.help = "another absolute tolerance than the protocol's", .least = 0, .most = 1e6});
    field("enable_multi_input", enable_multi_input, {.help = "try other inputs than the task's own"});
    field("multi_input_num_tests", multi_input_num_tests,
          {.help = "most variations, beside signed and parameters", .least = 1, .most = 1000});
    field("multi_input_shape_variations", multi_input_shape_variations, {.help = "other shapes"});
    field("multi_input_value_variations", multi_input_value_variations, {.help = "other values and types"});
    field("enable_staged_eval", enable_staged_eval, {.help = "cheap stages first; off: no tiny stage"});
    field("staged_skip_timing_on_failure", staged_skip_timing_on_failure,
          {.help = "no timing for wrong results; off: modelled too, without reward"});
    field("staged_tiny_batch_first", staged_tiny_batch_first, {.help = "the smallest shapes first"});
    field("enable_calibrated_timing", enable_calibrated_timing, {.help = "the timing stage"});
    field("timing_num_warmup", timing_num_warmup, {.help = "runs before measured ones", .least = 0, .most = 100'000});
    field("timing_num_trials", timing_num_trials, {.help = "measured runs", .least = 1, .most = 100'000});
    field("timing_use_events", timing_use_events,
          {.help = "measure with the device's events; off: with the host's clock"});
    field("plan_speedup_cap", plan_speedup_cap,
          {.help = "most that the plan reward counts of a speed-up", .least = 0, .most = 1e6});
    // Never in training.
    field("without", without,
          {.help = "switch a rule or protection off by its name, to see what it is for; may be repeated"});
    field("sampled_programs", sampled_programs,
          {.help = "programs of each launch executed at real shapes", .least = 1, .most = kMany});
    field(
        "real_values_ms", real_values_ms,
        {.help = "without a GPU: milliseconds of modelled work within which all programs are executed at real shapes, "
                 "and torch's part of it; 0: no values are compared there",
         .least = 0,
         .most = kMany});
    field("candidate_ms", candidate_ms,
          {.help = "milliseconds for one candidate, all stages together", .least = 1, .most = kMany});
    field("candidate_mb", candidate_mb,
          {.help = "MiB of memory for one candidate, all its processes together, beyond what idle ones have",
           .least = 1,
           .most = 1 << 24});
  }
};

}  // namespace tritonrl::judge
