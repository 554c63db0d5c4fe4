#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"
#include "sandbox/policy.h"

namespace tritonrl::runner {

struct RunnerOptions {
  std::string executable;  // tritonrl-runner
  std::string libraries;   // folders where the loader finds torch's, with colons; empty: the program knows
  sandbox::Policy policy;  // limits and protections of each run; `readable` is completed with what the process needs
  std::int64_t max_result_bytes = std::int64_t{4} << 30;  // of all tensors that one run sends back
  bool background = false;  // the process starts while the caller goes on; the first run waits for it
};

// Executes programs on real data: ATen calls through torch's dispatcher, launches by an executor of kernels, here the
// kernel machine. Each run is a sandboxed child of a warm process, which never sees Python. Thread-safe: several runs
// may go on at once. A warm process that dies is replaced.
class Runner {
 public:
  // Starts the warm process: a second or so. UserError if it cannot serve.
  explicit Runner(RunnerOptions options);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // InfrastructureError if the machine fails; everything that a program can do is an outcome.
  RunOutcome run(const RunRequest& request, const base::Budget& budget = {});

  // Several runs, one after the other and in order, in one process as long as it lives: cheap where neighbours share
  // their program (the same object) and their images, since these travel and are made ready once. A request that ends
  // the process (crash, time, memory) gets that outcome, and the rest go on in a fresh one; one that dies in company is
  // first tried again in a fresh one. Tensors and time are limited request by request, the process by the largest of
  // their memories. What all of them send back is at most `budget`'s memory too: those beyond it end as kOutOfMemory.
  // Whoever corrupts the process's memory reaches the runs after it in the same call: put no two
  // parties into one. One outcome a request, in their order; `log` and `peak_bytes` are the process's.
  // `one_party`: all are runs of one candidate. Once a plain one of them (nothing silenced, alone or sampled) has taken
  // too long the others are not tried: they get the same outcome. So do those that `budget` leaves no time for.
  std::vector<RunOutcome> run_all(std::span<const RunRequest> requests, bool one_party = false,
                                  const base::Budget& budget = {});

  const RunnerOptions& options() const;
  pid_t pid() const;  // of the warm process

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The request that answers a question about a program so far: all that was recorded until then, in order, as it
// happened. Images for its launches are the caller's.
RunRequest question_request(const program::Program& so_far, const program::Question& question, std::uint64_t seed);

}  // namespace tritonrl::runner
