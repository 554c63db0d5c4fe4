#include "runner/process/replay.h"

#include <ATen/Context.h>

#include <algorithm>

#include "program/operator_table.h"
#include "program/program_json.h"
#include "runner/oracle_type.h"
#include "runner/process/answers.h"
#include "runner/process/aten_call.h"
#include "runner/process/stop.h"
#include "runner/process/widen.h"
#include "runner/request_wire.h"
#include "runner/structure_tensors.h"

namespace tritonrl::runner {
namespace {

std::map<StepPlace, LaunchChoice> choices_of(const RunRequest& request) {
  std::map<StepPlace, LaunchChoice> out;
  for (const LaunchChoice& choice : request.launches) out[choice.at] = choice;
  return out;
}

}  // namespace

Replay::Replay(const RunRequest& request, MemorySpace& space, const MakeExecutor& make_executor)
    : request_(request),
      program_(*request.program),
      plan_(plan_of(request)),
      liveness_(request, plan_),
      storages_(program_, request.garbage_seed, request.memory_bytes, space),
      executor_(make_executor(request, storages_)),
      choices_(choices_of(request)),
      tf32_(request.tf32) {}

RunOutcome Replay::run() {
  try {
    run_all();
  } catch (Stop& stop) {
    outcome_.kind = stop.kind;
    outcome_.message = std::move(stop.message);
    outcome_.mismatch = std::move(stop.mismatch);
    outcome_.answer = std::move(stop.answer);
    outcome_.at = at_;
  } catch (const std::bad_alloc&) {
    outcome_.kind = RunOutcome::Kind::kOutOfMemory;
    outcome_.message = "no memory";
    outcome_.at = at_;
  }
  return std::move(outcome_);
}

void Replay::run_all() {
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const PlannedSection& section = plan_[i];
    if (section.fresh && i > 1 && !request_.keep_state) restore_state();
    run_planned(i, seed_of(request_, section));
    if (done_) return;
    if (section.section == Section::kInitialise && request_.forwards.size() > 1 && !request_.keep_state) save_state();
    if (section.section != Section::kInitialise && !section.helper) keep_results(section);
    release(i);
  }
  find_overwritten();
  if (request_.alone) throw Stop{RunOutcome::Kind::kMalformed, "the launch to run alone is not reached"};
  if (request_.question) outcome_.answer = answer_to(*request_.question, storages_);
}

void Replay::run_planned(std::size_t index, std::uint64_t seed) {
  const PlannedSection& section = plan_[index];
  at::manual_seed(seed);
  if (section.given) {
    give_inputs(section.forward);
  } else if (request_.oracle && section.section == Section::kForward) {
    const program::Structure& outputs = program_.forwards[static_cast<std::size_t>(section.forward)].outputs;
    const std::vector<program::TensorRef> refs = tensors_of(outputs);
    const std::vector<at::Tensor> made = run_widened(index);
    for (std::size_t i = 0; i < refs.size() && request_.want_outputs; ++i) {
      const program::Tensor& tensor = storages_.tensor(refs[i]);
      pending_.outputs.push_back(
          {.dtype = oracle_type(tensor.dtype), .sizes = tensor.sizes, .bytes = Storages::elements_of(made[i])});
    }
  } else {
    run_section(index);
  }
  if (section.section == Section::kInitialise && !done_) finish_initialise();
}

void Replay::release(std::size_t index) {
  for (const int storage : liveness_.dead_after(index)) drop(storage);
}

// The plan knows of one run of each section.
void Replay::drop(int storage) {
  if (!holds_ || !initial_[static_cast<std::size_t>(storage)]) storages_.drop(storage);
}

void Replay::hold_state() {
  save_state();
  holds_ = true;
}

void Replay::run_section(std::size_t index) {
  const PlannedSection& section = plan_[index];
  const std::vector<program::Step>& steps = *steps_of(program_, section.section, section.forward);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    at_ = {section.section, section.forward, static_cast<int>(i)};
    run_step(steps[i]);
    if (done_) return;
    if (section.section == Section::kInitialise) {
      for (const DrawnTensor& drawn : request_.drawn) {
        if (drawn.step == at_.step) storages_.set_contents(drawn.given.tensor, drawn.given.bytes);
      }
    }
    for (const int storage : liveness_.dead_after(index, i)) drop(storage);
  }
}

std::vector<at::Tensor> Replay::run_widened(std::size_t index) {
  const int forward = plan_[index].forward;
  at_ = {Section::kForward, forward, 0};
  WidenedForward wide(request_, forward, storages_);
  const std::size_t steps = program_.forwards[static_cast<std::size_t>(forward)].steps.size();
  for (std::size_t i = 0; i < steps; ++i) {
    at_.step = static_cast<int>(i);
    wide.run_step(i);
    for (const int storage : liveness_.dead_after(index, i)) {
      drop(storage);
      wide.drop(storage);
    }
  }
  return wide.outputs();
}

void Replay::finish_initialise() {
  for (const GivenTensor& given : request_.state) storages_.set_contents(given.tensor, given.bytes);
  if (request_.want_state) {
    for (const program::NamedTensor& one : program_.state) outcome_.state.push_back(data_of(one.tensor));
  }
}

void Replay::prepare_memory(std::size_t index) {
  for (const program::Step& step : *steps_of(program_, plan_[index].section, plan_[index].forward)) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op == nullptr || op->kind != program::OperatorKind::kAllocate) continue;
    program::for_each_tensor(call->result, [&](program::TensorRef ref) {
      storages_.prepare(storages_.tensor(ref).storage, storages_.tensor(ref).dtype);
    });
  }
}

