#include "model/linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>

#include "base/check.h"

namespace tritonrl::model {
namespace {

at::Tensor through_a(const at::Tensor& x, const LoraPair& lora, bool training) {
  const at::Tensor input = training && lora.dropout > 0 ? at::dropout(x, lora.dropout, /*train=*/true) : x;
  return at::matmul(input, lora.a.to(x.scalar_type()).t());
}

}  // namespace

at::Tensor lora_change(const LoraPair& lora) {
  return at::matmul(lora.b.detach(), lora.a.detach()) * lora.scale;
}

Linear::Linear(const std::vector<weights::ModuleInfo>& modules, const at::TensorOptions& options)
    : columns_(modules.front().columns) {
  std::int64_t rows = 0;
  for (const weights::ModuleInfo& module : modules) {
    TRL_CHECK(module.columns == columns_ && module.bias == modules.front().bias, "modules that are not alike");
    parts_.push_back({.name = std::string(module.name), .first_row = rows, .rows = module.rows, .lora = {}});
    rows += module.rows;
  }
  weight_ = at::empty({rows, columns_}, options);
  if (modules.front().bias) bias_ = at::empty({rows}, options);
}

at::Tensor Linear::base(const at::Tensor& x) const {
  if (!eight_bit_) return at::linear(x, weight_, bias_);
  const at::Tensor y = eight_bit_product(x, *eight_bit_);
  return bias_.defined() ? y + bias_ : y;
}

// In training each part has a product of its own: what comes out lies together, which elementwise kernels want, and
// gradients of parts need not be put together.
std::vector<at::Tensor> Linear::products(const at::Tensor& x, bool training) const {
  if (parts_.size() == 1) return {base(x)};
  std::vector<at::Tensor> outputs;
  outputs.reserve(parts_.size());
  if (training && !eight_bit_) {
    for (const Part& part : parts_) {
      const at::Tensor bias = bias_.defined() ? bias_.narrow(0, part.first_row, part.rows) : bias_;
      outputs.push_back(at::linear(x, weight_.narrow(0, part.first_row, part.rows), bias));
    }
    return outputs;
  }
  const at::Tensor y = base(x);
  for (const Part& part : parts_) outputs.push_back(y.narrow(-1, part.first_row, part.rows));
  return outputs;
}

std::vector<at::Tensor> Linear::forward(const at::Tensor& x, bool training) const {
  std::vector<at::Tensor> outputs = products(x, training);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::optional<LoraPair>& lora = parts_[i].lora;
    if (!lora || lora->merged) continue;
    outputs[i] = at::addmm(outputs[i], through_a(x, *lora, training), lora->b.to(x.scalar_type()).t(), /*beta=*/1,
                           /*alpha=*/lora->scale);
  }
  return outputs;
}

void Linear::quantise_weight() {
  TRL_CHECK(weight_.defined(), "a matrix is quantised twice");
  eight_bit_ = quantise(weight_);
  weight_ = at::Tensor();
}

std::size_t Linear::weight_bytes() const {
  return eight_bit_ ? eight_bit_->integers.nbytes() + eight_bit_->scale.nbytes() : weight_.nbytes();
}

at::Tensor Linear::merged_weight(const Part& part, c10::ScalarType dtype) const {
  const at::NoGradGuard no_grad;
  const bool changed = part.lora && !part.lora->merged;
  const c10::ScalarType exact = changed ? c10::kFloat : dtype;
  const at::Tensor weight = eight_bit_ ? EightBitMatrix{eight_bit_->integers.narrow(0, part.first_row, part.rows),
                                                        eight_bit_->scale.narrow(0, part.first_row, part.rows)}
                                             .dequantised(exact)
                                       : weight_.detach().narrow(0, part.first_row, part.rows).to(exact);
  return changed ? (weight + lora_change(*part.lora)).to(dtype) : weight;
}

}  // namespace tritonrl::model
