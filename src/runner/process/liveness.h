#pragma once

#include <utility>
#include <vector>

#include "program/program.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// The sections of a run in the order in which they are executed.
struct PlannedSection {
  Section section = Section::kInitialise;
  int forward = 0;
  bool given = false;   // inputs that the request brings along: no step is executed
  bool fresh = false;   // begins the work for another forward
  bool helper = false;  // make_inputs of another forward, which this one shares tensors with
};
std::vector<PlannedSection> plan_of(const RunRequest& request);
// Of the generator, before the section (RunRequest::seed).
std::uint64_t seed_of(const RunRequest& request, const PlannedSection& section);

// When the memory of each storage can be given back.
class Liveness {
 public:
  Liveness(const RunRequest& request, const std::vector<PlannedSection>& plan);

  // Storages that nothing needs after this step of this section of the plan.
  const std::vector<int>& dead_after(std::size_t section, std::size_t step) const;
  // Those that nothing needs after the section and its results.
  const std::vector<int>& dead_after(std::size_t section) const;

 private:
  std::vector<std::vector<std::vector<int>>> dead_;  // by section, by step; one more for the section's end
  std::vector<int> none_;
};

// Calls `visit(TensorRef)` for all tensors that a step names.
template <class Visit>
void for_each_tensor_of(const program::Step& step, Visit&& visit) {
  if (const auto* call = std::get_if<program::AtenCall>(&step)) {
    for (const program::Value& value : call->args) program::for_each_tensor(value, visit);
    for (const auto& [name, value] : call->kwargs) program::for_each_tensor(value, visit);
    program::for_each_tensor(call->result, visit);
  } else if (const auto* launch = std::get_if<program::Launch>(&step)) {
    for (const program::LaunchVariant& variant : launch->variants) {
      for (const program::LaunchArgument& argument : variant.arguments) program::for_each_tensor(argument.value, visit);
    }
  } else {
    for (const program::TensorRef ref : std::get<program::Question>(step).about) visit(ref);
  }
}

// Storages that the steps of a forward may write, as far as they were there before it.
std::vector<int> written_by(const program::Program& program, const std::vector<program::Step>& steps);

}  // namespace tritonrl::runner
