#include "model/fused_steps.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_rms_norm.h>
#include <ATen/ops/_fused_rms_norm_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/silu_backward.h>
#include <torch/csrc/autograd/custom_function.h>

namespace tritonrl::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Turned by the angle, or back by it.
at::Tensor turn(const at::Tensor& heads, const at::Tensor& cosine, const at::Tensor& sine, bool back) {
  const std::int64_t half = heads.size(-1) / 2;
  const at::Tensor first = heads.narrow(-1, 0, half), second = heads.narrow(-1, half, half);
  const at::Tensor out = at::empty(heads.sizes(), heads.options());
  at::Tensor out_first = out.narrow(-1, 0, half), out_second = out.narrow(-1, half, half);
  at::mul_out(out_first, first, cosine).addcmul_(second, sine, back ? 1 : -1);
  at::mul_out(out_second, second, cosine).addcmul_(first, sine, back ? -1 : 1);
  return out;
}

// torch's own but for the gradient of the weight, which its kernel takes four times as long for as for all the rest.
struct Normed : torch::autograd::Function<Normed> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight, double epsilon) {
    auto [out, reciprocal] = at::_fused_rms_norm(x, weight.sizes(), weight, epsilon);
    context->save_for_backward({x, weight, reciprocal});
    return out;
  }
  static variable_list backward(AutogradContext* context, const variable_list& upstream) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &reciprocal = saved[2], gradient = upstream[0].contiguous();
    const at::Tensor of_x = std::get<0>(
        at::_fused_rms_norm_backward(gradient, x, weight.sizes(), reciprocal, weight, /*output_mask=*/{true, false}));
    const at::Tensor rows = (gradient * x).flatten(0, -2);
    const at::Tensor of_weight = at::matmul(reciprocal.reshape({1, -1}).to(x.scalar_type()), rows).squeeze(0);
    return {of_x, of_weight, at::Tensor()};
  }
};

struct Turned : torch::autograd::Function<Turned> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& heads, const at::Tensor& cosine,
                            const at::Tensor& sine) {
    context->save_for_backward({cosine, sine});
    return turn(heads, cosine, sine, /*back=*/false);
  }
  static variable_list backward(AutogradContext* context, const variable_list& upstream) {
    const variable_list angles = context->get_saved_variables();
    return {turn(upstream[0], angles[0], angles[1], /*back=*/true), at::Tensor(), at::Tensor()};
  }
};

struct Gated : torch::autograd::Function<Gated> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& gate, const at::Tensor& up) {
    context->save_for_backward({gate, up});
    return at::silu(gate).mul_(up);
  }
  static variable_list backward(AutogradContext* context, const variable_list& upstream) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &gate = saved[0], &up = saved[1];
    return {at::silu_backward(upstream[0] * up, gate), at::silu(gate).mul_(upstream[0])};
  }
};

bool is_differentiated(const at::Tensor& x) {
  return at::GradMode::is_enabled() && x.requires_grad();
}

}  // namespace

at::Tensor rms_normed(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  if (x.is_cuda() && is_differentiated(weight)) return Normed::apply(x, weight, epsilon);
  return at::rms_norm(x, weight.sizes(), weight, epsilon);
}

at::Tensor gated(const at::Tensor& gate, const at::Tensor& up) {
  if (is_differentiated(gate) || is_differentiated(up)) return Gated::apply(gate, up);
  return at::silu(gate).mul_(up);
}

at::Tensor turned(const at::Tensor& heads, const at::Tensor& cosine, const at::Tensor& sine) {
  if (is_differentiated(heads)) return Turned::apply(heads, cosine, sine);
  return turn(heads, cosine, sine, /*back=*/false);
}

}  // namespace tritonrl::model
