#include "runner/process/liveness.h"

#include <algorithm>

#include "program/operator_table.h"
#include "runner/request_wire.h"
#include "runner/structure_tensors.h"

namespace tritonrl::runner {

namespace {

// By storage: the forward whose make_inputs made it first; -1: something else did.
std::vector<int> input_makers(const program::Program& program) {
  std::vector<int> out(program.storages.size(), -1);
  const auto mark = [&](const std::vector<program::Step>& steps, int forward) {
    for (const program::Step& step : steps) {
      const auto* call = std::get_if<program::AtenCall>(&step);
      if (call == nullptr) continue;
      program::for_each_tensor(call->result, [&](program::TensorRef ref) {
        out[static_cast<std::size_t>(program.tensors[static_cast<std::size_t>(ref.index)].storage)] = forward;
      });
    }
  };
  for (std::size_t i = program.forwards.size(); i-- > 0;) mark(program.forwards[i].make_inputs, static_cast<int>(i));
  mark(program.initialise, -1);
  return out;
}

// Other forwards whose make_inputs made something that this one needs (a task that makes its inputs once), in order.
std::vector<int> shared_inputs(const program::Program& program, const std::vector<int>& makers, int forward) {
  std::vector<int> out;
  const auto look = [&](program::TensorRef ref) {
    const int maker = makers[static_cast<std::size_t>(program.tensors[static_cast<std::size_t>(ref.index)].storage)];
    if (maker >= 0 && maker < forward) out.push_back(maker);
  };
  const program::Forward& one = program.forwards[static_cast<std::size_t>(forward)];
  for (const program::Step& step : one.make_inputs) for_each_tensor_of(step, look);
  for (const program::Step& step : one.steps) for_each_tensor_of(step, look);
  for (const program::TensorRef ref : tensors_of(one.inputs)) look(ref);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool has_inputs(const RunRequest& request, int forward) {
  return std::any_of(request.inputs.begin(), request.inputs.end(),
                     [&](const GivenInputs& inputs) { return inputs.forward == forward; });
}

}  // namespace

std::vector<PlannedSection> plan_of(const RunRequest& request) {
  std::vector<PlannedSection> out = {{.section = Section::kInitialise}};
  const std::vector<int> makers = input_makers(*request.program);
  for (const int forward : request.forwards) {
    const std::size_t begin = out.size();
    for (const int other : shared_inputs(*request.program, makers, forward)) {
      out.push_back({.section = Section::kInputs, .forward = other, .helper = true});
    }
    out.push_back({.section = Section::kInputs, .forward = forward, .given = has_inputs(request, forward)});
    out.push_back({.section = Section::kForward, .forward = forward});
    out[begin].fresh = true;
  }
  return out;
}

std::uint64_t seed_of(const RunRequest& request, const PlannedSection& section) {
  if (section.section == Section::kInitialise) return request.seed;
  const auto forward = static_cast<std::uint64_t>(section.forward);
  return request.seed + 2 * forward + (section.section == Section::kInputs ? 1 : 2);
}

Liveness::Liveness(const RunRequest& request, const std::vector<PlannedSection>& plan) {
  const program::Program& program = *request.program;
  using Place = std::pair<std::size_t, std::size_t>;
  constexpr Place kNever{0, static_cast<std::size_t>(-1)};
  std::vector<Place> last(program.storages.size(), kNever);
  const auto last_of = [&](program::TensorRef ref) -> Place& {
    return last[static_cast<std::size_t>(program.tensors[static_cast<std::size_t>(ref.index)].storage)];
  };
  const auto use = [&](program::TensorRef ref, Place at) { last_of(ref) = at; };
  for (std::size_t s = 0; s < plan.size(); ++s) {
    const std::vector<program::Step>& steps = *steps_of(program, plan[s].section, plan[s].forward);
    if (!plan[s].given) {
      for (std::size_t i = 0; i < steps.size(); ++i) {
        for_each_tensor_of(steps[i], [&](program::TensorRef ref) { use(ref, {s, i}); });
      }
    }
    const Place end{s, steps.size()};
    if (s == 0) {
      for (const DrawnTensor& drawn : request.drawn) {
        const Place at{s, static_cast<std::size_t>(drawn.step)};
        if (last_of(drawn.given.tensor) == kNever || last_of(drawn.given.tensor) < at) use(drawn.given.tensor, at);
      }
      for (const GivenTensor& given : request.state) use(given.tensor, end);
      if (request.want_state) {
        for (const program::NamedTensor& one : program.state) use(one.tensor, end);
      }
      continue;
    }
    const program::Forward& forward = program.forwards[static_cast<std::size_t>(plan[s].forward)];
    const auto& structure = plan[s].section == Section::kInputs ? forward.inputs : forward.outputs;
    for (const program::TensorRef ref : tensors_of(structure)) use(ref, end);
  }
  const Place never_dead{plan.size(), 0};
  for (const int forward : request.watch ? request.forwards : std::vector<int>()) {
    const program::Forward& watched = program.forwards[static_cast<std::size_t>(forward)];
    for (const program::TensorRef ref : tensors_of(watched.inputs)) use(ref, never_dead);
    for (const program::TensorRef ref : tensors_of(watched.outputs)) use(ref, never_dead);
  }
  if (request.question) {
    const Place end = never_dead;
    for (const program::TensorRef ref : request.question->about) use(ref, end);
  }
  dead_.resize(plan.size());
  for (std::size_t s = 0; s < plan.size(); ++s) {
    dead_[s].resize(steps_of(program, plan[s].section, plan[s].forward)->size() + 1);
  }
  for (std::size_t storage = 0; storage < last.size(); ++storage) {
    if (last[storage] == kNever || last[storage].first >= plan.size()) continue;
    dead_[last[storage].first][last[storage].second].push_back(static_cast<int>(storage));
  }
}

const std::vector<int>& Liveness::dead_after(std::size_t section, std::size_t step) const {
  return dead_[section][step];
}

const std::vector<int>& Liveness::dead_after(std::size_t section) const {
  return dead_[section].back();
}

std::vector<int> written_by(const program::Program& program, const std::vector<program::Step>& steps) {
  std::vector<int> out;
  const auto add = [&](program::TensorRef ref) {
    out.push_back(program.tensors[static_cast<std::size_t>(ref.index)].storage);
  };
  for (const program::Step& step : steps) {
    if (std::holds_alternative<program::Question>(step)) continue;
    // batch_norm writes its running statistics without saying so in its schema: no operand is taken to be only read
    if (const auto* call = std::get_if<program::AtenCall>(&step)) {
      const program::Operator* op = program::find_operator(call->op);
      if (op != nullptr && op->kind == program::OperatorKind::kView) continue;
    }
    for_each_tensor_of(step, add);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace tritonrl::runner
