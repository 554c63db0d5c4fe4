#include "judge/replay.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "judge/placed_launch.h"
#include "program/program_json.h"
#include "program/target.h"
#include "python/kernel_arguments.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using CompileKind = python::CompileOutcome::Kind;
using runner::Section;
using runner::StepPlace;

std::vector<PlacedLaunch> launches_of(const program::Program& program, bool initialise) {
  std::vector<PlacedLaunch> out;
  if (initialise) append_launches(program.initialise, Section::kInitialise, 0, out);
  for (std::size_t f = 0; f < program.forwards.size(); ++f) {
    append_launches(program.forwards[f].make_inputs, Section::kInputs, static_cast<int>(f), out);
    append_launches(program.forwards[f].steps, Section::kForward, static_cast<int>(f), out);
  }
  return out;
}

// All that a kernel's text is made of.
std::string text_key(const program::Kernel& kernel) {
  std::string out = kernel.name;
  for (const program::KernelFunction& function : kernel.functions) {
    out += "\n" + function.name + "\n" + function.source + "\n" + std::to_string(function.at.file) + " " +
           std::to_string(function.at.line);
  }
  for (const auto& [name, value] : kernel.constants) out += "\n" + name + "=" + value;
  for (const auto& [name, value] : kernel.imports) out += "\n" + name + "<" + value;
  return out;
}

// Launches that differ in none of this are the same to the compiler.
std::string compile_key(const std::string& text, const program::LaunchVariant& variant) {
  base::Json options = base::Json::object();
  for (const auto& [name, value] : variant.options) options[name] = program::to_json(value);
  const base::Result<base::Json> arguments = python::arguments_json(variant);
  return text + "\n" + (arguments.ok() ? arguments.value().dump() : arguments.error()) + options.dump();
}

}  // namespace

python::StrideOverride stride_override(const runner::RunOutcome& outcome) {
  using To = python::StrideOverride::Section;
  const StepPlace& at = *outcome.at;
  return {.section = at.section == Section::kInitialise ? To::kInitialise
                                                        : (at.section == Section::kInputs ? To::kInputs : To::kForward),
          .forward = at.forward,
          .step = at.step,
          .strides = outcome.mismatch->strides};
}

std::vector<python::StrideOverride> stride_overrides(const runner::RunOutcome& outcome,
                                                     const program::Program& program) {
  std::vector<python::StrideOverride> out = {stride_override(outcome)};
  if (outcome.at->section != Section::kForward) return out;
  const auto step = static_cast<std::size_t>(outcome.at->step);
  const auto operator_in = [&](const program::Forward& forward) -> const std::string* {
    const auto* call = step < forward.steps.size() ? std::get_if<program::AtenCall>(&forward.steps[step]) : nullptr;
    return call == nullptr ? nullptr : &call->op;
  };
  const std::string* here = operator_in(program.forwards[static_cast<std::size_t>(outcome.at->forward)]);
  for (std::size_t f = 0; f < program.forwards.size() && here != nullptr; ++f) {
    const std::string* there = operator_in(program.forwards[f]);
    if (static_cast<int>(f) == outcome.at->forward || there == nullptr || *there != *here) continue;
    out.push_back(out.front());
    out.back().forward = static_cast<int>(f);
  }
  return out;
}

ReplayerOptions in_background(ReplayerOptions options) {
  options.background = true;
  options.recorder.background = options.compiler.background = options.runner.background = true;
  options.recorder.preload_compiler = false;
  return options;
}

Replayer::Replayer(const ReplayerOptions& options)
    : threads_(std::make_shared<std::list<base::LastingThread>>()), max_recordings_(options.max_recordings) {
  auto recorder = base::made_aside(*threads_, [&] { return std::make_shared<python::Recorder>(options.recorder); });
  auto compiler =
      base::made_aside(*threads_, [&] { return std::make_shared<python::KernelCompiler>(options.compiler); });
  auto runner = base::made_aside(*threads_, [&] { return std::make_shared<runner::Runner>(options.runner); });
  recorder.wait();  // all, before one of them throws: they look at the options
  compiler.wait();
  runner.wait();
  recorder_ = recorder.get();
  compiler_ = compiler.get();
  runner_ = runner.get();
}

