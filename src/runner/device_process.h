#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/unique_fd.h"
#include "runner/device_messages.h"
#include "runner/message.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"
#include "sandbox/job.h"

namespace tritonrl::runner {

struct DeviceWork;

bool completed(const RunOutcome& outcome);

// What DeviceSession::time is asked. `reference_us`: known from before; 0: not known.
DeviceTimingOptions timing_request(const DeviceWork& work, double reference_us);

// One process of tritonrl-device, seen from outside. Its requests are in device/session.cpp.
class DeviceProcess {
 public:
  explicit DeviceProcess(sandbox::Job job) : job_(std::move(job)) {}

  struct Reply {
    RunOutcome outcome;
    base::Json body;
    std::vector<base::UniqueFd> descriptors;
  };

  // An answer, or how the process ended without one; then it is not `alive`.
  Reply ask(MessageView message, std::int64_t wall_ms, const std::vector<base::UniqueFd>& descriptors = {});
  Reply ask(const base::Json& header, std::int64_t wall_ms, const std::vector<base::UniqueFd>& descriptors = {}) {
    return ask(MessageView{.header = header, .blobs = {}}, wall_ms, descriptors);
  }

  // The same for a request of device_messages.h.
  template <typename Request>
  Reply ask(const char* what, const Request& request, std::int64_t wall_ms,
            const std::vector<base::UniqueFd>& descriptors = {}) {
    base::Json header = base::to_json(request);
    header["do"] = what;
    return ask(header, wall_ms, descriptors);
  }

  // Sends a program, unless it is the reference that is there.
  RunOutcome load(const char* slot, const RunRequest& request, std::int64_t wall_ms);
  // Gives the GPU's memory back.
  void release_all(std::int64_t wall_ms);

  // Tells references apart.
  const std::string& reference() const { return reference_; }
  bool alive() const { return alive_; }
  int served = 0;  // candidates that it has seen

 private:
  RunOutcome ended(std::int64_t wall_ms);

  sandbox::Job job_;
  bool alive_ = true;
  std::string reference_;  // that is there; candidates come once
};

}  // namespace tritonrl::runner
