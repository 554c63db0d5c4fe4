#include "model/save_model.h"

#include <ATen/core/grad_mode.h>

#include "base/files.h"
#include "model/dtype_map.h"
#include "model/stored_tensor.h"
#include "weights/safetensors.h"

namespace tritonrl::model {

void save_model(const Transformer& model, const std::filesystem::path& folder) {
  const weights::Dtype dtype = stored_dtype(model.dtype());
  std::vector<weights::TensorToWrite> tensors;
  for (const StoredWeight& weight : model.stored_weights()) {
    tensors.push_back({{.name = weight.name, .dtype = dtype, .shape = weight.shape},
                       [weight] { return to_write(weight.name, weight.value()).bytes(); }});
  }
  std::filesystem::create_directories(folder);
  weights::write_safetensors_folder(folder, tensors);
  weights::ModelConfig config = model.config();
  config.dtype = dtype;
  base::write_file_atomically(folder / "config.json", weights::model_config_json(config));
}

}  // namespace tritonrl::model
