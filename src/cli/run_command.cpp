#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/record_table.h"
#include "cli/run_json.h"
#include "cli/run_text.h"
#include "cli/source_file.h"
#include "cli/terminal_text.h"
#include "judge/compare.h"
#include "judge/modelled_program.h"
#include "judge/replay.h"
#include "record/task_constants.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using judge::Replayer;
using runner::RunOutcome;

// Above that a program is sampled: executing it whole would take minutes.
constexpr double kWholeBytes = 64e6;
constexpr double kWholePrograms = 100'000;

struct RunCommandOptions {
  std::string candidate, task, entry_point;
  std::string target = "h200";
  std::vector<std::string> set;  // NAME=VALUE
  std::int64_t sample = -1;      // programs of each launch; 0: all; -1: by size
  std::uint64_t seed = 0;
  int threads = 1;
  bool nan_origin = false;
  bool machine_code = true;
  bool json = false;
  MachineOptions machine;
};

std::map<std::string, std::string> constants_of(const std::vector<std::string>& set) {
  std::map<std::string, std::string> constants;
  for (const std::string& one : set) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0) throw base::UserError("run", "--set " + one + ": write NAME=VALUE");
    constants[one.substr(0, equals)] = one.substr(equals + 1);
  }
  return constants;
}

bool is_large(const program::Program& program) {
  double bytes = 0, programs = 0;
  for (const program::Storage& storage : program.storages) bytes += static_cast<double>(storage.bytes);
  for (const program::Step& step : program.forwards.front().steps) {
    const auto* launch = std::get_if<program::Launch>(&step);
    if (launch == nullptr) continue;
    const auto& grid = launch->variants.front().grid;
    programs += static_cast<double>(grid[0]) * static_cast<double>(grid[1]) * static_cast<double>(grid[2]);
  }
  return bytes > kWholeBytes || programs > kWholePrograms;
}

struct Executed {
  std::optional<Replayer::Replay> replay;
  bool sampled = false;
};

// Records first, so that the size decides how to run.
Executed execute(Replayer& replayer, const python::RecordRequest& request, const RunCommandOptions& options) {
  runner::RunRequest how;
  how.seed = options.seed;
  how.garbage_seed = std::random_device()();
  how.machine.threads = options.threads;
  how.machine.nan_origin = options.nan_origin;
  judge::CompileChoice choice;
  if (options.machine_code && !request.candidate.empty()) choice.machine_code = judge::MachineCodeFor::kAll;
  Executed out;
  if (options.sample < 0) {
    const python::RecordOutcome look = replayer.record(request, options.seed);
    out.sampled = look.program && is_large(*look.program);
    how.sample = out.sampled ? 64 : 0;
  } else {
    how.sample = options.sample;
    out.sampled = options.sample > 0;
  }
  how.want_outputs = !out.sampled;
  choice.initialise = true;
  out.replay = replayer.replay(request, choice, how);
  return out;
}

int print_failure(const Replayer::Replay& replay) {
  if (!replay.recording.program) {
    std::cerr << "tritonrl: " << problem_text(replay.recording) << "\n";
    if (!replay.recording.code.empty()) std::cerr << "    " << replay.recording.code << "\n";
    return replay.recording.kind == python::RecordOutcome::Kind::kBadTask ? kUserMustFix : kAnswerIsNo;
  }
  const program::Program& program = *replay.recording.program;
  if (replay.compiled.failure) {
    std::cerr << compile_failure_text(program, *replay.compiled.failure);
    return kAnswerIsNo;
  }
  const RunOutcome& outcome = replay.outcome;
  if (outcome.kind == RunOutcome::Kind::kFault || outcome.kind == RunOutcome::Kind::kNotExecutable) {
    for (const runner::LaunchReport& report : outcome.launches) {
      for (const machine::Finding& finding : report.findings) {
        std::cerr << finding_text(program, replay.compiled, report, finding);
      }
    }
    if (outcome.launches.empty() || outcome.launches.back().findings.empty())
      std::cerr << "tritonrl: " << outcome.message << "\n";
    return kAnswerIsNo;
  }
  std::cerr << "tritonrl: " << to_string(outcome.kind) << ": " << outcome.message << "\n";
  return kAnswerIsNo;
}

