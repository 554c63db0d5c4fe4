#include "judge/mending.h"

#include <algorithm>

#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

constexpr int kMostLearned = 48;  // rule `questions` allows eight a call

}  // namespace

bool Mending::learn(const runner::RunOutcome& outcome) {
  if (!outcome.at || ++learned_ > kMostLearned) return false;
  if (outcome.kind == runner::RunOutcome::Kind::kMismatch && outcome.mismatch && outcome.mismatch->only_strides) {
    strides_.push_back(stride_override(outcome));
    return true;
  }
  if (outcome.kind != runner::RunOutcome::Kind::kOtherAnswer || !outcome.answer) return false;
  const runner::StepPlace& at = *outcome.at;
  // what follows it in the same section may now be another step
  std::erase_if(answers_, [&](const Answer& one) {
    return one.at.section == at.section && one.at.forward == at.forward && one.at.step >= at.step;
  });
  answers_.push_back({at, *outcome.answer});
  return true;
}

python::RecordRequest Mending::applied(python::RecordRequest request) const {
  request.strides.insert(request.strides.end(), strides_.begin(), strides_.end());
  if (answers_.empty()) return request;
  request.answer = [answers = answers_, rest = std::move(request.answer)](
                       const program::Program& so_far,
                       const program::Question& question) -> std::optional<program::Value> {
    const runner::StepPlace at = place_of_question(so_far);
    for (const Answer& one : answers) {
      if (one.at == at) return one.value;
    }
    return rest ? rest(so_far, question) : std::nullopt;
  };
  return request;
}

runner::StepPlace place_of_question(const program::Program& so_far) {
  if (so_far.forwards.empty()) return {runner::Section::kInitialise, 0, static_cast<int>(so_far.initialise.size())};
  const program::Forward& last = so_far.forwards.back();
  const int forward = static_cast<int>(so_far.forwards.size()) - 1;
  // inputs are known once they are made
  if (runner::tensors_of(last.inputs).empty() && last.steps.empty())
    return {runner::Section::kInputs, forward, static_cast<int>(last.make_inputs.size())};
  return {runner::Section::kForward, forward, static_cast<int>(last.steps.size())};
}

bool asks_for_values(const std::vector<program::Step>& steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const program::Step& step) { return std::holds_alternative<program::Question>(step); });
}

bool asks_for_values(const program::Program& program) {
  return asks_for_values(program.initialise) ||
         std::any_of(program.forwards.begin(), program.forwards.end(),
                     [](const program::Forward& forward) { return asks_for_values(forward.steps); });
}

bool assumes_answers(const program::Program& program) {
  const auto assumed = [](const program::Step& step) {
    const auto* question = std::get_if<program::Question>(&step);
    return question != nullptr && question->assumed;
  };
  return std::any_of(program.initialise.begin(), program.initialise.end(), assumed) ||
         std::any_of(program.forwards.begin(), program.forwards.end(), [&](const program::Forward& forward) {
           return std::any_of(forward.steps.begin(), forward.steps.end(), assumed) ||
                  std::any_of(forward.make_inputs.begin(), forward.make_inputs.end(), assumed);
         });
}

}  // namespace tritonrl::judge
