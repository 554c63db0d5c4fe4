#include "bench/pair_model.h"

#include <algorithm>

#include "base/fields.h"
#include "base/files.h"
#include "judge/modelled_program.h"
#include "program/cost.h"
#include "program/program_json.h"
#include "record/task_constants.h"
#include "tests/python/corpus.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::bench {
namespace {

using base::Json;
using judge::Replayer;

constexpr double kMicro = 1e6;

const python::CorpusPair* find_pair(const std::string& name) {
  static const std::vector<python::CorpusPair> pairs = python::read_corpus();
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.name == name; });
  return found == pairs.end() ? nullptr : &*found;
}

// Launches with more than one variant once more with each of the others.
std::vector<runner::LaunchReport> run_other_variants(Replayer& replayer, const Replayer::Replay& replay,
                                                     const runner::RunRequest& how) {
  std::vector<runner::LaunchReport> out;
  int variants = 0;
  for (const runner::LaunchChoice& one : replay.compiled.launches) variants = std::max(variants, one.variant + 1);
  for (int v = 1; v < variants; ++v) {
    runner::RunRequest request = how;
    std::map<runner::StepPlace, runner::LaunchChoice> chosen;
    for (const runner::LaunchChoice& one : replay.compiled.launches) {
      if (one.variant == 0 || one.variant == v) chosen[one.at] = one;
    }
    for (const auto& [at, one] : chosen) {
      request.launches.push_back(one);
      if (one.variant != v) request.silenced.push_back(at);
    }
    const runner::RunOutcome outcome = replayer.run(*replay.recording.program, replay.compiled, request);
    for (const runner::LaunchReport& report : outcome.launches) {
      if (report.variant == v && report.completed) out.push_back(report);
    }
  }
  return out;
}

Json steps_json(const program::Program& program) {
  Json out = Json::array();
  const program::ProgramCost cost = program::cost_of(program, program::find_target(program.target), std::size_t{0});
  for (const program::StepCost& one : cost.steps) {
    const auto* call = std::get_if<program::AtenCall>(&program.forwards.front().steps[one.step]);
    out.push_back({{"step", one.step},
                   {"op", call == nullptr ? "launch" : call->op},
                   {"kind", call == nullptr ? "launch" : std::string(to_string(one.kind))},
                   {"seconds", one.seconds},
                   {"read", one.cost.bytes_read},
                   {"written", one.cost.bytes_written},
                   {"matrix_ops", one.cost.matrix_ops},
                   {"scalar_ops", one.cost.scalar_ops},
                   {"matrix_precision", to_string(one.cost.matrix_precision)},
                   {"launches", one.cost.launches}});
  }
  return out;
}

std::string main_kind(const program::ProgramCost& cost) {
  std::map<program::OperatorKind, double> seconds;
  for (const program::StepCost& step : cost.steps) seconds[step.kind] += step.seconds;
  const auto most = std::max_element(seconds.begin(), seconds.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == seconds.end() ? "none" : std::string(to_string(most->first));
}

std::string bound_of(const machine::LaunchTime& time) {
  const std::vector<std::pair<double, const char*>> parts = {
      {time.memory, "memory"}, {time.l2, "L2"},           {time.l1, "load units"},   {time.copies, "narrow copies"},
      {time.matrix, "matrix"}, {time.latency, "latency"}, {time.atomics, "atomics"}, {time.arithmetic, "arithmetic"}};
  return std::max_element(parts.begin(), parts.end())->second;
}

Json dump_of(const Replayer::Replay& replay, const program::Program& reference,
             const std::vector<runner::LaunchReport>& reports) {
  Json launches = Json::array();
  for (const runner::LaunchReport& report : reports) {
    if (report.at.section != runner::Section::kForward) continue;
    Json one = {
        {"step", report.at.step}, {"variant", report.variant}, {"counters", base::to_json(report.counters).sorted()}};
    for (const runner::LaunchChoice& choice : replay.compiled.launches) {
      if (choice.at != report.at || choice.variant != report.variant) continue;
      const machine::KernelResources resources =
          judge::resources_of(replay.compiled.kernels[static_cast<std::size_t>(choice.image)]);
      one["resources"] = {{"num_warps", resources.num_warps},
                          {"num_stages", resources.num_stages},
                          {"registers", resources.registers},
                          {"shared_bytes", resources.shared_bytes},
                          {"narrow_copies", resources.narrow_copies}};
    }
    launches.push_back(std::move(one));
  }
  return {{"launches", std::move(launches)},
          {"candidate_steps", steps_json(*replay.recording.program)},
          {"reference_steps", steps_json(reference)},
          {"candidate_program", Json::parse(program::to_json(*replay.recording.program))},
          {"reference_program", Json::parse(program::to_json(reference))}};
}

}  // namespace

