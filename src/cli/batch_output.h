#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/unique_fd.h"

namespace tritonrl::cli {

struct BatchOutputOptions {
  std::string path;         // "-": standard output
  bool overwrite = false;   // an existing file is replaced, whatever it is
  std::string fingerprint;  // of options and judge: a batch goes on only with the same
  std::uint64_t seed = 0;   // of a new batch; one that goes on has its own
};

// The results of a batch, written line by line as they come, such that a batch killed at any moment can go on. Beside a
// regular file lies PATH.state: a line with seed and fingerprint, and for each result, before it is written, a hash of
// the input up to there. Used by one thread.
class BatchOutput {
 public:
  // Opens; complete lines of an earlier run are kept, a torn last one will be dropped. UserError if the file belongs to
  // another batch, is being written by another process or cannot be written.
  explicit BatchOutput(const BatchOutputOptions& options);

  std::uint64_t seed() const { return seed_; }
  std::int64_t kept() const { return kept_; }  // results of an earlier run
  // How often each kind of verdict is among them; "error" for bad lines.
  const std::map<std::string, std::int64_t>& kept_kinds() const { return kept_kinds_; }
  bool resumable() const { return static_cast<bool>(state_); }
  std::string path() const { return options_.path; }

  // To be called once, before the first write, with the hash of the input at the last kept result (nothing is changed
  // before). UserError if the kept results are of other input.
  void go_on(const std::string& input_hash);

  // One result, without newline; `input_hash`: of all input lines up to its own. UserError if it cannot be written.
  void write(const std::string& line, const std::string& input_hash);

  // All is written: the state file goes.
  void finish();

 private:
  void take_up();
  void begin();
  [[noreturn]] void refuse(const std::string& reason) const;
  std::string state_path() const { return options_.path + ".state"; }

  const BatchOutputOptions options_;
  base::UniqueFd out_, state_;
  std::uint64_t seed_;
  std::int64_t kept_ = 0, kept_bytes_ = 0, kept_state_bytes_ = 0;
  std::map<std::string, std::int64_t> kept_kinds_;
  std::string kept_hash_;
};

// The hash of one more line of input.
std::string chain_hash(const std::string& before, const std::string& line);

}  // namespace tritonrl::cli
