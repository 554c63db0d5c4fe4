#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tritonrl::cli {

// What `tritonrl quickstart` works with.
struct QuickstartPlan {
  std::filesystem::path folder;  // where everything goes
  std::filesystem::path config;  // options of the steps' verbs
  std::string model;             // to begin with
  std::filesystem::path module;  // to be made faster
  bool gpu = false;              // torch has one
  std::int64_t gpu_steps = 0;    // of fine-tuning then; 0: as without one
};

// One verb of this program, run as a person would.
struct QuickstartStep {
  std::string title;
  std::filesystem::path done;  // the file or folder that it leaves: there, it is not run again. Empty: it always is
  std::vector<std::string> words;
};

// Data, fine-tuning, reinforcement, an evaluation before and after each, a faster module, the report.
std::vector<QuickstartStep> quickstart_steps(const QuickstartPlan& plan);

// The evaluations' files: of the model as it was, fine-tuned, and reinforced.
std::vector<std::filesystem::path> quickstart_evaluations(const QuickstartPlan& plan);
std::filesystem::path quickstart_proof(const QuickstartPlan& plan);
std::filesystem::path quickstart_report(const QuickstartPlan& plan);

}  // namespace tritonrl::cli
