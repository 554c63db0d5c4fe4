#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "judge/judge.h"

namespace tritonrl::judge {

struct VerdictCacheOptions {
  std::filesystem::path folder;  // made if missing; the file in it is verdicts.sqlite
  // Told what a person should know: a damaged file, a full disk. On any thread. None: standard error.
  std::function<void(const std::string&)> warn;
};

// Verdicts that were given before, in an SQLite file that several processes may share. It only grows; delete it at
// will. Thread-safe.
class VerdictCache {
 public:
  // A damaged file is moved aside with a warning and a new one begun. UserError with path and fix if the folder cannot
  // be written.
  explicit VerdictCache(VerdictCacheOptions options);
  ~VerdictCache();

  // Nothing for a key that is missing or whose verdict cannot be read.
  std::optional<record::Verdict> find(const std::string& key);
  // Verdicts of kind infrastructure are not kept. A store that fails (full disk) costs a warning, once.
  void store(const std::string& key, const record::Verdict& verdict);

 private:
  class Table;
  // Held while the file is opened (shared), or put aside with what SQLite keeps beside it (alone): one who opens a new
  // file must not lose its log to one who still clears away the old one's.
  base::UniqueFd lock_file(int how) const;
  void replace_damaged();
  void warn(const std::string& message) const;

  VerdictCacheOptions options_;
  const std::filesystem::path file_;
  std::mutex mutex_;
  std::unique_ptr<Table> table_;
  bool warned_ = false;
};

// What a verdict depends on beside the submission.
struct CacheContext {
  std::string judge_version;
  std::string backend = "cpu";
  std::string target;
  std::string options;      // base::field_key() of them, and what of the machine matters: versions, limits
  std::string device = {};  // the name of the GPU that measures; empty: none does
};

// SHA-256 over task, candidate and context. An answer counts by the code extracted from it and how it was found, so
// the same code in other prose is the same candidate. Times of one GPU are no other's.
std::string verdict_key(const Submission& submission, const CacheContext& context);

// Asks the cache first, and keeps what the judge says.
class CachingJudge : public Judge {
 public:
  // Both must outlive this.
  CachingJudge(Judge& judge, VerdictCache& cache, CacheContext context);

  record::Verdict judge(const Submission& submission) override;

  std::int64_t hits() const { return hits_; }

 private:
  Judge& judge_;
  VerdictCache& cache_;
  const CacheContext context_;
  std::atomic<std::int64_t> hits_ = 0;
};

}  // namespace tritonrl::judge
