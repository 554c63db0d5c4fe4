#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "judge/judge.h"

namespace tritonrl::cli {

struct BatchOptions {
  std::string in;           // JSON lines; "-": standard input
  std::string out;          // "-": standard output
  bool overwrite = false;   // an existing `out` is replaced
  bool unordered = false;   // each result as soon as it is there, whatever its place; for pipes only
  int workers = 0;          // candidates judged at once; 0: two a core
  std::string fingerprint;  // of everything that verdicts depend on beside the input: judge, options, versions
  std::uint64_t seed = 0;   // of a new batch
  bool quiet = false;       // no progress and no summary on standard error
};

// Made once the seed is known: that of a batch that goes on is in its state file.
using MakeJudge = std::function<std::unique_ptr<judge::Judge>(std::uint64_t seed)>;

// Judges line by line, several at once, and writes the results in the order of the lines (unless `unordered`);
// batch_output.h says how a killed batch goes on. SIGINT and SIGTERM stop it: what is being judged is finished and
// written. The exit code: kDone if every line was judged, kUserMustFix if some were bad, kOurs if some verdicts are
// infrastructure, 128 + the signal if one stopped it. UserError if the files cannot be used.
int verify_batch(const BatchOptions& options, const MakeJudge& make_judge);

}  // namespace tritonrl::cli
