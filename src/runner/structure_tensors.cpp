#include "runner/structure_tensors.h"

namespace tritonrl::runner {

std::vector<program::TensorRef> tensors_of(const program::Structure& structure) {
  std::vector<program::TensorRef> out;
  program::for_each_tensor(structure.leaf, [&](program::TensorRef ref) { out.push_back(ref); });
  for (const auto& [name, item] : structure.items) {
    for (const program::TensorRef ref : tensors_of(item)) out.push_back(ref);
  }
  return out;
}

}  // namespace tritonrl::runner
