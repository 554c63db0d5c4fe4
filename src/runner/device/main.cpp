// The process that holds a GPU. Started by runner::Device, which speaks to it as sandbox::Zygote does: it is warm
// before it is forked, and makes its context in the forked process, since a context does not survive a fork.
#include <ATen/Context.h>
#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>

#include "runner/device/session.h"
#include "runner/message.h"
#include "runner/process/serve.h"
#include "runner/process/time_limit.h"
#include "sandbox/descriptor_frames.h"

namespace tritonrl::runner {
namespace {

constexpr int kControl = 3;

// Some of torch's operators (prod, exp2, most special functions) are compiled when they are first called. The compiler
// opens a library of its own by name then, which a confined process would not find.
void load_run_time_compiler() {
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
    void* const compiler = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    link_map* place = nullptr;
    if (compiler == nullptr || ::dlinfo(compiler, RTLD_DI_LINKMAP, &place) != 0) continue;
    std::error_code none;
    for (const auto& file :
         std::filesystem::directory_iterator(std::filesystem::path(place->l_name).parent_path(), none)) {
      if (file.path().filename().string().starts_with("libnvrtc-builtins.so."))
        ::dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    }
  }
}

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
  tritonrl::runner::load_run_time_compiler();
  tritonrl::runner::serve(tritonrl::runner::kControl, &tritonrl::runner::serve_requests);
}
