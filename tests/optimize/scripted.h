#pragma once

#include <atomic>
#include <string>

#include "judge/scripted_judge.h"
#include "optimize/candidate.h"

namespace tritonrl::optimize {

// A judge that reads what it says from the code: "speed 1.5" passes at that speed, "speed 1.5 above 32" only for tasks
// whose text has a size above that in `torch.rand([SIZE])`; all else is wrong.
class ReadingJudge : public judge::ScriptedJudge {
 public:
  ReadingJudge() : judge::ScriptedJudge([this](const judge::Submission& one) { return read(one); }) {}
  std::atomic<int> judged = 0;

 private:
  record::Verdict read(const judge::Submission& submission) {
    ++judged;
    record::Verdict out;
    out.judge_version = "test";
    out.kind = record::VerdictKind::kWrong;
    out.rule = "race";
    out.message = "as the test has it";
    const std::size_t at = submission.code.find("speed ");
    if (at == std::string::npos) return out;
    const std::size_t above = submission.code.find(" above ", at), size = submission.task.source.find("rand([");
    if (above != std::string::npos &&
        std::stoi(submission.task.source.substr(size + 6)) <= std::stoi(submission.code.substr(above + 7)))
      return out;
    out.kind = record::VerdictKind::kPassed;
    out.rule = out.message = "";
    record::Timing& timing = out.timing.emplace();
    timing.speedup = std::stod(submission.code.substr(at + 6));
    timing.reference_us = 100;
    timing.candidate_us = 100 / timing.speedup;
    timing.target = "h200";
    return out;
  }
};

inline Candidate candidate(const std::string& source, const std::string& what) {
  return {.source = source, .code = "# " + what + "\nNAME = '" + what + "'\n"};
}

}  // namespace tritonrl::optimize
