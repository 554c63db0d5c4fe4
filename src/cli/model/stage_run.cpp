#include "cli/model/stage_run.h"

#include <torch/headeronly/version.h>

#include <csignal>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/commands.h"
#include "cli/stop_signals.h"
#include "train/run_files.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

// Program and arguments, as the system has them: `tritonrl` hands its own on.
std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    words.emplace_back(text.c_str() + at);
    at += words.back().size() + 1;
  }
  return words;
}

void warn(const std::string& text) {
  std::cerr << "tritonrl: warning: " << text << "\n";
}

}  // namespace

void StageOptions::fields(base::FieldVisitor& field) {
  field("checkpoints", checkpoints, {.help = "folder of checkpoints: <stage>/step_N and <stage>_final"});
  field("runs", runs, {.help = "folder of runs: metrics, log, manifest"});
  field("name", name, {.help = "of the run, a folder of --runs (default: the stage's)"});
  field("fresh", fresh, {.help = "begin anew and remove the checkpoints of an earlier run; else it goes on"});
  static constexpr const char* kDevices[] = {"auto", "cpu", "cuda"};
  field("device", device, {.help = "where the model runs; auto: a GPU if there is one", .choices = kDevices});
  static constexpr const char* kTypes[] = {"auto", "fp32", "bf16", "fp16"};
  field("dtype", dtype, {.help = "of the weights; auto: fp32 on the CPU, bf16 on a GPU", .choices = kTypes});
  field("threads", threads, {.help = "of the CPU; 0: one a core", .least = 0, .most = 4096});
}

model::ModelOptions StageOptions::model_options(bool eight_bit, bool trainable) const {
  ModelArguments arguments;
  arguments.device = device;
  arguments.dtype = dtype;
  arguments.threads = threads;
  arguments.eight_bit = eight_bit;
  model::ModelOptions options = cli::model_options(arguments);
  options.trainable = trainable;
  return options;
}

int with_ranks(const std::function<int(train::Communicator&)>& work) {
  const auto ranks = train::processes_of_environment();
  try {
    return work(*ranks);
  } catch (const std::exception& error) {
    ranks->abandon(error.what());
    throw;
  }
}

void clear_stage(const StageOptions& options, const std::string& stage, const fs::path& mirror) {
  if (!options.fresh) return;
  for (const record::CheckpointFolder& place : {options.folder(), record::CheckpointFolder{mirror}}) {
    if (place.folder.empty()) continue;
    fs::remove_all(place.final_of(stage));
    fs::remove_all(place.stage(stage));
  }
}

std::optional<fs::path> stage_start(const StageOptions& options, const std::string& stage, const fs::path& mirror) {
  return train::newest_checkpoint(options.folder(), stage, mirror, warn);
}

fs::path tokenizer_folder(const StageOptions& options, const std::string& stage) {
  return options.folder().stage(stage) / "tokenizer";
}

record::RunManifest manifest_of(const StageOptions& options, const std::string& stage, const base::Json& all_options) {
  record::RunManifest manifest;
  manifest.name = options.name.empty() ? stage : options.name;
  manifest.command = command_line();
  manifest.options = all_options;
  manifest.versions.program = TRITONRL_VERSION;
  manifest.versions.torch = TORCH_VERSION;
  return manifest;
}

int run_to_end(train::Stage& stage) {
  std::signal(SIGPIPE, SIG_IGN);  // whoever reads our lines may go; the training stays
  const StopSignals signals;
  stage.stop_requested = [&] { return signals.received() != 0; };
  stage.say = [](const std::string& line) { std::cerr << line << "\n"; };
  const train::StageOutcome outcome = train::run_stage(stage);
  if (outcome.finished) return kDone;
  return 128 + (signals.received() != 0 ? signals.received() : SIGTERM);
}

}  // namespace tritonrl::cli