int run_candidate(const RunCommandOptions& options) {
  python::RecordRequest request;
  request.target = &program::find_target(options.target);
  request.task = options.task == "-" ? record::Task{.id = "-", .source = read_source("-"), .entry_point = {}}
                                     : record::read_task(options.task);
  request.task.entry_point = options.entry_point;
  request.task.source = record::with_constants(request.task.source, constants_of(options.set));
  python::RecordRequest reference = request;
  request.candidate = read_source(options.candidate);
  request.candidate_name = fs::path(options.candidate).filename().string();
  if (request.candidate.empty())
    throw base::UserError("run", options.candidate + ": is empty; a candidate defines ModelNew");

  Replayer replayer(replayer_options(options.machine));
  const Executed executed = execute(replayer, request, options);
  const Replayer::Replay& replay = *executed.replay;
  if (!replay.recording.program || replay.compiled.failure || replay.outcome.kind != RunOutcome::Kind::kCompleted)
    return print_failure(replay);

  const program::Program& program = *replay.recording.program;
  const judge::ModelledProgram modelled = judge::modelled_program(program, 0, replay.compiled, replay.outcome.launches);
  const python::RecordOutcome model = replayer.record(reference, options.seed);
  double reference_seconds = 0;
  std::optional<judge::Comparison> comparison;
  if (model.program) {
    reference_seconds = program::cost_of(*model.program, *request.target, std::size_t{0}).seconds;
    if (!executed.sampled) {
      runner::RunRequest how;
      how.seed = options.seed;
      const Replayer::Replay expected = replayer.replay(reference, {}, how);
      if (expected.outcome.kind == RunOutcome::Kind::kCompleted && !expected.outcome.forwards.empty()) {
        comparison = judge::compare(expected.outcome.forwards.front().outputs, replay.outcome.forwards.front().outputs);
      }
    }
  }
  bool found = false;
  for (const runner::LaunchReport& report : replay.outcome.launches) found = found || !report.findings.empty();
  const double speedup = modelled.seconds > 0 ? reference_seconds / modelled.seconds : 0;
  if (options.json) {
    std::cout << run_json({options.target, executed.sampled, &replay, &modelled, reference_seconds,
                           comparison ? &*comparison : nullptr})
              << "\n";
  } else {
    print(launches_text(program, replay.compiled, replay.outcome.launches, modelled));
    for (const runner::LaunchReport& report : replay.outcome.launches) {
      for (const machine::Finding& finding : report.findings)
        print(finding_text(program, replay.compiled, report, finding));
    }
    std::cout << "checks: bounds, alignment, races, undefined reads: " << (found ? "see above" : "nothing found")
              << "\n";
    if (comparison) {
      char error[32];
      std::snprintf(error, sizeof(error), "%.2g", comparison->max_error);
      std::cout << "outputs: "
                << (comparison->equal ? "equal to the reference's, largest error " + std::string(error)
                                      : "DIFFERENT: " + comparison->message)
                << "\n";
    } else {
      std::cout << "outputs: not compared ("
                << (executed.sampled
                        ? "only a sample of the programs was executed; --set NAME=VALUE makes the task smaller"
                        : "the reference did not run")
                << ")\n";
    }
    std::printf("modelled on %s: candidate %.1f us (kernels %.1f, ATen %.1f), reference %.1f us, speed-up %.2f\n",
                options.target.c_str(), modelled.seconds * 1e6, modelled.launch_seconds * 1e6,
                modelled.aten_seconds * 1e6, reference_seconds * 1e6, speedup);
  }
  return found || (comparison && !comparison->equal) ? kAnswerIsNo : kDone;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command = app.add_subcommand("run",
                                         "execute a candidate's kernels on the CPU with every access checked; what "
                                         "they move, and how long they would take");
  command->add_option("KERNEL_FILE", options->candidate, "Python file that defines ModelNew; - reads it from the input")
      ->required();
  command->add_option("--task", options->task, "the task: a file that defines Model, get_inputs and get_init_inputs")
      ->required();
  command->add_option("--entry-point", options->entry_point, "the task's class (default: Model, or the last one)");
  command->add_option("--target", options->target, "GPU to imitate and to model")->capture_default_str();
  command->add_option("--set", options->set,
                      "NAME=VALUE: another value for a constant of the task, to make it smaller");
  command
      ->add_option(
          "--programs", options->sample,
          "execute that many programs of each launch; 0: all of them (default: all of a small task, 64 of a large one)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--seed", options->seed, "of parameters and inputs")->capture_default_str();
  command->add_option("--threads", options->threads, "programs executed at once; more than one looks for no races")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_flag("--nan", options->nan_origin, "find the first operation that makes a NaN");
  command->add_flag("--json", options->json, "print one JSON object");
  declare(*command, options->machine);
  command->callback([options, &exit_code] { exit_code = run_candidate(*options); });
}

}  // namespace tritonrl::cli
