#include "train/parameters.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "base/check.h"
#include "base/error.h"
#include "model/adapter.h"
#include "model/weight_walk.h"

namespace tritonrl::train {
namespace {

// In elements: enough for any type to begin where wide loads may.
constexpr std::int64_t kAlignment = 64;

std::vector<Parameter> all_parameters(const model::Transformer& model) {
  std::vector<Parameter> parameters;
  std::size_t i = 0;
  const std::vector<model::NamedTensor> named = model.parameters();
  model::for_each_weight(model, [&](const model::Weight<const model::Linear>& weight) {
    if (weight.linear != nullptr && weight.part != &weight.linear->parts().front()) return;
    Parameter parameter{.name = named[i].name, .tensor = named[i].tensor};
    ++i;
    if (parameter.tensor.dim() < 2) {
      parameter.kind = ParameterKind::kVector;
    } else if (weight.linear == nullptr) {
      parameter.kind = ParameterKind::kEmbedding;  // or the head
    } else {
      for (const model::Linear::Part& part : weight.linear->parts()) parameter.parts.push_back(part.rows);
    }
    parameters.push_back(std::move(parameter));
  });
  TRL_CHECK(i == named.size(), "two walks over one model differ");
  return parameters;
}

}  // namespace

std::vector<Parameter> trained_parameters(const model::Transformer& model) {
  std::vector<Parameter> parameters;
  if (model::has_adapter(model)) {
    for (const model::NamedTensor& named : model::adapter_parameters(model))
      parameters.push_back({.name = named.name, .tensor = named.tensor, .parts = {named.tensor.size(0)}});
  } else if (model.options().trainable) {
    parameters = all_parameters(model);
  }
  if (parameters.empty())
    throw base::UserError("train", "the model is frozen and has no adapter: nothing would be trained");
  return parameters;
}

FlatParameters::FlatParameters(const std::vector<Parameter>& parameters) {
  std::vector<const Parameter*> order;
  for (const Parameter& parameter : parameters) order.push_back(&parameter);
  std::stable_sort(order.begin(), order.end(), [](const Parameter* a, const Parameter* b) {
    if (a->kind != b->kind) return a->kind < b->kind;
    if (a->tensor.sizes() != b->tensor.sizes()) return a->tensor.sizes().vec() < b->tensor.sizes().vec();
    return a->parts < b->parts;
  });
  const at::NoGradGuard no_grad;
  const c10::ScalarType dtype = order.front()->tensor.scalar_type();
  std::int64_t size = 0;
  for (const Parameter* parameter : order) {
    TRL_CHECK(parameter->tensor.scalar_type() == dtype && parameter->tensor.is_leaf(), "parameters of one type");
    const std::int64_t own = parameter->tensor.numel();
    const std::int64_t stride = (own + kAlignment - 1) / kAlignment * kAlignment;
    slices_.push_back({.name = parameter->name,
                       .kind = parameter->kind,
                       .shape = parameter->tensor.sizes().vec(),
                       .parts = parameter->parts,
                       .begin = size,
                       .size = own,
                       .stride = stride});
    leaves_.push_back(parameter->tensor);
    size += stride;
  }
  const auto place = at::TensorOptions().device(leaves_.front().device());
  values_ = at::zeros({size}, place.dtype(at::kFloat));
  gradients_ = at::zeros({size}, place.dtype(at::kFloat));
  if (dtype != at::kFloat) {
    low_values_ = at::zeros({size}, place.dtype(dtype));
    low_gradients_ = at::zeros({size}, place.dtype(dtype));
  }
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    view(values_, slices_[i]).copy_(leaves_[i]);
    const at::Tensor own = view(has_masters() ? low_values_ : values_, slices_[i]);
    own.copy_(leaves_[i]);
    leaves_[i].set_data(own);
    // autograd adds to a gradient that is there
    leaves_[i].mutable_grad() = view(has_masters() ? low_gradients_ : gradients_, slices_[i]);
  }
}

std::int64_t FlatParameters::begin_of(ParameterKind kind) const {
  for (const Slice& slice : slices_) {
    if (slice.kind >= kind) return slice.begin;
  }
  return size();
}

std::int64_t FlatParameters::count() const {
  std::int64_t count = 0;
  for (const Slice& slice : slices_) count += slice.size;
  return count;
}

at::Tensor FlatParameters::view(const at::Tensor& flat, const Slice& slice) const {
  return flat.narrow(0, slice.begin, slice.size).view(slice.shape);
}

void FlatParameters::clear_gradients() {
  gradients_.zero_();
  if (has_masters()) low_gradients_.zero_();
}

void FlatParameters::collect_gradients() {
  if (!has_masters()) return;
  const at::NoGradGuard no_grad;
  gradients_.add_(low_gradients_);
  low_gradients_.zero_();
}

void FlatParameters::spread_values() {
  if (!has_masters()) return;
  const at::NoGradGuard no_grad;
  low_values_.copy_(values_);
}

}  // namespace tritonrl::train
