#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "python/interpreter.h"
#include "sandbox/job.h"
#include "sandbox/policy.h"

namespace tritonrl::python {

struct ServiceOptions {
  std::string name;  // who speaks in messages: "recorder"
  Interpreter interpreter;
  sandbox::Policy policy;                // `readable` is completed with what Python needs
  std::string library;                   // libtritonrl_sandbox_enter.so
  std::string module;                    // the embedded module that prepares the zygote and handles each job
  std::string options = "{}";            // JSON for its prepare()
  std::vector<std::string> environment;  // "NAME=value", beside or instead of what every service gets
  std::size_t max_message_bytes = sandbox::JobOptions{}.max_message_bytes;
  bool background = false;  // the zygote starts while the caller goes on; start() waits for it
  bool copied = true;       // it may be a copy of one that a nursery keeps (sandbox/nursery.h)
};

// A warm zygote of our Python that hands out sandboxed jobs. Thread-safe. A zygote that dies is replaced.
class Service {
 public:
  // Starts the zygote. UserError if the interpreter cannot serve (with `background` told by start()).
  explicit Service(ServiceOptions options);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // What a job may do: the options' policy, completed.
  const sandbox::Policy& policy() const;
  // The zygote's process at this moment.
  pid_t pid() const;
  // A job of the warm zygote, under policy() or a variation of it.
  sandbox::Job start(const sandbox::Policy& policy);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// How a job ended that gave no answer.
struct SilentEnd {
  enum class Kind { kTimeout, kCrashed, kMalformed };
  Kind kind = Kind::kCrashed;
  std::string message;
};

// One that this side waited for no longer.
SilentEnd no_answer_within(std::int64_t milliseconds);

// InfrastructureError in the service's name if it was no doing of the job.
SilentEnd silent_end(const std::string& service, const sandbox::Policy& policy, const sandbox::Job& job,
                     const sandbox::Exit& exit);

}  // namespace tritonrl::python
