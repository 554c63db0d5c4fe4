#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/line_log.h"
#include "evaluate/sample_result.h"

namespace tritonrl::evaluate {

// The results of an evaluation as they come, in a file of JSON lines that a second call with the same options goes on
// with. The first line holds the options. For one thread at a time.
class ResultLog {
 public:
  // `options`: all that results depend on, an object. UserError names the first one that differs from those of the
  // file, a line that is none of ours, or if the file cannot be written. `overwrite`: begins anew whatever is there.
  ResultLog(const std::filesystem::path& path, const base::Json& options, bool overwrite);

  // Of an earlier call, each sample once; those that failed for no fault of the answer are left out, to be tried again.
  const std::vector<SampleResult>& kept() const { return kept_; }
  void append(const SampleResult& result);
  void sync() { log_.sync(); }

 private:
  void take_up(const std::vector<std::string>& lines, const base::Json& options);

  base::LineLog log_;
  std::vector<SampleResult> kept_;
};

}  // namespace tritonrl::evaluate
