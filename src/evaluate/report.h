#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "evaluate/sample_result.h"

namespace tritonrl::evaluate {

// Whose results they are.
struct ReportHead {
  std::string model_path = {};    // empty: the answers came in a file
  std::string adapter_path = {};  // empty: none
  std::string answers_path = {};  // empty: a model's
  base::Json options = base::Json::object();
  bool by_plans = false;  // the answers are plans, whose code is the teacher's
};

// The file outputs/eval_NAME.json: model_path, num_tasks, timing, judge_version, metrics (metrics.h), options and
// detailed_results, an entry an answer.
base::Json evaluation_json(const ReportHead& head, std::span<const SampleResult> results);

// A column a group of tasks (all, each level, degenerate ones), a row a figure, for a terminal.
std::string summary_text(const base::Json& evaluation);

// Rows of texts in columns as wide as they must be.
std::string table_text(const std::vector<std::vector<std::string>>& rows);

}  // namespace tritonrl::evaluate
