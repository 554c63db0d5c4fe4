#include "judge/replay.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "program/program_json.h"
#include "program/target.h"
#include "python/kernel_arguments.h"

namespace tritonrl::judge {
namespace {

using runner::Section;
using runner::StepPlace;

struct PlacedLaunch {
  StepPlace at;
  const program::Launch* launch = nullptr;
};

void append_launches(const std::vector<program::Step>& steps, Section section, int forward,
                     std::vector<PlacedLaunch>& out) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (const auto* launch = std::get_if<program::Launch>(&steps[i])) {
      out.push_back({{section, forward, static_cast<int>(i)}, launch});
    }
  }
}

std::vector<PlacedLaunch> launches_of(const program::Program& program, bool initialise) {
  std::vector<PlacedLaunch> out;
  if (initialise) append_launches(program.initialise, Section::kInitialise, 0, out);
  for (std::size_t f = 0; f < program.forwards.size(); ++f) {
    append_launches(program.forwards[f].make_inputs, Section::kInputs, static_cast<int>(f), out);
    append_launches(program.forwards[f].steps, Section::kForward, static_cast<int>(f), out);
  }
  return out;
}

// Launches that differ in none of this are the same to the compiler.
std::string compile_key(const program::Launch& launch, const program::LaunchVariant& variant) {
  nlohmann::json options = nlohmann::json::object();
  for (const auto& [name, value] : variant.options) options[name] = program::to_json(value);
  const base::Result<nlohmann::json> arguments = python::arguments_json(variant);
  return std::to_string(launch.kernel) + (arguments.ok() ? arguments.value().dump() : arguments.error()) +
         options.dump();
}

python::StrideOverride override_of(const runner::RunOutcome& outcome) {
  using To = python::StrideOverride::Section;
  const StepPlace& at = *outcome.at;
  return {.section = at.section == Section::kInitialise ? To::kInitialise
                                                        : (at.section == Section::kInputs ? To::kInputs : To::kForward),
          .forward = at.forward,
          .step = at.step,
          .strides = outcome.mismatch->strides};
}

}  // namespace

Replayer::Replayer(const ReplayerOptions& options)
    : recorder_(std::make_unique<python::Recorder>(options.recorder)),
      compiler_(std::make_unique<python::KernelCompiler>(options.compiler)),
      runner_(std::make_unique<runner::Runner>(options.runner)),
      max_recordings_(options.max_recordings) {}

Replayer::~Replayer() = default;

runner::Runner& Replayer::runner() {
  return *runner_;
}

python::RecordOutcome Replayer::record(python::RecordRequest request, std::uint64_t seed) {
  request.answer = [this, seed](const program::Program& so_far,
                                const program::Question& question) -> std::optional<program::Value> {
    const CompiledProgram compiled = compile(so_far);
    if (compiled.failure) return std::nullopt;
    runner::RunRequest asked = runner::question_request(so_far, question, seed);
    asked.images = compiled.images;
    asked.launches = compiled.launches;
    return runner_->run(asked).answer;
  };
  return recorder_->record(request);
}

CompiledProgram Replayer::compile(const program::Program& program, const CompileChoice& choice) {
  CompiledProgram out;
  std::map<std::string, int> known;
  for (const PlacedLaunch& placed : launches_of(program, choice.initialise)) {
    const std::size_t variants = choice.all_variants ? placed.launch->variants.size() : 1;
    for (std::size_t v = 0; v < variants; ++v) {
      const program::LaunchVariant& variant = placed.launch->variants[v];
      const auto [found, fresh] =
          known.try_emplace(compile_key(*placed.launch, variant), static_cast<int>(out.images.size()));
      if (fresh) {
        python::CompileRequest request;
        request.kernel = &program.kernels[static_cast<std::size_t>(placed.launch->kernel)];
        request.variant = &variant;
        request.target = &program::find_target(program.target);
        request.machine_code = choice.machine_code;
        python::CompileOutcome outcome = compiler_->compile(request);
        if (outcome.kind != python::CompileOutcome::Kind::kCompiled) {
          out.failure = {placed.at, static_cast<int>(v), request.kernel->name, std::move(outcome)};
          return out;
        }
        out.images.push_back({outcome.kernel.ir, outcome.kernel.parameters, python::kSourceFile});
        out.kernels.push_back(std::move(outcome.kernel));
      }
      out.launches.push_back({placed.at, static_cast<int>(v), found->second});
    }
  }
  return out;
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
    request.strides.push_back(override_of(replay.outcome));
  }
  return replay;
}

}  // namespace tritonrl::judge
