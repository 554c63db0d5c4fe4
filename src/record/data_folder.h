#pragma once

#include <filesystem>
#include <string>

namespace tritonrl::record {

// The parts of a data set. What is in one is never in another, by project or by composition (data/split.h).
enum class Split { kTrain, kValidation, kTest };
inline constexpr Split kSplits[] = {Split::kTrain, Split::kValidation, Split::kTest};
std::string to_string(Split split);

// The one owner of the names of prepared files: `prepare` writes and every trainer reads through it.
struct DataFolder {
  std::filesystem::path folder = "data/processed";

  std::filesystem::path pairs(Split split) const { return folder / ("sft_" + to_string(split) + ".jsonl"); }
  std::filesystem::path labels() const { return folder / "difficulty_labels.jsonl"; }
  std::filesystem::path left_out() const { return folder / "left_out.jsonl"; }     // rows that were not used, and why
  std::filesystem::path report() const { return folder / "prepare_report.json"; }  // the figures of the run
};

}  // namespace tritonrl::record
