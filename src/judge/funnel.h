#pragma once

#include <memory>

#include "judge/judge.h"
#include "judge/options.h"
#include "judge/replay.h"

namespace tritonrl::judge {

// The judge of this machine: every stage of the funnel, kernels executed by the kernel machine and times modelled; with
// JudgeOptions::device executed and timed there too.
class Funnel : public Judge {
 public:
  // Starts its warm processes: two recorders, the compiler, a runner for candidates and one for the referee. That takes
  // seconds, unless ReplayerOptions::background leaves the waiting to judge().
  Funnel(const ReplayerOptions& replayer, const JudgeOptions& options);
  // Other options on the same warm processes; target, device, live, baseline, precision,
  // variations and seed stay those of `other`.
  Funnel(const Funnel& other, const JudgeOptions& options);
  ~Funnel() override;

  record::Verdict judge(const Submission& submission) override;

  // The GPUs that execute and time, by their own names; empty: none does.
  std::string device() const;

 private:
  struct Processes;
  struct Parts;
  record::Verdict no_code(const std::string& reason) const;

  std::shared_ptr<Processes> processes_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tritonrl::judge
