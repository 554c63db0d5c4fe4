#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/task.h"
#include "record/verdict.h"

namespace tritonrl::judge {

// One candidate for one task.
struct Submission {
  std::string id;
  record::Task task;
  std::string code;  // the candidate's file; empty: there is none
  // Of a model's answer: how its code was found in it, or why there is none. None: it came as code.
  std::optional<std::string> extraction = std::nullopt;
  std::string name = {};  // the candidate's file name, for messages; may be empty
  // The reference is judged against itself, without the rules on candidates: shows whether a task can be judged here.
  bool reference_itself = false;

  // The code is that of a model's answer. The one place where it is extracted: whoever reads the answer does it, and
  // the answer goes no further.
  void take_answer(std::string_view answer);
};

// Says what a candidate is worth. Implemented by Funnel (this machine), ScriptedJudge (tests).
class Judge {
 public:
  virtual ~Judge() = default;

  // Thread-safe. Whatever the candidate does is in the verdict; what is our fault is a verdict of kind infrastructure.
  // UserError where the task itself must be fixed.
  virtual record::Verdict judge(const Submission& submission) = 0;
};

}  // namespace tritonrl::judge