std::vector<MeasuredPair> read_measured(const std::string& file) {
  std::vector<MeasuredPair> out;
  const auto all = base::Json::parse(base::read_file(file));
  for (const auto& row : all.at("pairs")) {
    MeasuredPair pair;
    pair.name = row["name"].text();
    pair.size = row["size"].text();
    for (const auto& [name, value] : row["constants"].items()) pair.constants[name] = value.dump();
    pair.reference = row["reference_us"].real();
    pair.candidate = row["candidate_us"].real();
    pair.device_time = row["candidate_how"] == "graph";
    for (const auto& kernel : row["kernels"]) pair.kernels.push_back({kernel["name"].text(), kernel["us"].real()});
    out.push_back(std::move(pair));
  }
  return out;
}

PairModel model_pair(Replayer& replayer, const MeasuredPair& measured, int programs, Json* dump) {
  PairModel out;
  const python::CorpusPair* pair = find_pair(measured.name);
  if (pair == nullptr) {
    out.problem = "no such pair";
    return out;
  }
  const std::string task = record::with_constants(pair->task, measured.constants);
  runner::RunRequest how;
  how.sample = programs;
  how.want_outputs = false;
  how.machine.check_races = false;
  const Replayer::Replay replay =
      replayer.replay(python::candidate_request(task, pair->candidate),
                      {.machine_code = judge::MachineCodeFor::kAll, .all_variants = true, .initialise = true}, how);
  const python::RecordOutcome reference = replayer.record(python::task_request(task), how.seed);
  if (!replay.recording.program || !reference.program) {
    out.problem = "not recorded: " + replay.recording.message + reference.message;
  } else if (replay.compiled.failure) {
    out.problem = "not compiled: " + replay.compiled.failure->outcome.message;
  } else if (replay.outcome.kind != runner::RunOutcome::Kind::kCompleted) {
    out.problem = to_string(replay.outcome.kind) + ": " + replay.outcome.message;
  }
  if (!out.problem.empty()) return out;

  std::vector<runner::LaunchReport> reports = replay.outcome.launches;
  for (runner::LaunchReport& report : run_other_variants(replayer, replay, how)) reports.push_back(std::move(report));
  const judge::ModelledProgram modelled =
      judge::modelled_program(*replay.recording.program, 0, replay.compiled, reports);
  const program::Target& target = program::find_target("h200");
  const program::ProgramCost cost = program::cost_of(*reference.program, target, std::size_t{0});
  out.reference = kMicro * cost.seconds;
  out.reference_kind = main_kind(cost);
  out.candidate = kMicro * modelled.seconds;
  for (const judge::ModelledLaunch& launch : modelled.launches) {
    out.kernel_kinds.push_back(bound_of(launch.time));
    out.kernels.push_back(kMicro * (launch.time.seconds + target.start_overhead));  // measured alone
  }
  if (dump != nullptr) *dump = dump_of(replay, *reference.program, reports);
  return out;
}

}  // namespace tritonrl::bench
