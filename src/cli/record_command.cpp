#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/difference_text.h"
#include "cli/machine.h"
#include "cli/program_text.h"
#include "cli/record_table.h"
#include "cli/source_file.h"
#include "cli/terminal_text.h"
#include "program/difference.h"
#include "program/program_json.h"
#include "python/recorder.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using python::RecordOutcome;
using python::RecordRequest;

struct RecordCommandOptions {
  std::vector<std::string> files;
  std::string task;   // the task that FILE is a candidate for
  std::string tasks;  // folder of tasks, each named as its candidate
  std::string entry_point;
  std::string target = "h200";
  int forwards = 1;
  bool initialise = false;
  bool json = false;
  MachineOptions machine;
};

record::Task task_from(const std::string& path, const RecordCommandOptions& options) {
  record::Task task =
      path == "-" ? record::Task{.id = "-", .source = read_source(path), .entry_point = {}} : record::read_task(path);
  task.entry_point = options.entry_point;
  return task;
}

// FILE alone is a task; with --task or --tasks it is a candidate.
RecordRequest request_for(const std::string& file, const RecordCommandOptions& options) {
  RecordRequest request;
  request.target = &program::find_target(options.target);
  request.forwards = options.forwards;
  const std::string task =
      !options.tasks.empty() ? (fs::path(options.tasks) / fs::path(file).filename()).string() : options.task;
  if (task.empty()) {
    request.task = task_from(file, options);
    return request;
  }
  request.task = task_from(task, options);
  request.candidate = read_source(file);
  request.candidate_name = fs::path(file).filename().string();
  if (request.candidate.empty()) throw base::UserError("record", file + ": is empty; a candidate defines ModelNew");
  return request;
}

int exit_code_of(const RecordOutcome& outcome) {
  switch (outcome.kind) {
    case RecordOutcome::Kind::kRecorded:
      return kDone;
    case RecordOutcome::Kind::kBadTask:
      return kUserMustFix;
    default:
      return kAnswerIsNo;
  }
}

void print_problem(const RecordOutcome& outcome) {
  if (outcome.kind == RecordOutcome::Kind::kBadTask) {
    std::cerr << "tritonrl: [task] " << outcome.message << "\n";
    return;
  }
  std::cerr << "tritonrl: " << problem_text(outcome) << "\n";
  if (!outcome.code.empty()) std::cerr << "    " << outcome.code << "\n";
  if (!outcome.log.empty() && outcome.kind == RecordOutcome::Kind::kCrashed)
    std::cerr << outcome.log.substr(0, 2000) << "\n";
}

std::string outcome_json(const RecordOutcome& outcome) {
  if (outcome.program) return program::to_json(*outcome.program);
  const base::Json out = {
      {"kind", to_string(outcome.kind)},    {"phase", outcome.phase}, {"exception", outcome.exception},
      {"message", outcome.message},         {"file", outcome.file},   {"line", outcome.line},
      {"sandbox", to_string(outcome.level)}};
  return out.dump();
}

// What the candidate replaced of its task, if both were recorded; `references` keeps the tasks' recordings by their
// source.
std::optional<program::Difference> difference_of(python::Recorder& recorder, const RecordRequest& request,
                                                 const RecordOutcome& outcome,
                                                 std::map<std::string, RecordOutcome>& references) {
  if (!outcome.program || request.candidate.empty()) return std::nullopt;
  auto [found, fresh] = references.try_emplace(request.task.source);
  if (fresh) {
    RecordRequest reference = request;
    reference.candidate.clear();
    found->second = recorder.record(reference);
  }
  if (!found->second.program) return std::nullopt;
  return program::difference_of(*found->second.program, *outcome.program, *request.target);
}

int record_one(python::Recorder& recorder, const RecordRequest& request, const RecordCommandOptions& options) {
  const RecordOutcome outcome = recorder.record(request);
  if (options.json) {
    std::cout << outcome_json(outcome) << "\n";
  } else if (outcome.program) {
    print(program_text(*outcome.program, *request.target, options.initialise));
    std::map<std::string, RecordOutcome> references;
    if (const auto difference = difference_of(recorder, request, outcome, references)) {
      print(difference_text(*difference));
    }
  } else {
    print_problem(outcome);
  }
  return exit_code_of(outcome);
}

int record_many(python::Recorder& recorder, const std::vector<RecordRequest>& requests,
                const RecordCommandOptions& options) {
  std::map<std::string, RecordOutcome> references;  // candidates of one task share its recording
  std::vector<std::pair<std::string, RecordOutcome>> rows;
  int worst = kDone;
  if (!options.json) std::cout << table_header() << "\n";
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const RecordRequest& request = requests[i];
    RecordOutcome outcome = recorder.record(request);
    const std::optional<program::Difference> difference = difference_of(recorder, request, outcome, references);
    if (options.json) {
      std::cout << outcome_json(outcome) << "\n";
    } else {
      print(table_row(fs::path(options.files[i]).filename().string(), outcome, difference, *request.target));
      std::cout << std::endl;
    }
    worst = std::max(worst, exit_code_of(outcome));
    rows.emplace_back(fs::path(options.files[i]).filename().string(), std::move(outcome));
  }
  if (!options.json) std::cout << table_summary(rows) << "\n";
  return worst;
}

int run_record(const RecordCommandOptions& options) {
  std::vector<RecordRequest> requests;  // all files are read, and complained about, before Python is started
  for (const std::string& file : options.files) requests.push_back(request_for(file, options));
  python::RecorderOptions recorder_settings = recorder_options(options.machine);
  for (const RecordRequest& request : requests) {
    const bool uses = (request.task.source + request.candidate).find("torch._inductor") != std::string::npos;
    recorder_settings.preload_inductor = recorder_settings.preload_inductor || uses;
  }
  python::Recorder recorder(recorder_settings);
  if (requests.size() == 1) return record_one(recorder, requests.front(), options);
  return record_many(recorder, requests, options);
}

}  // namespace

void add_record_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RecordCommandOptions>();
  CLI::App* command =
      app.add_subcommand("record", "What a module does: its program, cost and level. Needs no GPU and trusts no one.");
  command->add_option("FILE", options->files, "Python files, or -: tasks, or candidates if --task or --tasks is given")
      ->required();
  CLI::Option* task =
      command->add_option("--task", options->task, "the task (file or -) for which FILE is a candidate");
  command->add_option("--tasks", options->tasks, "folder with a task of the same name for each FILE")->excludes(task);
  command->add_option("--entry", options->entry_point, "the task's class (default: Model, else the last module class)");
  command
      ->add_option("--target", options->target,
                   "GPU whose looks and figures hold: h200, h100, a100, l40s, rtx4090 or sm_90, ...")
      ->capture_default_str();
  command->add_option("--forwards", options->forwards, "recordings of forward on fresh inputs in one process")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  command->add_flag("--init", options->initialise, "show the constructor's calls too");
  command->add_flag("--json", options->json, "print the program as JSON (one line a file)");
  declare(*command, options->machine);
  command->callback([options, &exit_code] { exit_code = run_record(*options); });
}

}  // namespace tritonrl::cli
