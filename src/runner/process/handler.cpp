#include "runner/process/handler.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <limits>
#include <vector>

#include "runner/message.h"
#include "runner/outcome_wire.h"
#include "runner/process/launches.h"
#include "runner/process/ready_kernels.h"
#include "runner/process/replay.h"
#include "runner/process/sample.h"
#include "runner/process/time_limit.h"
#include "runner/request_wire.h"
#include "sandbox/descriptor_frames.h"

namespace tritonrl::runner {
namespace {

RunOutcome stopped(RunOutcome::Kind kind, const std::string& message) {
  RunOutcome out;
  out.kind = kind;
  out.message = message;
  return out;
}

// What lasts from one request to the next.
class Session {
 public:
  RunOutcome run(Message message) {
    const base::Json* wall = message.header.find("wall_ms");
    const TimeLimit limit(wall != nullptr && wall->is_number_integer() ? wall->get<std::int64_t>() : 0);
    try {
      const base::Result<const RunRequest*> request = reader_.next(std::move(message));
      return request.ok() ? execute(*request.value()) : stopped(RunOutcome::Kind::kMalformed, request.error());
    } catch (const std::bad_alloc&) {
      return stopped(RunOutcome::Kind::kOutOfMemory, "no memory");
    } catch (const std::exception& error) {
      return stopped(RunOutcome::Kind::kAtenError, error.what());
    }
  }

 private:
  RunOutcome execute(const RunRequest& request) {
    if (at::get_num_threads() != request.threads) at::set_num_threads(request.threads);
    const at::NoGradGuard no_gradients;
    return request.sample > 0
               ? Sample(request, kernels_).run()
               : Replay(request, HostSpace::instance(), [this](const RunRequest& one, Storages& storages) {
                   return std::make_unique<MachineExecutor>(one, storages, kernels_);
                 }).run();
  }

  RequestReader reader_;
  ReadyKernels kernels_;
};

std::optional<Message> next_message(int channel) {
  return receive_message([&] { return sandbox::receive_frame(channel); }, std::numeric_limits<std::int64_t>::max(),
                         nullptr);
}

}  // namespace

int handle(int channel) {
  const auto send = [&](std::string_view frame) { return sandbox::send_frame(channel, frame); };
  Session session;
  bool first = true;
  try {
    while (std::optional<Message> message = next_message(channel)) {
      first = false;
      if (!send_message(to_message(session.run(std::move(*message))), send)) return 1;
    }
  } catch (const std::bad_alloc&) {  // for a request, or for the words of an answer
    return send_message(to_message(stopped(RunOutcome::Kind::kOutOfMemory, "no memory")), send) ? 0 : 1;
  }
  return first ? 1 : 0;
}

}  // namespace tritonrl::runner