Replayer::Replayer(const Replayer& other, const runner::RunnerOptions& runner)
    : threads_(other.threads_),
      recorder_(other.recorder_),
      compiler_(other.compiler_),
      runner_(std::make_shared<runner::Runner>(runner)),
      max_recordings_(other.max_recordings_) {}

Replayer::~Replayer() = default;

python::Recorder& Replayer::recorder() {
  return *recorder_;
}

runner::Runner& Replayer::runner() {
  return *runner_;
}

python::Answerer Replayer::answerer(Draws draws) {
  return [this, draws = std::move(draws)](const program::Program& so_far,
                                          const program::Question& question) -> std::optional<program::Value> {
    double bytes = 0;
    for (const program::Storage& storage : so_far.storages) bytes += static_cast<double>(storage.bytes);
    if (draws.most_bytes > 0 && bytes > draws.most_bytes) return std::nullopt;
    const base::Budget budget = draws.budget.beside_another();  // the process that asks waits
    const CompiledProgram compiled = compile(so_far, {.budget = budget});
    if (compiled.failure) return std::nullopt;
    runner::RunRequest asked = runner::question_request(so_far, question, draws.seed);
    for (const runner::GivenInputs& given : draws.inputs) {
      const auto forward = static_cast<std::size_t>(given.forward);
      // one that is still making its inputs has none to be given
      if (forward < so_far.forwards.size() &&
          runner::tensors_of(so_far.forwards[forward].inputs).size() == given.tensors.size())
        asked.inputs.push_back(given);
    }
    for (const runner::DrawnTensor& drawn : draws.drawn) {
      if (static_cast<std::size_t>(drawn.step) < so_far.initialise.size()) asked.drawn.push_back(drawn);
    }
    asked.images = compiled.images;
    asked.launches = compiled.launches;
    return runner_->run(asked, budget).answer;
  };
}

python::RecordOutcome Replayer::record(python::RecordRequest request, std::uint64_t seed) {
  request.answer = answerer({.seed = seed, .inputs = {}});
  return recorder_->record(request);
}

namespace {

// What a launch asks of the compiler for one of its variants, and whether with machine code: `done` says whether
// another variant of the launch has that already.
python::CompileRequest request_for(const program::Program& program, const program::Launch& launch, std::size_t variant,
                                   MachineCodeFor choice, bool done) {
  python::CompileRequest out;
  out.kernel = &program.kernels[static_cast<std::size_t>(launch.kernel)];
  out.variant = &launch.variants[variant];
  out.target = &program::find_target(program.target);
  out.machine_code = choice == MachineCodeFor::kAll || (choice == MachineCodeFor::kFirst && !done);
  return out;
}

bool answers(const python::CompileOutcome& known, bool machine_code) {
  return !machine_code || !known.kernel.cubin.empty() || known.kind != CompileKind::kCompiled;
}

}  // namespace

python::CompileOutcome Replayer::compiled(const python::CompileRequest& request, const std::string& key,
                                          const base::Budget& budget, KernelMemo* memo) {
  if (memo != nullptr) {
    const auto known = memo->find(key);
    if (known != memo->end() && answers(known->second, request.machine_code)) return known->second;
  }
  python::CompileOutcome out = compiler_->compile(request, budget);
  if (memo != nullptr) (*memo)[key] = out;
  return out;
}

