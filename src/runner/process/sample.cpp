#include "runner/process/sample.h"

#include <ATen/Context.h>

#include <algorithm>
#include <cstring>

#include "program/operator_table.h"
#include "runner/process/aten_call.h"
#include "runner/process/stop.h"
#include "runner/request_wire.h"

namespace tritonrl::runner {
namespace {

constexpr std::int64_t kMaxIntegerBytes = std::int64_t{64} << 20;
constexpr std::int64_t kMaxFloatBytes = std::int64_t{4} << 20;

bool holds_integers(program::DType dtype) {
  return !program::is_floating(dtype) && dtype != program::DType::kComplex64 && dtype != program::DType::kComplex128;
}

}  // namespace

Sample::Sample(const RunRequest& request, ReadyKernels& kernels)
    : request_(request),
      program_(*request.program),
      plan_(plan_of(request)),
      liveness_(request, plan_),
      storages_(program_, request.garbage_seed, request.memory_bytes),
      executor_(request, storages_, kernels),
      real_(program_.storages.size(), false) {
  for (std::size_t i = 0; i < real_.size(); ++i) real_[i] = !program_.storages[i].constant.empty();
  if (request.rows) values_.emplace(request, storages_);
}

RunOutcome Sample::run() {
  try {
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      at::manual_seed(seed_of(request_, plan_[i]));
      run_section(i);
      if (plan_[i].section == Section::kForward) outcome_.forwards.emplace_back().forward = plan_[i].forward;
    }
    if (values_) outcome_.rows = values_->rows();
  } catch (Stop& stop) {
    outcome_.kind = stop.kind;
    outcome_.message = std::move(stop.message);
    outcome_.at = at_;
  } catch (const std::bad_alloc&) {
    outcome_.kind = RunOutcome::Kind::kOutOfMemory;
    outcome_.message = "no memory";
    outcome_.at = at_;
  }
  return std::move(outcome_);
}

void Sample::run_section(std::size_t index) {
  const PlannedSection& section = plan_[index];
  const std::vector<program::Step>& steps = *steps_of(program_, section.section, section.forward);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    at_ = {section.section, section.forward, static_cast<int>(i)};
    if (const auto* call = std::get_if<program::AtenCall>(&steps[i])) run_call(*call, section.section);
    if (const auto* launch = std::get_if<program::Launch>(&steps[i])) run_launch(*launch);
    if (section.section == Section::kInitialise) give_drawn(at_.step);
    if (section.given) continue;  // its steps are not counted as uses
    drop(liveness_.dead_after(index, i));
  }
  drop(liveness_.dead_after(index));
}

void Sample::drop(const std::vector<int>& storages) {
  for (const int storage : storages) {
    if (!values_ || !values_->needs(storage)) storages_.drop(storage);
  }
}

void Sample::give_drawn(int step) {
  for (const DrawnTensor& drawn : request_.drawn) {
    if (drawn.step != step) continue;
    const program::TensorRef ref = drawn.given.tensor;
    const int storage = storages_.tensor(ref).storage;
    storages_.settle(storage);
    storages_.set_contents(ref, drawn.given.bytes);
    if (storages_.is_whole(ref)) real_[static_cast<std::size_t>(storage)] = true;
    if (values_) values_->give(ref);
  }
}

void Sample::run_call(const program::AtenCall& call, Section section) {
  const program::Operator* op = program::find_operator(call.op);
  if (op == nullptr) throw Stop{RunOutcome::Kind::kMalformed, call.op + " is not allowed"};
  if (is_pure_view(program_, call, *op)) return;
  if (values_ && values_->compute(call, *op, section)) {
    program::for_each_tensor(call.result, [&](program::TensorRef ref) {
      const int storage = storages_.tensor(ref).storage;
      real_[static_cast<std::size_t>(storage)] = !storages_.is_lazy(storage);
    });
    return;
  }
  const bool computed = compute(call, *op);
  if (!computed) invent(call, *op);
  if (values_) program::for_each_tensor(call.result, [&](program::TensorRef ref) { values_->forget(ref); });
}

bool Sample::is_real(program::TensorRef ref) {
  return real_[static_cast<std::size_t>(storages_.tensor(ref).storage)];
}

bool Sample::compute(const program::AtenCall& call, const program::Operator& op) {
  bool cheap = !program::is_heavy(op.kind);
  const auto read = [&](program::TensorRef ref) { cheap = cheap && is_real(ref); };
  for (const program::Value& value : call.args) program::for_each_tensor(value, read);
  for (const auto& [name, value] : call.kwargs) program::for_each_tensor(value, read);
  program::for_each_tensor(call.result, [&](program::TensorRef ref) {
    const program::Tensor& made = storages_.tensor(ref);
    const bool integers = holds_integers(made.dtype);
    cheap = cheap && storages_.bytes(made.storage) <= (integers ? kMaxIntegerBytes : kMaxFloatBytes);
    cheap = cheap && (integers || op.kind != program::OperatorKind::kAllocate);
  });
  if (!cheap) return false;
  try {
    execute(program_, call, storages_);
  } catch (const Stop&) {
    return false;
  }
  program::for_each_tensor(call.result, [&](program::TensorRef ref) {
    const int storage = storages_.tensor(ref).storage;
    real_[static_cast<std::size_t>(storage)] = true;
    if (op.kind != program::OperatorKind::kAllocate) return;
    // no garbage: an index that a sampled kernel did not write must still be one
    std::memset(storages_.data(storage), 0, static_cast<std::size_t>(storages_.bytes(storage)));
    storages_.define(storage);
  });
  return true;
}

void Sample::invent(const program::AtenCall& call, const program::Operator& op) {
  program::for_each_tensor(call.result, [&](program::TensorRef ref) {
    const program::Tensor& made = storages_.tensor(ref);
    real_[static_cast<std::size_t>(made.storage)] = false;
    if (!storages_.exists(made.storage)) storages_.make_lazy(made.storage, made.dtype);
  });
  std::string why;
  const auto bound = program::bind_arguments(call, op, &why);
  if (!bound) throw Stop{RunOutcome::Kind::kMalformed, call.op + ": " + why};
  for_each_written(op, *bound, [&](program::TensorRef ref) {
    real_[static_cast<std::size_t>(storages_.tensor(ref).storage)] = false;
    if (values_) values_->forget(ref);
  });
}

void Sample::run_launch(const program::Launch& launch) {
  if (std::find(request_.silenced.begin(), request_.silenced.end(), at_) != request_.silenced.end()) return;
  const auto choice = std::find_if(request_.launches.begin(), request_.launches.end(),
                                   [&](const LaunchChoice& one) { return one.at == at_; });
  if (choice == request_.launches.end()) {
    throw Stop{RunOutcome::Kind::kNotExecutable,
               "no image is given for kernel " + program_.kernels[static_cast<std::size_t>(launch.kernel)].name};
  }
  LaunchReport report = executor_.launch(launch, *choice);
  report.at = at_;
  outcome_.launches.push_back(std::move(report));
  const LaunchReport& kept = outcome_.launches.back();
  if (values_) values_->launched(kept);
  if (!kept.completed) throw Stop{kind_of(kept), kept.findings.empty() ? "" : kept.findings.back().message};
}

}  // namespace tritonrl::runner
