#include "judge/stages/compile.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "judge/mending.h"
#include "judge/rules/names.h"
#include "judge/rules/rule_table.h"
#include "text/python_scan.h"

namespace tritonrl::judge {

using record::VerdictKind;
using RecordKind = python::RecordOutcome::Kind;

namespace {

// Nothing: it was recorded.
std::optional<Finding> check_recording(const Trial& trial, const python::RecordOutcome& outcome, TrialLog& log) {
  Violation what{.message = (outcome.phase.empty() ? "" : outcome.phase + ": ") +
                            (outcome.exception.empty() ? "" : outcome.exception + ": ") + outcome.message};
  if (outcome.line > 0) what.at = record::SourcePlace{outcome.file, outcome.line, outcome.code};
  switch (outcome.kind) {
    case RecordKind::kRecorded:
      log.passed("recorded", std::to_string(outcome.program->forwards.back().steps.size()) + " steps in forward");
      return std::nullopt;
    case RecordKind::kRaised:
      if (outcome.exception == "MemoryError") return log.refuse({VerdictKind::kCrashed, "", what});
      what.advice = "the file must run at the task's own sizes";
      return log.refuse({VerdictKind::kCompileError, "", what});
    case RecordKind::kNotRecordable:
      return log.refuse(broken(outcome.too_many_questions ? rules::kQuestions : rules::kNotRecordable, what));
    case RecordKind::kBadTask:
      throw base::UserError("task", trial.submission.task.id + ": " + outcome.message);
    case RecordKind::kBadCandidate:
      return log.refuse(broken(rules::kNoEntryPoint, what));
    case RecordKind::kIntrusion:
      return log.refuse(*intrusion_in(outcome));
    case RecordKind::kTimeout:
      what.message = "while it was recorded: " + what.message;
      return log.refuse({VerdictKind::kTimeout, "", what});
    case RecordKind::kCrashed:
    case RecordKind::kMalformed:
      break;
  }
  return log.refuse({VerdictKind::kCrashed, "", what});
}

constexpr int kManyCalls = 60, kVeryManyCalls = 600, kManySteps = 6000;
constexpr int kManyAskingCalls = 24;  // of a file that draws lots and asks for values: each is computed

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "time" is a word of many a sentence: as `times` it is no module.
bool stands_alone(const std::string& code, std::size_t at, std::string_view source) {
  const std::size_t end = at + source.size();
  return (at == 0 || !is_word(code[at - 1])) && (source != "time" || end == code.size() || !is_word(code[end]));
}

// "self.calls = …", "seen[key] = …" or "seen.append(…)" in a function that is no constructor: what one call leaves for
// the next.
bool keeps_something(const std::string& code) {
  bool constructor = true;  // or no function at all
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    const std::string_view text = std::string_view(line).substr(begin);
    if (begin == 0 || text.starts_with("def "))
      constructor = !text.starts_with("def ") || text.starts_with("def __init__");
    if (constructor) continue;
    for (const char* change : {".append(", ".extend(", ".insert(", ".add(", "setattr(", "__dict__"}) {
      if (text.find(change) != std::string_view::npos) return true;
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    if (equals + 1 < text.size() && text[equals + 1] == '=') continue;
    std::string_view target = text.substr(0, equals);
    target = target.substr(0, target.find_last_not_of(" +-*/|^") + 1);
    const std::size_t end = target.find_first_of(".[");
    const bool name = end != std::string_view::npos && std::ranges::all_of(target.substr(0, end), is_word);
    if (name && end > 0 && target.find('(') == std::string_view::npos) return true;
  }
  return false;
}

// What is said in comments is not executed.
std::string without_comments(std::string code) {
  const std::string kinds = text::byte_kinds(code);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (kinds[i] == text::kComment) code[i] = ' ';
  }
  return code;
}

// Whether its text knows a source of chance, or counts: what it does seldom, or late, is looked for in more calls.
bool draws_lots(const std::string& text) {
  constexpr std::string_view kSources[] = {"random", "urandom", "time",     "timeit",       "time_ns", "datetime",
                                           "hash",   "uuid",    "secrets",  "perf_counter", "id(",     "next(",
                                           "global", "iter(",   "nonlocal", "itertools"};
  const std::string code = without_comments(text);
  if (code.find("+= 1") != std::string::npos || code.find(".pop(") != std::string::npos) return true;
  if (keeps_something(code)) return true;
  for (const std::string_view source : kSources) {
    for (std::size_t at = code.find(source); at != std::string::npos; at = code.find(source, at + 1)) {
      if (stands_alone(code, at, source)) return true;  // program_id( does not
    }
  }
  return false;
}

// A file may refuse other sizes, but not keep us waiting there.
std::optional<Finding> check_other_sizes(const Recorded& recorded, TrialLog& log) {
  for (const auto* one : {&recorded.small, &recorded.tiny, &recorded.odd, &recorded.half}) {
    if (!*one) continue;
    if (auto finding = intrusion_in(**one)) return log.refuse(*std::move(finding));
    if ((*one)->kind == RecordKind::kTimeout) {
      const std::string what = "while it was recorded at other sizes than the task's own: " + (*one)->message;
      return log.refuse({VerdictKind::kTimeout, "", {.message = what}});
    }
  }
  return std::nullopt;
}

std::optional<Finding> check_programs(const Trial& trial, const Recorded& recorded, TrialLog& log) {
  Evidence real = trial.evidence();
  real.reference = &trial.task->reference;
  real.candidate = &*recorded.real.program;
  if (auto finding = first_broken({LooksAt::kRealRecording, LooksAt::kAnyRecording}, real, log, Tell::kWhatHolds))
    return finding;
  const auto at_size = [&](const std::optional<SizedTask>& size, const std::optional<python::RecordOutcome>& one) {
    if (!size || !one || !one->program) return std::optional<Finding>();
    Evidence evidence = trial.evidence();
    evidence.reference = &size->reference;
    evidence.candidate = &*one->program;
    return first_broken({LooksAt::kAnyRecording}, evidence, log, Tell::kWhatHolds);
  };
  if (auto finding = at_size(trial.task->small, recorded.small)) return finding;
  if (auto finding = at_size(trial.task->tiny, recorded.tiny)) return finding;
  if (auto finding = at_size(trial.task->odd, recorded.odd)) return finding;
  if (auto finding = at_size(trial.task->half, recorded.half)) return finding;
  return first_broken({LooksAt::kLaunches}, real, log, Tell::kWhatHolds);
}

std::string too_many_compilations() {
  return "compile: its launches ask for more than " + std::to_string(kMostCompilations) +
         " different compilations (kernels, constants, types); that is more than a candidate's time allows";
}

// Of several configurations the first that works out has machine code; the one that is timed gets it later. A GPU
// tries them all.
CompileChoice at_real_sizes(const Trial& trial) {
  return {.machine_code = trial.tools.device == nullptr ? MachineCodeFor::kFirst : MachineCodeFor::kAll,
          .all_variants = true,
          .budget = trial.budget};
}

// All sizes ask for much the same: one process for all of it.
void compile_ahead(const Trial& trial, const Recorded& recorded) {
  std::vector<std::pair<const program::Program*, CompileChoice>> programs = {
      {&*recorded.real.program, at_real_sizes(trial)}};
  for (const auto* one : {&recorded.small, &recorded.tiny, &recorded.odd, &recorded.half}) {
    if (*one && (*one)->program)
      programs.push_back({&*(*one)->program, {.all_variants = true, .budget = trial.budget}});
  }
  trial.tools.replayer.compile_ahead(programs, &trial.memo());
}

std::optional<Finding> check_compiled(const CompiledProgram& real, TrialLog& log) {
  for (const python::CompiledKernel& kernel : real.kernels) {
    if (kernel.cubin.empty()) continue;
    log.passed("compiled", kernel.entry + ": " + std::to_string(kernel.registers) + " registers, " +
                               std::to_string(kernel.shared_bytes) + " bytes of shared memory");
  }
  if (!real.failure) return std::nullopt;
  const python::CompileOutcome& outcome = real.failure->outcome;
  const bool timeout = outcome.kind == python::CompileOutcome::Kind::kTimeout;
  return log.refuse({timeout ? VerdictKind::kTimeout : VerdictKind::kCompileError,
                     "",
                     {.message = "kernel " + real.failure->kernel + ": " + outcome.message, .line = outcome.at}});
}

// Each takes a part of a second: what asks for hundreds would spend its whole time here.
std::optional<Finding> check_compilations(const Recorded& recorded, TrialLog& log) {
  for (const auto* one : {&recorded.small, &recorded.tiny, &recorded.odd, &recorded.half}) {
    if (*one && (*one)->program && Replayer::compilations_of(*(*one)->program) > kMostCompilations)
      return log.refuse({VerdictKind::kTimeout, "", {.message = too_many_compilations()}});
  }
  if (Replayer::compilations_of(*recorded.real.program) <= kMostCompilations) return std::nullopt;
  return log.refuse({VerdictKind::kTimeout, "", {.message = too_many_compilations()}});
}

// At small sizes many calls cost little, where none asks for values: what is done now and then shows.
int calls_again(const Trial& trial, const program::Program& first, bool small) {
  if (!small) return kFewForwards;
  const program::Forward& last = first.forwards.back();
  const bool lots = draws_lots(trial.submission.code);
  const bool asks = asks_for_values(last.make_inputs) || asks_for_values(last.steps);
  const int wanted = asks ? (lots ? kManyAskingCalls : kFewForwards) : lots ? kVeryManyCalls : kManyCalls;
  const int steps = std::max<int>(1, static_cast<int>(last.steps.size()));
  return std::max(kFewForwards, std::min(wanted, kManySteps / steps));
}

std::optional<Finding> check_second_process(const Trial& trial, const Recorded& recorded, TrialLog& log) {
  if (!trial.on(rules::kStability)) return std::nullopt;
  struct Again {
    const program::Program& first;
    const record::Task& size;
    const Draw* draw;
  };
  std::vector<Again> all;  // in another order than in the first process
  const std::optional<SizedTask>& small = trial.task->small;
  if (recorded.small && recorded.small->program)
    all.push_back({*recorded.small->program, small->task, small->find("original")});
  all.push_back({*recorded.real.program, trial.submission.task, nullptr});
  std::vector<python::RecordRequest> requests;
  for (const Again& one : all) {
    Replayer::Draws draws;
    draws.most_bytes = kAnswerableBytes;
    draws.budget = trial.budget;
    if (one.draw != nullptr) {
      draws.seed = one.draw->seed;
      draws.inputs = one.draw->inputs;
    }
    requests.push_back(trial.request_at(one.size, trial.precision, calls_again(trial, one.first, one.draw != nullptr)));
    requests.back().answer = trial.tools.replayer.answerer(std::move(draws));
  }
  const std::vector<python::RecordOutcome> outcomes =
      trial.tools.second_recorder.record_all(requests, trial.record_limits());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const python::RecordOutcome& outcome = outcomes[i];
    if (outcome.kind == RecordKind::kTimeout)
      return log.refuse({VerdictKind::kTimeout, "", {.message = "in a second process: " + outcome.message}});
    if (auto finding = intrusion_in(outcome)) return log.refuse(*std::move(finding));
    if (!outcome.program) {
      return log.refuse(broken(rules::kStability, {.message = "in a second process the file behaves otherwise: " +
                                                              outcome.exception + " " + outcome.message}));
    }
    Evidence evidence = trial.evidence();
    evidence.reference = all[i].draw == nullptr ? &trial.task->reference : &small->reference;
    evidence.candidate = &all[i].first;
    evidence.again = &*outcome.program;
    if (auto finding = first_broken({LooksAt::kTwoRecordings}, evidence, log, Tell::kWhatHolds)) return finding;
  }
  return std::nullopt;
}

}  // namespace

Reached<Compiled> compile_all(const Trial& trial, Recorded recorded, TrialLog& log) {
  Compiled out;
  if (const auto finding = check_recording(trial, recorded.real, log)) return *finding;
  if (!trial.submission.reference_itself) {
    if (const auto finding = check_other_sizes(recorded, log)) return *finding;
    if (const auto finding = check_programs(trial, recorded, log)) return *finding;
    if (const auto finding = check_compilations(recorded, log)) return *finding;
    compile_ahead(trial, recorded);
    out.real.compiled = trial.tools.replayer.compile(*recorded.real.program, at_real_sizes(trial), &trial.memo());
    if (const auto finding = check_compiled(out.real.compiled, log)) return *finding;
    if (const auto finding = check_second_process(trial, recorded, log)) return *finding;
  }
  out.real.recording = std::move(recorded.real);
  const auto size = [&](std::optional<python::RecordOutcome>& recording, std::optional<SizedCandidate>& candidate) {
    if (recording) candidate = trial.sized(std::move(*recording));
  };
  size(recorded.small, out.small);
  size(recorded.tiny, out.tiny);
  size(recorded.odd, out.odd);
  size(recorded.half, out.half);
  return out;
}

}  // namespace tritonrl::judge
