#include "judge/task_case.h"

#include <algorithm>

namespace tritonrl::judge {

Truth Draw::truth(std::size_t forward) const {
  const auto of = [&](const std::vector<std::vector<TensorData>>& all) {
    return forward < all.size() ? &all[forward] : nullptr;
  };
  return {of(oracle), of(coarse), of(noisy)};
}

const Draw* SizedTask::find(std::string_view variation) const {
  const auto found =
      std::find_if(draws.begin(), draws.end(), [&](const Draw& draw) { return draw.variation == variation; });
  return found == draws.end() ? nullptr : &*found;
}

}  // namespace tritonrl::judge
