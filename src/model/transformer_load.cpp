#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/normal.h>

#include <set>

#include "base/error.h"
#include "model/dtype_map.h"
#include "model/load_weight.h"
#include "model/transformer.h"
#include "weights/block_modules.h"

namespace tritonrl::model {
namespace {

constexpr const char* kHead = "lm_head.weight";

// Tensors that older exports keep and nobody needs, and the head of a tied model, which is the embedding.
bool may_be_left(const std::string& name, const weights::ModelConfig& config) {
  return name.ends_with("rotary_emb.inv_freq") || (name == kHead && config.tie_word_embeddings);
}

// Of a tied model whose files have a head of its own: transformers 4 leaves that out, transformers 5 takes it in place
// of the tie where the two differ. A file on which they disagree is nobody's to guess.
void require_same_head(const weights::TensorFiles& files, const Transformer& model) {
  if (!model.config().tie_word_embeddings || files.find(kHead) == nullptr) return;
  const at::IntArrayRef shape = model.embedding().sizes();
  const std::string name = std::string(weights::embedding_module(model.config()).name) + ".weight";
  const at::Tensor head = load_weight(files, kHead, shape, "model");
  const at::Tensor embedding = load_weight(files, name, shape, "model");
  if (at::equal(head.to(at::kFloat), embedding.to(at::kFloat))) return;
  throw base::UserError(
      "model", files.file_of(kHead) + ": " + kHead + " differs from " + name +
                   ", but config.json says that they are one (tie_word_embeddings); set that to false to use the head "
                   "as transformers 5 does, or remove the tensor to use the embedding as transformers 4 does");
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
    if (files.tensors->find(name) == nullptr) {
      throw base::UserError("model",
                            files.tensors->where() + " has no tensor " + name + ", which the model's config asks for");
    }
    const at::Tensor stored = load_weight(*files.tensors, name, tensor.sizes(), "model");
    tensor.copy_(stored);
    if (tensor.scalar_type() != stored.scalar_type() && !is_finite(tensor)) {
      throw base::UserError("model", files.tensors->file_of(name) + ": " + name +
                                         " holds values that are too large for " + c10::toString(tensor.scalar_type()) +
                                         "; choose a wider type (--dtype)");
    }
    used.insert(name);
    return stored;
  });
  require_same_head(*files.tensors, *model);
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
