#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "cli/model/loaded_model.h"
#include "train/loop.h"

namespace tritonrl::cli {

// Where a stage reads and writes, and what it runs on.
struct StageOptions {
  std::filesystem::path checkpoints = "checkpoints";
  std::filesystem::path runs = "runs";
  std::string name;  // of the run; empty: the stage's
  bool fresh = false;
  std::string device = "auto", dtype = "auto";
  int threads = 0;
  double memory_gb = 0;  // 10^9 bytes of the device; 0: what it has
  bool dry_run = false;
  std::map<std::string, std::string> manifest_data;  // by --from-manifest: what the run must read
  void fields(base::FieldVisitor& field);

  record::CheckpointFolder folder() const { return {checkpoints}; }
  model::ModelOptions model_options(bool eight_bit, bool trainable) const;
};

// `work` with the ranks that this process was started with. If it throws, all of them end.
int with_ranks(const StageOptions& options, const std::function<int(train::Communicator& ranks)>& work);

// `--from-manifest FILE`: all options are those of an earlier run, but for those that are given, too. `put` gets them;
// FieldError for one that the verb does not have.
void declare_manifest(CLI::App& command, StageOptions& stage, const std::function<void(const base::Json&)>& put);
template <base::HasFields T>
void declare_manifest(CLI::App& command, T& options, StageOptions& stage) {
  declare_manifest(command, stage, [&options](const base::Json& json) {
    base::read_fields(json, options, "", base::Unknown::kRefuse, /*partial=*/true);
  });
}

// Removes what an earlier run of the stage left, where --fresh asks for it. The first rank's to do.
void clear_stage(const StageOptions& options, const std::string& stage, const std::filesystem::path& mirror);
// Where the stage goes on; none: from its beginning.
std::optional<std::filesystem::path> stage_start(const StageOptions& options, const std::string& stage,
                                                 const std::filesystem::path& mirror);
// The folder with the tokenizer of a stage's model, made when the stage begins.
std::filesystem::path tokenizer_folder(const StageOptions& options, const std::string& stage);

record::RunManifest manifest_of(const StageOptions& options, const std::string& stage, const base::Json& all_options);

// UserError where --from-manifest was given and the data are others.
void require_data_of_manifest(const StageOptions& options, const std::vector<train::WeightedSource>& sources);

// Runs it until it ends or a signal comes; the program's exit code.
int run_to_end(train::Stage& stage);

}  // namespace tritonrl::cli
