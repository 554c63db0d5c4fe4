#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/normal.h>

#include <set>

#include "base/error.h"
#include "model/dtype_map.h"
#include "model/shape_text.h"
#include "model/stored_tensor.h"
#include "model/transformer.h"

namespace tritonrl::model {
namespace {

// Tensors that older exports keep and nobody needs, and the head of a tied model, which is the embedding.
bool may_be_left(const std::string& name, const weights::ModelConfig& config) {
  return name.ends_with("rotary_emb.inv_freq") || (name == "lm_head.weight" && config.tie_word_embeddings);
}

// owner/name where the path lies in a hub cache (…/models--owner--name/snapshots/revision), otherwise the path.
std::string name_of(const weights::ModelLocation& location) {
  const std::string kPrefix = "models--";
  for (const std::filesystem::path& part : location.path) {
    const std::string text = part.string();
    const std::size_t cut = text.find("--", kPrefix.size());
    if (text.starts_with(kPrefix) && cut != std::string::npos) {
      return text.substr(kPrefix.size(), cut - kPrefix.size()) + "/" + text.substr(cut + 2);
    }
  }
  return location.path.string();
}

}  // namespace

std::unique_ptr<Transformer> Transformer::load(const weights::ModelFiles& files, const ModelOptions& options) {
  const at::NoGradGuard no_grad;
  const auto dtype = options.dtype.value_or(torch_dtype(files.config.dtype));
  std::unique_ptr<Transformer> model(new Transformer(files.config, options, dtype));
  model->name_ = name_of(files.location);
  std::set<std::string> used;
  model->fill_all([&](const std::string& name, const at::Tensor& tensor) -> at::Tensor {
    const weights::TensorInfo* info = files.tensors->find(name);
    if (!info) {
      throw base::UserError("model",
                            files.tensors->where() + " has no tensor " + name + ", which the model's config asks for");
    }
    if (at::IntArrayRef(info->shape) != tensor.sizes()) {
      throw base::UserError("model", files.tensors->where() + ": " + name + " has shape " + shape_text(info->shape) +
                                         ", the config asks for " + shape_text(tensor.sizes()));
    }
    const at::Tensor stored = as_tensor(files.tensors->load(name));
    tensor.copy_(stored);
    used.insert(name);
    return stored;
  });
  for (const weights::TensorInfo& info : files.tensors->list()) {
    if (!used.contains(info.name) && !may_be_left(info.name, files.config)) {
      throw base::UserError(
          "model", files.tensors->where() + ": tensor " + info.name + " has no place in a model of this config");
    }
  }
  return model;
}

std::unique_ptr<Transformer> Transformer::random(const weights::ModelConfig& config, const ModelOptions& options,
                                                 std::uint64_t seed) {
  const at::NoGradGuard no_grad;
  std::unique_ptr<Transformer> model(new Transformer(config, options, options.dtype.value_or(at::kFloat)));
  at::Generator generator = at::detail::createCPUGenerator(seed);
  model->fill_all([&](const std::string& name, const at::Tensor& tensor) -> at::Tensor {
    if (name.ends_with("norm.weight")) return tensor.fill_(1);
    if (name.ends_with(".bias")) return tensor.zero_();
    // Drawn on the host in float32, so that a seed means the same model on every device and in every type.
    const at::Tensor drawn =
        at::normal(0.0, config.initializer_range, tensor.sizes(), generator, at::TensorOptions().dtype(at::kFloat));
    tensor.copy_(drawn);
    return drawn;
  });
  return model;
}

}  // namespace tritonrl::model
