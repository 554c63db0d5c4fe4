#pragma once

#include <functional>
#include <utility>

#include "judge/judge.h"

namespace tritonrl::judge {

// A Judge for tests: answers from a function, which is called on the caller's thread and so must be thread-safe where
// several threads judge. What the function throws, judge() throws.
class ScriptedJudge : public Judge {
 public:
  using Script = std::function<record::Verdict(const Submission&)>;

  explicit ScriptedJudge(Script script) : script_(std::move(script)) {}

  record::Verdict judge(const Submission& submission) override { return script_(submission); }

 private:
  Script script_;
};

}  // namespace tritonrl::judge
