// The process in which programs are executed. Started by runner::Runner, which speaks to it as sandbox::Zygote does.
#include <sys/stat.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "runner/process/handler.h"
#include "runner/process/serve.h"
#include "runner/process/warm.h"

#ifdef __SANITIZE_ADDRESS__
// Memory that is refused is an outcome here, not the end of the process.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
#endif

namespace {

constexpr int kControl = 3;

bool is_socket(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tritonrl::runner;
  if (argc != 2 || std::string_view(argv[1]) != "--serve" || !is_socket(kControl)) {
    std::fprintf(stderr,
                 "tritonrl-runner executes programs for tritonrl, which starts it; it is no command of its own.\n");
    return 2;
  }
  try {
    warm_up();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "torch does not work here: %s\n", error.what());
    return 2;
  }
  if (const int threads = count_threads(); threads != 1) {
    std::fprintf(stderr, "%d threads after warming up, where one is needed to fork safely\n", threads);
    return 2;
  }
  serve(kControl, &handle);
}
