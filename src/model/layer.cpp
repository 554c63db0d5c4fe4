#include "model/layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include "base/check.h"
#include "model/fused_steps.h"
#include "weights/block_modules.h"

namespace tritonrl::model {
namespace {

// Empty modules of a block, by their names.
class BlockBuilder {
 public:
  BlockBuilder(const weights::ModelConfig& config, const at::TensorOptions& options)
      : modules_(weights::block_modules(config)), epsilon_(config.rms_norm_eps), options_(options) {}

  Norm norm(std::string_view name) const {
    return {std::string(name), at::empty({find(name).rows}, options_), epsilon_};
  }
  Linear linear(std::initializer_list<std::string_view> names) const {
    std::vector<weights::ModuleInfo> parts;
    for (const std::string_view name : names) parts.push_back(find(name));
    return Linear(parts, options_);
  }

 private:
  const weights::ModuleInfo& find(std::string_view name) const {
    for (const weights::ModuleInfo& module : modules_) {
      if (module.name == name) return module;
    }
    TRL_CHECK(false, "a block without " + std::string(name));
  }

  std::vector<weights::ModuleInfo> modules_;
  double epsilon_;
  at::TensorOptions options_;
};

}  // namespace

at::Tensor Norm::operator()(const at::Tensor& x) const {
  return rms_normed(x, weight, epsilon);
}

Layer::Layer(const weights::ModelConfig& config, const at::TensorOptions& options) : head_dim(config.head_dim) {
  const BlockBuilder build(config, options);
  attention_norm = build.norm("input_layernorm");
  qkv = build.linear({"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"});
  if (config.head_norms) {
    query_norm = build.norm("self_attn.q_norm");
    key_norm = build.norm("self_attn.k_norm");
  }
  output = build.linear({"self_attn.o_proj"});
  mlp_norm = build.norm("post_attention_layernorm");
  gate_up = build.linear({"mlp.gate_proj", "mlp.up_proj"});
  down = build.linear({"mlp.down_proj"});
}

at::Tensor Layer::forward(const at::Tensor& x, const Attend& attend, bool training) const {
  const auto projected = qkv.forward(attention_norm(x), training);
  at::Tensor q = projected[0].unflatten(-1, {-1, head_dim});
  at::Tensor k = projected[1].unflatten(-1, {-1, head_dim});
  const at::Tensor v = projected[2].unflatten(-1, {-1, head_dim});
  if (query_norm) q = (*query_norm)(q);
  if (key_norm) k = (*key_norm)(k);
  const at::Tensor h = x + output.forward(attend(q, k, v), training)[0];
  const auto inner = gate_up.forward(mlp_norm(h), training);
  return h + down.forward(gated(inner[0], inner[1]), training)[0];
}

std::vector<at::Tensor> Layer::leaves() const {
  std::vector<at::Tensor> all;
  const auto add = [&](const at::Tensor& tensor) {
    if (tensor.defined() && tensor.requires_grad()) all.push_back(tensor);
  };
  for (const Norm* norm : norms()) add(norm->weight);
  for (const Linear* linear : linears()) {
    add(linear->weight());
    add(linear->bias());
    for (const Linear::Part& part : linear->parts()) {
      if (!part.lora) continue;
      add(part.lora->a);
      add(part.lora->b);
    }
  }
  return all;
}

std::vector<const Norm*> Layer::norms() const {
  std::vector<const Norm*> all = {&attention_norm, &mlp_norm};
  if (query_norm) all.push_back(&*query_norm);
  if (key_norm) all.push_back(&*key_norm);
  return all;
}

}  // namespace tritonrl::model
