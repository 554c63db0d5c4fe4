#include "runner/device/stopwatch.h"

#include "runner/device/driver.h"

namespace tritonrl::runner {

Stopwatch::Stopwatch() {
  check(driver().cuEventCreate_(&begin_, CU_EVENT_DEFAULT), "cuEventCreate");
  check(driver().cuEventCreate_(&end_, CU_EVENT_DEFAULT), "cuEventCreate");
}

Stopwatch::~Stopwatch() {
  driver().cuEventDestroy_(begin_);
  driver().cuEventDestroy_(end_);
}

void Stopwatch::start() {
  check(driver().cuEventRecord_(begin_, nullptr), "cuEventRecord");
}

void Stopwatch::stop() {
  check(driver().cuEventRecord_(end_, nullptr), "cuEventRecord");
}

double Stopwatch::milliseconds() {
  check(driver().cuCtxSynchronize_(), "kernel");
  float out = 0;
  check(driver().cuEventElapsedTime_(&out, begin_, end_), "cuEventElapsedTime");
  return static_cast<double>(out);
}

}  // namespace tritonrl::runner
