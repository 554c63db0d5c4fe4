#pragma once

#include <memory>
#include <optional>

#include "cli/judge_options.h"
#include "cli/machine.h"
#include "judge/funnel.h"
#include "judge/verdict_cache.h"

namespace tritonrl::cli {

// What verdicts depend on, and where they are kept.
struct JudgeSetting {
  JudgeSetting(const judge::JudgeOptions& options, const CacheOptions& cache_options, const MachineOptions& machine);

  judge::ReplayerOptions replayer;
  judge::CacheContext context;                 // but for the GPU's name, which only a judge knows
  std::unique_ptr<judge::VerdictCache> cache;  // none: nothing is kept
};

// The funnel, behind the cache if there is one. Starts warm processes: seconds.
class KeptJudge : public judge::Judge {
 public:
  // `setting` must outlive this.
  KeptJudge(const JudgeSetting& setting, const judge::JudgeOptions& options);
  // On the warm processes of `other`; which options it may differ in: judge/funnel.h.
  KeptJudge(const KeptJudge& other, const JudgeSetting& setting, const judge::JudgeOptions& options);

  record::Verdict judge(const judge::Submission& submission) override;

 private:
  void keep(const JudgeSetting& setting);

  judge::Funnel funnel_;
  std::optional<judge::CachingJudge> caching_;
};

}  // namespace tritonrl::cli
