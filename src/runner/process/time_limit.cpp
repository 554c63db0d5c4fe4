#include "runner/process/time_limit.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "runner/message.h"

namespace tritonrl::runner {
namespace {

// A handler, since the first process of a namespace does not die of a signal that it leaves at its default.
void end_process(int) {
  _exit(kTimeIsOver);
}

void set_timer(std::int64_t milliseconds) {
  itimerval timer{};
  timer.it_value.tv_sec = milliseconds / 1000;
  timer.it_value.tv_usec = milliseconds % 1000 * 1000;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

TimeLimit::TimeLimit(std::int64_t milliseconds) {
  if (milliseconds <= 0) return;
  struct sigaction action {};
  action.sa_handler = end_process;
  sigaction(SIGALRM, &action, nullptr);
  set_timer(milliseconds);
}

TimeLimit::~TimeLimit() {
  set_timer(0);
}

}  // namespace tritonrl::runner
