#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tritonrl::record {

// The one owner of the names of checkpoints: stages write and whoever needs a trained model reads through it.
struct CheckpointFolder {
  std::filesystem::path folder = "checkpoints";

  // What a stage ("pretrain", "sft", "rl") leaves to the next one: "sft_final".
  std::filesystem::path final_of(const std::string& stage) const { return folder / (stage + "_final"); }
  // Where it keeps what it needs to go on.
  std::filesystem::path stage(const std::string& stage) const { return folder / stage; }
  std::filesystem::path step(const std::string& stage, std::int64_t step) const;  // "sft/step_000120"
  // Steps that have a folder, ascending. Folders that are still being written have other names and are not among them.
  std::vector<std::int64_t> steps(const std::string& stage) const;
};

}  // namespace tritonrl::record
