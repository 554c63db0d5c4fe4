#include <algorithm>
#include <set>

#include "judge/rules/coverage.h"
#include "judge/rules/groups.h"
#include "judge/rules/launch_standing.h"
#include "judge/rules/names.h"
#include "judge/rules/step_access.h"
#include "judge/rules/tensor_text.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

// Rules on what was executed: the kernels are the cause of the result, and what was verified holds at the real sizes.

namespace tritonrl::judge {
namespace {

using record::Stage;
using Kind = record::VerdictKind;
using Counts = LaunchStanding::Counts;

// Sampled programs include the corners of a grid, which do less: an estimate may be that much below the truth.
constexpr double kStored = 0.75, kLoaded = 0.6, kWhole = 0.9, kStoredBetween = 0.25, kAll = 1 - 1e-9;

std::string whole_percent(double part) {
  return std::to_string(static_cast<int>(part * 100 + 0.5)) + " %";
}

// The last launch that counts as `counts`, where none does work; null: one does, or there is none of those.
const LaunchStanding* all_for_nothing(const std::vector<LaunchStanding>& launches, Counts counts) {
  const LaunchStanding* out = nullptr;
  for (const LaunchStanding& one : launches) {
    if (one.counts == Counts::kWork) return nullptr;
    if (one.counts == counts) out = &one;
  }
  return out;
}

Violation at_first_launch(const Evidence& evidence, const std::string& message) {
  return {.message = message,
          .line = evidence.launches->front().line,
          .advice = "let the kernel compute what forward returns"};
}

Checked without_effect(const Evidence& evidence) {
  const LaunchStanding* idle = all_for_nothing(*evidence.launches, Counts::kNoEffect);
  if (idle == nullptr) return std::nullopt;
  return at_first_launch(evidence, "without the launch of " + idle->kernel +
                                       " the output is the same: the kernels are not the cause of the result");
}

Checked compute_nothing(const Evidence& evidence) {
  const LaunchStanding* copy = all_for_nothing(*evidence.launches, Counts::kMovesData);
  if (copy == nullptr) return std::nullopt;
  return at_first_launch(evidence,
                         "the kernels compute nothing: " + copy->kernel + " only moves data or writes constants");
}

// Right at the task's own sizes, and not in general.
Checked not_general(const Evidence& evidence) {
  if (!evidence.options.require_general) return std::nullopt;
  Violation out = evidence.off_shape->what;
  out.message = "right where its blocks divide the sizes, and not elsewhere: " + out.message;
  out.advice = "mask loads and stores at the edges of blocks";
  return out;
}

// All of each output is stored at the real sizes too, and an input that the verified program loads whole is loaded
// whole.
Checked reaches_less(const Evidence& evidence) {
  const program::Program& reference = *evidence.reference;
  const program::Program& real = *evidence.candidate;
  const Reach& at_real = *evidence.reach_at_real;
  const Reach& verified = *evidence.reach_verified;
  const auto refuse = [](const std::string& what) {
    return Violation{what, {}, "compute all of it at the task's own sizes too"};
  };
  for (std::size_t i = 0; i < std::min(at_real.outputs.size(), verified.outputs.size()); ++i) {
    if (at_real.outputs[i] < 0 || verified.outputs[i] < kWhole || at_real.outputs[i] >= kStored) continue;
    return refuse("at the task's real sizes the kernels store about " + whole_percent(at_real.outputs[i]) +
                  " of output " + std::to_string(i) + "; at the sizes that were computed, all of it");
  }
  // Sampled programs tell how much is stored but for a few of them; what each stores at most is nearly always exact.
  for (std::size_t i = 0; i < std::min(at_real.most_outputs.size(), verified.outputs.size()); ++i) {
    if (at_real.most_outputs[i] < 0 || verified.outputs[i] < kAll || at_real.most_outputs[i] >= kAll) continue;
    return refuse("at the task's real sizes the programs of the grid store no more than " +
                  std::to_string(100 * at_real.most_outputs[i]) + " % of output " + std::to_string(i) +
                  "; at the sizes that were computed, all of it");
  }
  // What is read on the way was stored by somebody: else the sample saw those alone who do nothing.
  for (std::size_t i = 0; at_real.between.size() == verified.between.size() && i < at_real.between.size(); ++i) {
    if (at_real.between[i] < 0 || verified.between[i] < kWhole || at_real.between[i] >= kStoredBetween) continue;
    return refuse("at the task's real sizes the kernels store about " + whole_percent(at_real.between[i]) +
                  " of what a later one reads; at the sizes that were computed, all of it");
  }
  // an input that the reference picks places of need not be read whole
  std::set<int> picked;
  for (const program::Step& step : reference.forwards.front().steps) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op == nullptr || op->kind != program::OperatorKind::kGather) continue;
    const StepAccess access = access_of(reference, step);
    picked.insert(access.reads.begin(), access.reads.end());
  }
  const auto inputs = runner::tensors_of(reference.forwards.front().inputs);
  const auto own = runner::tensors_of(real.forwards.back().inputs);
  for (std::size_t i = 0; i < std::min({at_real.inputs.size(), verified.inputs.size(), inputs.size(), own.size()});
       ++i) {
    if (picked.contains(tensor_of(reference, inputs[i]).storage)) continue;
    if (!program::is_floating(tensor_of(reference, inputs[i]).dtype)) continue;
    if (at_real.inputs[i] < 0 || verified.inputs[i] < kWhole || at_real.inputs[i] >= kLoaded) continue;
    return refuse("at the task's real sizes the kernels load about " + whole_percent(at_real.inputs[i]) + " of input " +
                  std::to_string(i) + "; at the sizes that were computed, all of it");
  }
  return std::nullopt;
}

constexpr Rule kKernelRules[] = {
    {rules::kNotExecutable, Stage::kTiny, Kind::kCrashed, LooksAt::kOnTheWay, "", "", nullptr,
     "the kernel machine or the GPU's runner does not know what it does: no part of the next rung"},
    {rules::kRace, Stage::kTiny, Kind::kWrong, LooksAt::kOnTheWay, rules::kRace, "", nullptr,
     "programs of one launch write different values to one place"},
    {rules::kAliasing, Stage::kTiny, Kind::kWrong, LooksAt::kOnTheWay, rules::kAliasing, "", nullptr,
     "an input, or what an earlier call returned, is written over, where the reference does not", 4},
    {rules::kFailsOffShape, Stage::kFull, Kind::kWrong, LooksAt::kSizes, rules::kFailsOffShape, "", not_general,
     "wrong at the odd size and at multiples of its blocks; right there, but not at other sizes (with "
     "`--require-general`)",
     5},
    {rules::kIgnoresParameters, Stage::kFull, Kind::kWrong, LooksAt::kOnTheWay, "", "", nullptr,
     "wrong once parameters that start as constants have other values"},
    {rules::kSilence, Stage::kFull, Kind::kCheated, LooksAt::kKernels, rules::kSilence, "", without_effect,
     "no launch does work, and without one of them the output is the same"},
    {rules::kCopies, Stage::kFull, Kind::kCheated, LooksAt::kKernels, rules::kCopies, "", compute_nothing,
     "all kernels only move data or write constants"},
    {rules::kUnverified, Stage::kTiny, Kind::kWrong, LooksAt::kReach, rules::kUnverified, "", reaches_less,
     "at the real sizes something runs, or less is loaded or stored, than in any run that was verified"},
};

}  // namespace

std::span<const Rule> kernel_rules() {
  return kKernelRules;
}

}  // namespace tritonrl::judge
