#include "judge/replay.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "judge/placed_launch.h"
#include "program/program_json.h"
#include "program/target.h"
#include "python/kernel_arguments.h"

namespace tritonrl::judge {
namespace {

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
    const CompiledProgram compiled = compile(so_far);
    if (compiled.failure) return std::nullopt;
    runner::RunRequest asked = runner::question_request(so_far, question, draws.seed);
    for (const runner::GivenInputs& given : draws.inputs) {
      if (static_cast<std::size_t>(given.forward) < so_far.forwards.size()) asked.inputs.push_back(given);
    }
    for (const runner::DrawnTensor& drawn : draws.drawn) {
      if (static_cast<std::size_t>(drawn.step) < so_far.initialise.size()) asked.drawn.push_back(drawn);
    }
    asked.images = compiled.images;
    asked.launches = compiled.launches;
    return runner_->run(asked).answer;
  };
}

python::RecordOutcome Replayer::record(python::RecordRequest request, std::uint64_t seed) {
  request.answer = answerer({.seed = seed, .inputs = {}});
  return recorder_->record(request);
}

CompiledProgram Replayer::compile(const program::Program& program, const CompileChoice& choice, KernelMemo* memo) {
  CompiledProgram out;
  std::map<std::string, int> known;  // image, or -1 for what does not compile
  std::vector<std::string> texts;
  for (const program::Kernel& kernel : program.kernels) texts.push_back(text_key(kernel));
  for (const PlacedLaunch& placed : launches_of(program, choice.initialise)) {
    const std::size_t variants = placed.launch->variants.size();
    std::optional<CompiledProgram::Failure> failure;
    bool compiled = false;
    for (std::size_t v = 0; v < variants && (choice.all_variants || !compiled); ++v) {
      const program::LaunchVariant& variant = placed.launch->variants[v];
      const std::string key = compile_key(texts[static_cast<std::size_t>(placed.launch->kernel)], variant);
      const auto [found, fresh] = known.try_emplace(key, static_cast<int>(out.images.size()));
      if (fresh) {
        python::CompileRequest request;
        request.kernel = &program.kernels[static_cast<std::size_t>(placed.launch->kernel)];
        request.variant = &variant;
        request.target = &program::find_target(program.target);
        request.machine_code = choice.machine_code;
        const auto remembered = memo == nullptr ? KernelMemo::iterator{} : memo->find(key);
        const bool usable = memo != nullptr && remembered != memo->end() &&
                            (!choice.machine_code || !remembered->second.kernel.cubin.empty() ||
                             remembered->second.kind != python::CompileOutcome::Kind::kCompiled);
        python::CompileOutcome outcome = usable ? remembered->second : compiler_->compile(request);
        if (memo != nullptr && !usable) (*memo)[key] = outcome;
        if (outcome.kind == python::CompileOutcome::Kind::kCompiled) {
          out.images.push_back({outcome.kernel.ir, outcome.kernel.parameters, python::kSourceFile});
          out.kernels.push_back(std::move(outcome.kernel));
        } else {
          found->second = -1;
          ++out.refused_variants;
          if (!failure) failure = {placed.at, static_cast<int>(v), request.kernel->name, std::move(outcome)};
        }
      }
      if (found->second < 0) continue;
      compiled = true;
      out.launches.push_back({placed.at, static_cast<int>(v), found->second});
    }
    if (!compiled) {
      if (failure) out.failure = std::move(failure);
      return out;
    }
  }
  return out;
}

void Replayer::compile_ahead(const std::vector<std::pair<const program::Program*, CompileChoice>>& programs,
                             KernelMemo* memo) {
  std::vector<python::CompileRequest> requests;
  std::vector<std::string> keys;
  std::set<std::string> seen;
  for (const auto& [program, choice] : programs) {
    std::vector<std::string> texts;
    for (const program::Kernel& kernel : program->kernels) texts.push_back(text_key(kernel));
    for (const PlacedLaunch& placed : launches_of(*program, choice.initialise)) {
      const auto kernel = static_cast<std::size_t>(placed.launch->kernel);
      const std::size_t variants = choice.all_variants ? placed.launch->variants.size() : 1;
      for (std::size_t v = 0; v < variants; ++v) {
        const program::LaunchVariant& variant = placed.launch->variants[v];
        std::string key = compile_key(texts[kernel], variant);
        if (!seen.insert(key).second) continue;
        python::CompileRequest& request = requests.emplace_back();
        request.kernel = &program->kernels[kernel];
        request.variant = &variant;
        request.target = &program::find_target(program->target);
        request.machine_code = choice.machine_code;
        keys.push_back(std::move(key));
      }
    }
  }
  std::vector<python::CompileOutcome> outcomes = compiler_->compile_all(requests);
  for (std::size_t i = 0; i < outcomes.size(); ++i) (*memo)[keys[i]] = std::move(outcomes[i]);
}

runner::RunOutcome Replayer::run(const program::Program& program, const CompiledProgram& compiled,
                                 runner::RunRequest request) {
  request.program = &program;
  request.images = compiled.images;
  if (request.launches.empty()) {
    for (const runner::LaunchChoice& one : compiled.launches) {
      if (request.launches.empty() || request.launches.back().at != one.at) request.launches.push_back(one);
    }
  }
  return runner_->run(request);
}

Replayer::Replay Replayer::replay(python::RecordRequest request, const CompileChoice& choice,
                                  const runner::RunRequest& how) {
  Replay replay;
  for (int i = 0; i < max_recordings_; ++i) {
    replay.recording = record(request, how.seed);
    if (!replay.recording.program) return replay;
    replay.compiled = compile(*replay.recording.program, choice);
    if (replay.compiled.failure) return replay;
    replay.outcome = run(*replay.recording.program, replay.compiled, how);
    const bool mendable = replay.outcome.kind == runner::RunOutcome::Kind::kMismatch && replay.outcome.mismatch &&
                          replay.outcome.mismatch->only_strides && replay.outcome.at;
    if (!mendable) return replay;
    request.strides.push_back(stride_override(replay.outcome));
  }
  return replay;
}

}  // namespace tritonrl::judge
