#include "model/layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/silu.h>

#include "model/attention.h"

namespace tritonrl::model {

Layer::Layer(const weights::ModelConfig& c, const at::TensorOptions& options)
    : attention_norm(at::empty({c.hidden_size}, options)),
      qkv({{"self_attn.q_proj", c.num_attention_heads * c.head_dim},
           {"self_attn.k_proj", c.num_key_value_heads * c.head_dim},
           {"self_attn.v_proj", c.num_key_value_heads * c.head_dim}},
          c.hidden_size, c.qkv_bias, options),
      output({{"self_attn.o_proj", c.hidden_size}}, c.num_attention_heads * c.head_dim, c.output_bias, options),
      mlp_norm(at::empty({c.hidden_size}, options)),
      gate_up({{"mlp.gate_proj", c.intermediate_size}, {"mlp.up_proj", c.intermediate_size}}, c.hidden_size, c.mlp_bias,
              options),
      down({{"mlp.down_proj", c.hidden_size}}, c.intermediate_size, c.mlp_bias, options) {}

at::Tensor Layer::forward(const at::Tensor& x, std::size_t index, const PackedBatch& batch, const Rope::Rows& rope,
                          const weights::ModelConfig& config, const ForwardOptions& options) const {
  const auto heads = qkv.forward(rms_norm(x, attention_norm, config.rms_norm_eps), options.training);
  const at::Tensor q = heads[0].unflatten(-1, {-1, config.head_dim});
  const at::Tensor k = heads[1].unflatten(-1, {-1, config.head_dim});
  const at::Tensor v = heads[2].unflatten(-1, {-1, config.head_dim});
  const at::Tensor turned = Rope::apply(k, rope);
  if (options.sink) options.sink(index, turned, v);
  const at::Tensor attended = packed_attention(Rope::apply(q, rope), turned, v, batch);
  const at::Tensor h = x + output.forward(attended.flatten(1), options.training)[0];
  const auto inner = gate_up.forward(rms_norm(h, mlp_norm, config.rms_norm_eps), options.training);
  return h + down.forward(at::silu(inner[0]) * inner[1], options.training)[0];
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  return at::rms_norm(x, {x.size(-1)}, weight, epsilon);
}

}  // namespace tritonrl::model
