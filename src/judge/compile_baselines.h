#pragma once

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>

#include "python/live.h"

namespace tritonrl::judge {

// Times of references under torch.compile, which takes up to minutes: once a task. Thread-safe.
class CompileBaselines {
 public:
  // What `measure` says, which is called for the first who asks; others wait. If it throws, the next one tries again.
  python::CompiledTimes find(const std::string& task, const std::function<python::CompiledTimes()>& measure);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_future<python::CompiledTimes>> by_task_;
};

}  // namespace tritonrl::judge