CompiledProgram Replayer::compile(const program::Program& program, const CompileChoice& choice, KernelMemo* memo) {
  CompiledProgram out;
  std::map<std::string, int> known;  // image, or -1 for what does not compile
  std::vector<std::string> texts;
  for (const program::Kernel& kernel : program.kernels) texts.push_back(text_key(kernel));
  for (const PlacedLaunch& placed : launches_of(program, choice.initialise)) {
    const std::size_t variants = std::min(kMostVariants, placed.launch->variants.size());
    std::optional<CompiledProgram::Failure> failure;
    bool compiles = false;
    for (std::size_t v = 0; v < variants && (choice.all_variants || !compiles); ++v) {
      const python::CompileRequest request = request_for(program, *placed.launch, v, choice.machine_code, compiles);
      const std::string key = compile_key(texts[static_cast<std::size_t>(placed.launch->kernel)], *request.variant);
      const auto [found, fresh] = known.try_emplace(key, static_cast<int>(out.images.size()));
      int& image = found->second;
      const bool lacks_code =
          !fresh && image >= 0 && request.machine_code && out.kernels[static_cast<std::size_t>(image)].cubin.empty();
      if (fresh || lacks_code) {
        python::CompileOutcome outcome = compiled(request, key, choice.budget, memo);
        if (outcome.kind != CompileKind::kCompiled) {
          image = -1;
          ++out.refused_variants;
          if (!failure) failure = {placed.at, static_cast<int>(v), request.kernel->name, std::move(outcome)};
        } else if (lacks_code) {
          out.kernels[static_cast<std::size_t>(image)] = std::move(outcome.kernel);
        } else {
          out.images.push_back({outcome.kernel.ir, outcome.kernel.signature, python::kSourceFile});
          out.kernels.push_back(std::move(outcome.kernel));
        }
      }
      if (image < 0) continue;
      compiles = true;
      out.launches.push_back({placed.at, static_cast<int>(v), image});
    }
    if (!compiles) {
      if (failure) out.failure = std::move(failure);
      return out;
    }
  }
  return out;
}

bool Replayer::add_machine_code(const program::Program& program, const runner::StepPlace& at, int variant,
                                const base::Budget& budget, CompiledProgram& compiled_program, KernelMemo* memo) {
  const auto choice = std::ranges::find_if(compiled_program.launches, [&](const runner::LaunchChoice& one) {
    return one.at == at && one.variant == variant;
  });
  if (choice == compiled_program.launches.end()) return false;
  const int image = choice->image;
  for (const PlacedLaunch& placed : launches_of(program, true)) {
    if (placed.at != at) continue;
    const python::CompileRequest request =
        request_for(program, *placed.launch, static_cast<std::size_t>(variant), MachineCodeFor::kAll, false);
    const std::string key = compile_key(text_key(*request.kernel), *request.variant);
    python::CompileOutcome outcome = compiled(request, key, budget, memo);
    if (outcome.kind == CompileKind::kCompiled) {
      compiled_program.kernels[static_cast<std::size_t>(image)] = std::move(outcome.kernel);
      return true;
    }
    break;
  }
  std::erase_if(compiled_program.launches, [&](const runner::LaunchChoice& one) { return one.image == image; });
  return false;
}

void Replayer::compile_ahead(const std::vector<std::pair<const program::Program*, CompileChoice>>& programs,
                             KernelMemo* memo) {
  std::vector<python::CompileRequest> requests;
  std::vector<std::string> keys;
  std::map<std::string, std::size_t> seen;
  base::Budget budget;
  for (const auto& [program, choice] : programs) {
    budget = choice.budget;
    std::vector<std::string> texts;
    for (const program::Kernel& kernel : program->kernels) texts.push_back(text_key(kernel));
    for (const PlacedLaunch& placed : launches_of(*program, choice.initialise)) {
      const auto kernel = static_cast<std::size_t>(placed.launch->kernel);
      const std::size_t variants = choice.all_variants ? std::min(kMostVariants, placed.launch->variants.size()) : 1;
      for (std::size_t v = 0; v < variants; ++v) {
        const python::CompileRequest request = request_for(*program, *placed.launch, v, choice.machine_code, v > 0);
        std::string key = compile_key(texts[kernel], *request.variant);
        const auto [at, fresh] = seen.try_emplace(key, requests.size());
        if (fresh) {
          requests.push_back(request);
          keys.push_back(std::move(key));
        } else if (request.machine_code) {
          requests[at->second].machine_code = true;
        }
      }
    }
  }
  std::vector<python::CompileOutcome> outcomes = compiler_->compile_all(requests, budget);
  for (std::size_t i = 0; i < outcomes.size(); ++i) (*memo)[keys[i]] = std::move(outcomes[i]);
}