void Replay::run_step(const program::Step& step) {
  if (const auto* call = std::get_if<program::AtenCall>(&step)) {
    const Rounding rounding = tf32_ ? Rounding::kTf32 : request_.noisy ? Rounding::kNoisy : Rounding::kNone;
    execute(program_, *call, storages_, Layout::kExact, rounding);
  } else if (const auto* launch = std::get_if<program::Launch>(&step)) {
    run_launch(*launch);
  } else if (request_.check_answers && at_.section != Section::kInputs) {
    check_answer(std::get<program::Question>(step));
  }
}

void Replay::run_launch(const program::Launch& launch) {
  if (std::find(request_.silenced.begin(), request_.silenced.end(), at_) != request_.silenced.end()) return;
  const auto choice = choices_.find(at_);
  if (choice == choices_.end()) {
    throw Stop{RunOutcome::Kind::kNotExecutable,
               "no image is given for kernel " + program_.kernels[static_cast<std::size_t>(launch.kernel)].name};
  }
  done_ = request_.alone && request_.alone->at == at_;
  LaunchReport report = done_ ? executor_->launch_alone(launch, choice->second, *request_.alone, &outcome_.alone)
                              : executor_->launch(launch, choice->second);
  report.at = at_;
  outcome_.launches.push_back(std::move(report));
  const LaunchReport& kept = outcome_.launches.back();
  if (!kept.completed) throw Stop{kind_of(kept), kept.findings.empty() ? "" : kept.findings.back().message};
}

void Replay::check_answer(const program::Question& question) {
  const program::Value real = answer_to(question, storages_);
  if (same_answer(real, question.answer)) return;
  throw Stop{RunOutcome::Kind::kOtherAnswer,
             "the recording holds for the answer " + program::to_json(question.answer) + ", here it is " +
                 program::to_json(real),
             std::nullopt, real};
}

void Replay::give_inputs(int forward) {
  at_ = {Section::kInputs, forward, 0};
  const GivenInputs& given = given_to(forward);
  const auto refs = tensors_of(program_.forwards[static_cast<std::size_t>(forward)].inputs);
  for (std::size_t i = 0; i < refs.size(); ++i) storages_.set_contents(refs[i], given.tensors[i]);
}

const GivenInputs& Replay::given_to(int forward) const {
  return *std::find_if(request_.inputs.begin(), request_.inputs.end(),
                       [&](const GivenInputs& inputs) { return inputs.forward == forward; });
}

TensorData Replay::data_of(program::TensorRef ref) {
  const program::Tensor& tensor = storages_.tensor(ref);
  return {.dtype = tensor.dtype, .sizes = tensor.sizes, .bytes = storages_.contents(ref)};
}

std::vector<TensorData> Replay::data_of(const program::Structure& structure) {
  std::vector<TensorData> out;
  for (const program::TensorRef ref : tensors_of(structure)) out.push_back(data_of(ref));
  return out;
}

void Replay::keep_results(const PlannedSection& section) {
  const program::Forward& forward = program_.forwards[static_cast<std::size_t>(section.forward)];
  if (request_.watch) {
    const bool input = section.section == Section::kInputs;
    const auto refs = tensors_of(input ? forward.inputs : forward.outputs);
    for (std::size_t i = 0; i < refs.size(); ++i) {
      Watched& one = watched_.emplace_back();
      one.what = {section.forward, input, static_cast<int>(i)};
      one.tensor = refs[i];
      const bool shares = std::ranges::any_of(refs, [&](const program::TensorRef& other) {
        return &other != &refs[i] && storages_.tensor(other).storage == storages_.tensor(refs[i]).storage;
      });
      if (section.given && !shares && storages_.is_whole(refs[i]))
        one.given = &given_to(section.forward).tensors[i];
      else
        one.bytes = storages_.contents(refs[i]);
    }
  }
  if (section.section == Section::kInputs) {
    pending_ = {.forward = section.forward, .inputs = {}, .outputs = {}};
    if (request_.want_inputs) pending_.inputs = data_of(forward.inputs);
    return;
  }
  if (request_.want_outputs && !request_.oracle) pending_.outputs = data_of(forward.outputs);
  outcome_.forwards.push_back(std::move(pending_));
}

void Replay::find_overwritten() {
  for (const Watched& one : watched_) {
    if (!storages_.holds(one.tensor, one.given != nullptr ? *one.given : one.bytes))
      outcome_.overwritten.push_back(one.what);
  }
}

void Replay::save_state() {
  saved_.clear();
  initial_.assign(program_.storages.size(), false);
  for (std::size_t i = 0; i < initial_.size(); ++i) initial_[i] = storages_.exists(static_cast<int>(i));
  std::vector<bool> saved(initial_.size(), false);
  for (const PlannedSection& section : plan_) {
    if (section.section == Section::kInitialise) continue;
    for (const int storage : written_by(program_, *steps_of(program_, section.section, section.forward))) {
      const auto at = static_cast<std::size_t>(storage);
      if (!initial_[at] || saved[at]) continue;
      saved[at] = true;
      saved_.push_back(storages_.save(storage));
    }
  }
}

void Replay::restore_state() {
  for (std::size_t i = 0; i < initial_.size(); ++i) {
    if (!initial_[i]) storages_.drop(static_cast<int>(i));
  }
  for (const Storages::Saved& saved : saved_) storages_.restore(saved);
}

}  // namespace tritonrl::runner
