#pragma once

#include <string>

#include "record/task.h"
#include "record/verdict.h"

namespace tritonrl::judge {

// One candidate for one task: a model's answer, or code.
struct Submission {
  std::string id;
  record::Task task;
  std::string answer;  // a model's text; its code is extracted
  std::string code;    // used where `answer` is empty
  std::string name;    // the candidate's file name, for messages; may be empty
  // The reference is judged against itself, without the rules on candidates: shows whether a task can be judged here.
  bool reference_itself = false;
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
