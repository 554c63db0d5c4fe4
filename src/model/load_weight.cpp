#include "model/load_weight.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/sum.h>

#include <cmath>

#include "base/error.h"
#include "model/shape_text.h"
#include "model/stored_tensor.h"

namespace tritonrl::model {

// A sum is not finite if one of its terms is not, and costs no memory. The reverse may fail, so who fails is asked
// again.
bool is_finite(const at::Tensor& tensor) {
  if (std::isfinite(at::sum(tensor, at::kFloat).item<float>())) return true;
  return at::isfinite(tensor).all().item<bool>();
}

at::Tensor load_weight(const weights::TensorFiles& files, const std::string& name, at::IntArrayRef shape,
                       const char* part) {
  const auto refuse = [&](const std::string& problem) {
    throw base::UserError(part, files.file_of(name) + ": " + name + " " + problem);
  };
  const weights::StoredTensor stored = files.load(name);
  if (at::IntArrayRef(stored.info.shape) != shape)
    refuse("has shape " + shape_text(stored.info.shape) + ", this model needs " + shape_text(shape));
  if (!weights::is_floating(stored.info.dtype)) {
    refuse("is of type " + std::string(weights::safetensors_name(stored.info.dtype)) +
           ", and nothing says how such integers become weights; convert the model to floating point");
  }
  const at::Tensor tensor = as_tensor(stored);
  if (!is_finite(tensor)) {
    const auto bad = tensor.numel() - at::isfinite(tensor).sum().item<std::int64_t>();
    refuse("holds NaN or infinity (" + std::to_string(bad) + " of " + std::to_string(tensor.numel()) +
           " values); the file is damaged, or training went wrong");
  }
  return tensor;
}

}  // namespace tritonrl::model
