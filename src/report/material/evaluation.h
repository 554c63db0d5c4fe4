#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "report/material/answers.h"

namespace tritonrl::report {

// A file of `tritonrl eval`.
struct Evaluation {
  std::string name;  // unlike all others of the report
  std::filesystem::path path;
  base::Json file;      // as it was read; metrics that are no numbers were refused
  AnswerTally answers;  // the first answer to each task that is not degenerate, as its rates are

  const base::Json& metrics() const { return file.at("metrics"); }
  // Of `metrics` or one of its levels; none where it is null or missing.
  static std::optional<double> number(const base::Json& metrics, const std::string& name);
};

// UserError if the file is none of ours, or damaged.
Evaluation read_evaluation(const std::filesystem::path& path);

}  // namespace tritonrl::report
