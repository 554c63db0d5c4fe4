#pragma once

#include <filesystem>
#include <string>

namespace tritonrl::report::testing {

// Files as training and evaluation write them, with numbers that are made up and the same each time: for tests, and for
// looking at a page (scripts/check_report.sh).

struct MadeRun {
  std::string name = "made";
  std::uint64_t seed = 1;
  int rounds = 24;
  bool curriculum = true;
  bool finished = true;
  std::string hostile = {};  // stands in every text that others may write
};

// A run of reinforcement learning: manifest.json, metrics.jsonl, ledger.sqlite.
void make_rl_run(const std::filesystem::path& folder, const MadeRun& made = {});

// A run of fine-tuning: no ledger.
void make_sft_run(const std::filesystem::path& folder, int steps = 300);

struct MadeEvaluation {
  std::string model = "models/base";
  double skill = 0.3;  // the share of tasks that it solves, about
  int tasks = 60;
  std::string hostile = {};
};
// A file of `tritonrl eval` with tasks of KernelBench's levels 1 and 2.
void make_evaluation(const std::filesystem::path& file, const MadeEvaluation& made = {});

}  // namespace tritonrl::report::testing
