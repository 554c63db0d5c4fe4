#include "base/sha256.h"
#include "judge/verdict_cache.h"

namespace tritonrl::judge {

std::string verdict_key(const Submission& submission, const CacheContext& context) {
  std::string bytes = "verdict 1";
  // The length in front of each part keeps the end of one from passing for the beginning of the next.
  const auto add = [&bytes](const std::string& part) { bytes += "\n" + std::to_string(part.size()) + "\n" + part; };
  add(submission.task.source);
  add(submission.task.entry_point);
  add(submission.extraction ? "answer" : "code");
  add(submission.code);
  if (submission.extraction) add(*submission.extraction);
  add(submission.name);  // messages name it
  add(submission.reference_itself ? "reference" : "candidate");
  add(context.judge_version);
  add(context.backend);
  add(context.target);
  add(context.options);
  if (context.backend != "cpu") add(context.device);
  return base::sha256(bytes);
}

CachingJudge::CachingJudge(Judge& judge, VerdictCache& cache, CacheContext context)
    : judge_(judge), cache_(cache), context_(std::move(context)) {}

record::Verdict CachingJudge::judge(const Submission& submission) {
  const std::string key = verdict_key(submission, context_);
  if (std::optional<record::Verdict> known = cache_.find(key)) {
    ++hits_;
    return *std::move(known);
  }
  record::Verdict verdict = judge_.judge(submission);
  cache_.store(key, verdict);
  return verdict;
}

}  // namespace tritonrl::judge
