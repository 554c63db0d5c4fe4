// The process that holds a GPU. Started by runner::Device, which speaks to it as sandbox::Zygote does: it is warm
// before it is forked, and makes its context in the forked process, since a context does not survive a fork.
#include <ATen/Context.h>
#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <limits>
#include <string_view>

#include "runner/device/session.h"
#include "runner/message.h"
#include "runner/process/serve.h"
#include "runner/process/time_limit.h"
#include "sandbox/descriptor_frames.h"

namespace tritonrl::runner {
namespace {

constexpr int kControl = 3;

int serve_requests(int channel) {
  if (!at::globalContext().hasCUDA()) {
    std::fprintf(stderr, "torch finds no GPU\n");
    return 1;
  }
  DeviceSession session;
  while (true) {
    std::vector<base::UniqueFd> descriptors;
    std::optional<Message> message = receive_message([&] { return sandbox::receive_frame(channel, &descriptors); },
                                                     std::numeric_limits<std::int64_t>::max(), nullptr);
    if (!message) return 0;
    const TimeLimit limit(message->header.value("wall_ms", std::int64_t{0}));
    DeviceSession::Answer answer = session.answer(std::move(*message), std::move(descriptors));
    answer.body["broken"] = answer.broken;
    std::vector<int> handed_out;
    for (const base::UniqueFd& one : answer.descriptors) handed_out.push_back(one.get());
    bool first = true;
    const bool sent = send_message({.header = answer.body, .blobs = {}}, [&](std::string_view frame) {
      const bool done =
          sandbox::send_frame(channel, frame, first ? std::span<const int>(handed_out) : std::span<const int>());
      first = false;
      return done;
    });
    if (!sent || answer.broken) _exit(0);  // a broken context is not tidied up
  }
}

}  // namespace
}  // namespace tritonrl::runner

int main(int argc, char** argv) {
  if (argc != 2 || std::string_view(argv[1]) != "--serve") {
    std::fprintf(
        stderr,
        "tritonrl-device executes programs on a GPU for tritonrl, which starts it; it is no command of its own.\n");
    return 2;
  }
  // torch finds its GPU part only once that library is loaded; with a CPU wheel there is none
  ::dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL);
  tritonrl::runner::serve(tritonrl::runner::kControl, &tritonrl::runner::serve_requests);
}
