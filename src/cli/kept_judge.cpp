#include "cli/kept_judge.h"

#include "judge/version.h"

namespace tritonrl::cli {

JudgeSetting::JudgeSetting(const judge::JudgeOptions& options, const CacheOptions& cache_options,
                           const MachineOptions& machine)
    : replayer(replayer_options(machine)) {
  apply(cache_options, replayer);
  // Of the options as the user gave them: a seed drawn for one batch does not tell its verdicts apart.
  context = {judge::judge_version(), options.device == "cpu" ? "cpu" : "cuda", options.target,
             verdict_context(options, machine, replayer)};
  const std::filesystem::path folder = verdict_folder(cache_options);
  if (!folder.empty()) cache = std::make_unique<judge::VerdictCache>(judge::VerdictCacheOptions{folder, {}});
}

KeptJudge::KeptJudge(const JudgeSetting& setting, const judge::JudgeOptions& options)
    : funnel_(setting.replayer, options) {
  keep(setting);
}

KeptJudge::KeptJudge(const KeptJudge& other, const JudgeSetting& setting, const judge::JudgeOptions& options)
    : funnel_(other.funnel_, options) {
  keep(setting);
}

void KeptJudge::keep(const JudgeSetting& setting) {
  judge::CacheContext context = setting.context;
  context.device = funnel_.device();
  if (setting.cache) caching_.emplace(funnel_, *setting.cache, std::move(context));
}

record::Verdict KeptJudge::judge(const judge::Submission& submission) {
  return caching_ ? caching_->judge(submission) : funnel_.judge(submission);
}

}  // namespace tritonrl::cli
