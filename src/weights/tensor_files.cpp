#include "weights/tensor_files.h"

#include <algorithm>

namespace tritonrl::weights {

const TensorInfo* TensorFiles::find(std::string_view name) const {
  const std::vector<TensorInfo>& all = list();
  const auto found = std::lower_bound(
      all.begin(), all.end(), name, [](const TensorInfo& info, std::string_view wanted) { return info.name < wanted; });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

}  // namespace tritonrl::weights
