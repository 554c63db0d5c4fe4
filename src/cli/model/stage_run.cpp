#include "cli/model/stage_run.h"

#include <torch/headeronly/version.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/error.h"
#include "base/files.h"
#include "cli/build_facts.h"
#include "cli/commands.h"
#include "cli/stop_signals.h"
#include "train/run_files.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

std::string program_version() {
  const std::string commit = kBuildCommit.commit;
  return kBuildFacts.version + (commit.empty() ? "" : " " + commit + (kBuildCommit.changed ? "+" : ""));
}

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
  field("memory_gb", memory_gb,
        {.help = "memory of the device to plan with, in 10^9 bytes; 0: what it has", .least = 0});
  field("dry_run", dry_run, {.help = "tell what would be chosen for this memory, and why, and stop"});
}

model::ModelOptions StageOptions::model_options(bool eight_bit, bool trainable) const {
  ModelArguments arguments;
  arguments.device = device;
  arguments.dtype = dtype;
  arguments.threads = threads;
  arguments.eight_bit = eight_bit;
  model::ModelOptions options = cli::model_options(arguments);
  options.trainable = trainable;
  if (options.device.is_cuda()) {
    if (const auto ranks = train::rank_environment(std::getenv))
      options.device = c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(ranks->local_rank));
  }
  return options;
}

int with_ranks(const StageOptions& options, const std::function<int(train::Communicator&)>& work) {
  const auto ranks = train::processes_of_environment(
      train::rank_environment(std::getenv), options.model_options(/*eight_bit=*/false, /*trainable=*/false).device);
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
  manifest.versions.program = program_version();
  manifest.versions.torch = TORCH_VERSION;
  return manifest;
}

void declare_manifest(CLI::App& command, StageOptions& stage, const std::function<void(const base::Json&)>& put) {
  const auto read = [&stage, put](const std::string& path) {
    const base::Result<record::RunManifest> manifest = record::run_manifest_from_json(base::read_file(path));
    if (!manifest.ok()) throw base::UserError("train", path + ": " + manifest.error());
    base::Json options = manifest.value().options;
    options.erase("fresh");
    try {
      put(options);
    } catch (const base::FieldError& error) {
      throw base::UserError("train", path + ": " + error.what() + "; it is the manifest of another verb or version");
    }
    stage.manifest_data = manifest.value().data;
  };
  command
      .add_option_function<std::string>("--from-manifest", read,
                                        "manifest.json of an earlier run: its options, but for those given here")
      ->trigger_on_parse();  // before the others, which win
}

// Contents, not names: files may lie elsewhere.
void require_data_of_manifest(const StageOptions& options, const std::vector<train::WeightedSource>& sources) {
  for (const train::WeightedSource& each : sources) {
    const bool known =
        options.manifest_data.empty() || std::ranges::any_of(options.manifest_data, [&](const auto& entry) {
          return entry.second == each.source->fingerprint();
        });
    if (!known)
      throw base::UserError("train", each.source->name() +
                                         " holds other data than the run of the manifest read; name "
                                         "that file with --data, or leave out --from-manifest");
  }
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
