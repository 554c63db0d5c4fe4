#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "judge/finding.h"
#include "judge/options.h"
#include "record/verdict.h"

namespace tritonrl::judge {

// What is told of a trial whatever its end: what was looked at, notes, variations, times. At the end it becomes the
// verdict.
class TrialLog {
 public:
  TrialLog(const JudgeOptions& options, std::string backend);

  void enter(record::Stage stage);  // the time until now is the stage's before

  void passed(std::string_view name, const std::string& detail = "");
  // Writes down what is wrong, and hands it on.
  Finding refuse(Finding finding);

  // The lines that findings name are of these files.
  struct File {
    std::string name, text;
  };
  void recorded(std::vector<File> files) { files_ = std::move(files); }

  // The one place where a verdict is made.
  record::Verdict end(const Finding& finding) &&;
  record::Verdict end_passed(const std::string& message) &&;

  record::Verdict told;  // all but the outcome and the rewards

 private:
  record::Verdict rewarded() &&;

  const JudgeOptions& options_;
  std::vector<File> files_;
  int stage_checks_ = 0, stage_passed_ = 0;
  std::chrono::steady_clock::time_point stage_begin_;
};

}  // namespace tritonrl::judge
