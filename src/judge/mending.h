#pragma once

#include <vector>

#include "judge/replay.h"

namespace tritonrl::judge {

// What runs of a program have shown that its recording did not know, so that it can be recorded again: how results are
// laid out, and which answers its data give.
class Mending {
 public:
  // False: another recording would not help, or there were too many already.
  bool learn(const runner::RunOutcome& outcome);

  // The request of a recording that knows all that; its other questions are answered as `request` has it.
  python::RecordRequest applied(python::RecordRequest request) const;

  void forget_answers() { answers_.clear(); }  // on other data they are others

 private:
  struct Answer {
    runner::StepPlace at;
    program::Value value;
  };
  std::vector<python::StrideOverride> strides_;
  std::vector<Answer> answers_;
  int learned_ = 0;
};

// Where in a program so far the question that comes with it will stand.
runner::StepPlace place_of_question(const program::Program& so_far);

// Whether values are asked for.
bool asks_for_values(const std::vector<program::Step>& steps);
// By its constructor or in a forward: the recording holds for some data alone.
bool asks_for_values(const program::Program& program);
// Whether values were assumed that nobody computed: what follows from them is no promise.
bool assumes_answers(const program::Program& program);

}  // namespace tritonrl::judge
