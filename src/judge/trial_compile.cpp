#include "base/error.h"
#include "judge/program_rules.h"
#include "judge/rules.h"
#include "judge/trial.h"

// Stages ast and compile: what the file says, what was recorded of it, and whether its kernels compile for the target.

namespace tritonrl::judge {

using record::VerdictKind;
using RecordKind = python::RecordOutcome::Kind;

namespace {

// Real sizes may be beyond what can be computed here: then a question's answer is assumed.
constexpr double kAnswerableBytes = 256e6;
// Beyond what the rule on questions allows in three forwards and a constructor.
constexpr int kMaxQuestions = 400;

}  // namespace

void Trial::record() {
  std::vector<python::RecordRequest> requests;
  std::vector<python::RecordOutcome*> owners;
  const auto add = [&](const record::Task& task, const std::string& precision, int forwards, const Draw* draw,
                       python::RecordOutcome* owner) {
    python::RecordRequest request = request_at(task, precision, forwards);
    Replayer::Draws draws;
    draws.most_bytes = kAnswerableBytes;
    if (draw != nullptr) {
      draws.seed = draw->seed;
      draws.inputs = draw->inputs;
    }
    request.answer = context_.replayer.answerer(std::move(draws));
    request.max_questions = on(rules::kQuestions) ? kMaxQuestions : 0;
    requests.push_back(std::move(request));
    owners.push_back(owner);
  };
  const std::string precision = task_->small ? task_->small->precision : "";
  add(submission_.task, precision, kForwards, nullptr, &real_recording_);
  requests.front().check_source = !submission_.reference_itself;
  requests.front().needed = true;
  const auto add_sized = [&](const std::optional<SizedTask>& sized, int forwards,
                             std::optional<python::RecordOutcome>& owner) {
    if (sized) add(sized->task, sized->precision, forwards, sized->find("original"), &owner.emplace());
  };
  add_sized(task_->small, kForwards, small_recording_);
  if (options_.staged_tiny_batch_first) add_sized(task_->tiny, kFewForwards, tiny_recording_);
  if (wants("shape")) add_sized(task_->odd, kFewForwards, odd_recording_);
  if (wants("dtype")) add_sized(task_->half, kFewForwards, half_recording_);
  std::vector<python::RecordOutcome> outcomes = context_.replayer.recorder().record_all(requests);
  for (std::size_t i = 0; i < outcomes.size(); ++i) *owners[i] = std::move(outcomes[i]);
  verdict_.sandbox = to_string(real_recording_.level);
}

bool Trial::check_source() {
  if (submission_.reference_itself) return true;
  const std::optional<python::SourceReport>& source = real_recording_.source;
  if (!source) return true;  // the process died before it could look: the next stage says how
  const auto refuse = [&](std::string_view rule, const std::string& message, int line, const std::string& advice) {
    if (line > 0)
      verdict_.at = record::SourcePlace{submission_.name.empty() ? "candidate.py" : submission_.name, line, ""};
    if (line > 0 && !source->code.empty()) verdict_.at->code = source->code;
    verdict_.advice = advice;
    return fail(VerdictKind::kInvalid, rule, message);
  };
  if (!source->parses) return refuse(rules::kSyntax, source->error, source->line, "the file must be valid Python");
  if (!source->has_entry_class)
    return refuse(rules::kNoEntryPoint, "the file defines no class ModelNew", 0, "define class ModelNew(nn.Module)");
  if (!on(rules::kAst)) return true;
  if (source->jit_functions.empty())
    return refuse(rules::kNoKernel, "the file holds no Triton kernel", 0,
                  "write a function under @triton.jit and launch it from ModelNew.forward");
  bool real = false, referenced = false;
  for (const python::JitFunction& function : source->jit_functions) {
    real = real || function.real_body;
    referenced = referenced || function.referenced;
  }
  const int line = source->jit_functions.front().line;
  if (!real) return refuse(rules::kEmptyKernel, "no kernel has a body that does anything", line, "");
  if (!referenced) return refuse(rules::kNotLaunched, "no kernel is used anywhere in the file", line, "");
  passed("ast", std::to_string(source->jit_functions.size()) + " kernels");
  return true;
}

bool Trial::check_recording() {
  const python::RecordOutcome& outcome = real_recording_;
  if (outcome.line > 0) verdict_.at = record::SourcePlace{outcome.file, outcome.line, outcome.code};
  const std::string text = (outcome.phase.empty() ? "" : outcome.phase + ": ") +
                           (outcome.exception.empty() ? "" : outcome.exception + ": ") + outcome.message;
  switch (outcome.kind) {
    case RecordKind::kRecorded:
      passed("recorded", std::to_string(outcome.program->forwards.back().steps.size()) + " steps in forward");
      return true;
    case RecordKind::kRaised:
      verdict_.advice = "the file must run at the task's own sizes";
      return fail(VerdictKind::kCompileError, "", text);
    case RecordKind::kNotRecordable:
      if (outcome.too_many_questions) return fail(VerdictKind::kCheated, rules::kQuestions, text);
      return fail(VerdictKind::kCompileError, rules::kNotRecordable, text);
    case RecordKind::kBadTask:
      throw base::UserError("task", submission_.task.id + ": " + outcome.message);
    case RecordKind::kBadCandidate:
      return fail(VerdictKind::kInvalid, rules::kNoEntryPoint, text);
    case RecordKind::kTimeout:
      return fail(VerdictKind::kTimeout, "", text);
    case RecordKind::kCrashed:
    case RecordKind::kMalformed:
      return fail(VerdictKind::kCrashed, "", text);
  }
  return false;
}

bool Trial::compile() {
  if (!check_recording()) return false;
  if (submission_.reference_itself) return true;
  return check_programs() && compile_for_target() && check_second_process();
}

bool Trial::check_programs() {
  const program::Program& real = *real_recording_.program;
  const program::Target& target = context_.target;
  if (!check(check_inputs(task_->reference, real), rules::kInputs, VerdictKind::kCheated)) return false;
  if (!check(check_launched(real), rules::kNotLaunched, VerdictKind::kInvalid)) return false;
  if (!check(check_kernel_in_file(real, code_), rules::kKernelInFile, VerdictKind::kCheated)) return false;
  if (options_.policy == "strict" && !check(check_strict(real), rules::kStrict, VerdictKind::kCheated)) return false;
  if (!check(check_questions(real), rules::kQuestions, VerdictKind::kCheated)) return false;
  if (!check(check_host_constants(real), rules::kHostConstants, VerdictKind::kCheated)) return false;
  if (!check(check_work(task_->reference, real, target), rules::kWork, VerdictKind::kCheated)) return false;
  if (!check(check_steady(real), rules::kStability, VerdictKind::kCheated)) return false;
  const auto at_size = [&](const std::optional<SizedTask>& sized, const std::optional<python::RecordOutcome>& one) {
    if (!sized || !one || !one->program) return true;
    return check(check_inputs(sized->reference, *one->program), rules::kInputs, VerdictKind::kCheated) &&
           check(check_questions(*one->program), rules::kQuestions, VerdictKind::kCheated) &&
           check(check_host_constants(*one->program), rules::kHostConstants, VerdictKind::kCheated) &&
           check(check_work(sized->reference, *one->program, target), rules::kWork, VerdictKind::kCheated) &&
           check(check_steady(*one->program), rules::kStability, VerdictKind::kCheated);
  };
  return at_size(task_->small, small_recording_) && at_size(task_->tiny, tiny_recording_) &&
         at_size(task_->odd, odd_recording_) && check(check_grids(real), rules::kGridLimit, VerdictKind::kCrashed);
}

bool Trial::check_second_process() {
  if (!on(rules::kStability)) return true;
  std::vector<python::RecordRequest> requests;  // in another order than in the first process
  const std::string precision = task_->small ? task_->small->precision : "";
  if (small_recording_ && small_recording_->program)
    requests.push_back(request_at(task_->small->task, precision, kFewForwards));
  requests.push_back(request_at(submission_.task, precision, kFewForwards));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Replayer::Draws draws;
    draws.most_bytes = kAnswerableBytes;
    const Draw* draw = requests.size() == 2 && i == 0 ? task_->small->find("original") : nullptr;
    if (draw != nullptr) {
      draws.seed = draw->seed;
      draws.inputs = draw->inputs;
    }
    requests[i].answer = context_.replayer.answerer(std::move(draws));
  }
  const std::vector<python::RecordOutcome> outcomes = context_.second_recorder.record_all(requests);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].kind == RecordKind::kTimeout) return fail(VerdictKind::kTimeout, "", outcomes[i].message);
    if (!outcomes[i].program) {
      return fail(
          VerdictKind::kCheated, rules::kStability,
          "in a second process the file behaves otherwise: " + outcomes[i].exception + " " + outcomes[i].message);
    }
    const bool small = requests.size() == 2 && i == 0;
    const program::Program& first = small ? *small_recording_->program : *real_recording_.program;
    if (!check(check_stability(first, *outcomes[i].program), rules::kStability, VerdictKind::kCheated)) return false;
  }
  return true;
}