std::size_t Replayer::compilations_of(const program::Program& program) {
  std::set<std::string> keys;
  std::vector<std::string> texts;
  for (const program::Kernel& kernel : program.kernels) texts.push_back(base::sha256(text_key(kernel)));
  for (const PlacedLaunch& placed : launches_of(program, true)) {
    const std::size_t variants = std::min(kMostVariants, placed.launch->variants.size());
    for (std::size_t v = 0; v < variants && keys.size() <= kMostCompilations; ++v)
      keys.insert(compile_key(texts[static_cast<std::size_t>(placed.launch->kernel)], placed.launch->variants[v]));
  }
  return keys.size();
}

runner::RunRequest Replayer::run_request(const program::Program& program, const CompiledProgram& compiled,
                                         runner::RunRequest request) {
  request.program = &program;
  request.images = compiled.images;
  if (request.launches.empty()) {
    for (const runner::LaunchChoice& one : compiled.launches) {
      if (request.launches.empty() || request.launches.back().at != one.at) request.launches.push_back(one);
    }
  }
  return request;
}

runner::RunOutcome Replayer::run(const program::Program& program, const CompiledProgram& compiled,
                                 runner::RunRequest request) {
  return runner_->run(run_request(program, compiled, std::move(request)));
}

std::vector<Replayer::Replay> Replayer::replay_all(std::vector<ReplayRequest> requests, const CompileChoice& choice) {
  std::vector<Replay> out(requests.size());
  std::vector<std::size_t> open(requests.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (ReplayRequest& one : requests) one.record.answer = answerer({.seed = one.how.seed, .inputs = {}});
  for (int i = 0; i < max_recordings_ && !open.empty(); ++i) {
    std::vector<python::RecordRequest> recordings;
    for (const std::size_t one : open) recordings.push_back(requests[one].record);
    std::vector<python::RecordOutcome> recorded = recorder_->record_all(recordings);
    std::vector<std::size_t> runnable;
    std::vector<runner::RunRequest> runs;
    for (std::size_t k = 0; k < open.size(); ++k) {
      Replay& replay = out[open[k]];
      replay.recording = std::move(recorded[k]);
      if (!replay.recording.program) continue;
      replay.compiled = compile(*replay.recording.program, choice);
      if (replay.compiled.failure) continue;
      runnable.push_back(open[k]);
      runs.push_back(run_request(*replay.recording.program, replay.compiled, requests[open[k]].how));
    }
    std::vector<runner::RunOutcome> outcomes = runner_->run_all(runs);
    open.clear();
    for (std::size_t k = 0; k < runnable.size(); ++k) {
      Replay& replay = out[runnable[k]];
      replay.outcome = std::move(outcomes[k]);
      const bool mendable = replay.outcome.kind == runner::RunOutcome::Kind::kMismatch && replay.outcome.mismatch &&
                            replay.outcome.mismatch->only_strides && replay.outcome.at;
      if (!mendable) continue;
      for (python::StrideOverride& one : stride_overrides(replay.outcome, *replay.recording.program))
        requests[runnable[k]].record.strides.push_back(std::move(one));
      open.push_back(runnable[k]);
    }
  }
  return out;
}

}  // namespace tritonrl::judge
