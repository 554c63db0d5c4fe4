#include "judge/compile_baselines.h"

namespace tritonrl::judge {

python::CompiledTimes CompileBaselines::find(const std::string& task,
                                             const std::function<python::CompiledTimes()>& measure) {
  std::promise<python::CompiledTimes> promise;
  std::shared_future<python::CompiledTimes> known;
  bool first = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [at, is_new] = by_task_.try_emplace(task);
    if (is_new) at->second = promise.get_future().share();
    known = at->second;
    first = is_new;
  }
  if (!first) return known.get();
  try {
    promise.set_value(measure());
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard<std::mutex> lock(mutex_);
    by_task_.erase(task);
  }
  return known.get();
}

}  // namespace tritonrl::judge