bool Trial::compile_for_target() {
  // all sizes ask for much the same: one process for all of it
  std::vector<std::pair<const program::Program*, CompileChoice>> programs = {
      {&*real_recording_.program, {.machine_code = true, .all_variants = true}}};
  for (const auto* one : {&small_recording_, &tiny_recording_, &odd_recording_, &half_recording_}) {
    if (*one && (*one)->program) programs.push_back({&*(*one)->program, {.all_variants = true}});
  }
  context_.replayer.compile_ahead(programs, &memo_);
  real_ = context_.replayer.compile(*real_recording_.program, {.machine_code = true, .all_variants = true}, &memo_);
  for (const python::CompiledKernel& kernel : real_.kernels) {
    passed("compiled", kernel.entry + ": " + std::to_string(kernel.registers) + " registers, " +
                           std::to_string(kernel.shared_bytes) + " bytes of shared memory");
  }
  if (!real_.failure) return true;
  const python::CompileOutcome& outcome = real_.failure->outcome;
  if (outcome.at.file >= 0) verdict_.at = place(outcome.at);
  const std::string message = "kernel " + real_.failure->kernel + ": " + outcome.message;
  if (outcome.kind == python::CompileOutcome::Kind::kTimeout) return fail(VerdictKind::kTimeout, "", message);
  return fail(VerdictKind::kCompileError, "", message);
}

}  // namespace tritonrl::judge
