#include "train/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "train/muon.h"

namespace tritonrl::train {

std::span<const char* const> enum_names(OptimizerKind) {
  static constexpr const char* kNames[] = {"adamw", "muon"};
  return kNames;
}

void OptimizerOptions::fields(base::FieldVisitor& field) {
  field("optimizer", kind, {.help = "muon: for the matrices of blocks, adamw for the rest"});
  field("beta1", beta1, {.help = "of AdamW: decay of the mean of gradients", .least = 0, .most = 1});
  field("beta2", beta2, {.help = "of AdamW: decay of the mean of their squares", .least = 0, .most = 1});
  field("epsilon", epsilon, {.help = "of AdamW", .least = 0});
  field("weight_decay", weight_decay, {.help = "of matrices and embeddings", .least = 0});
  field("momentum", momentum, {.help = "of Muon", .least = 0, .most = 1});
}

Optimizer::Optimizer(FlatParameters& parameters, const OptimizerOptions& options)
    : parameters_(parameters), options_(options) {
  if (options.kind == OptimizerKind::kMuon) adamw_begin_ = parameters.begin_of(ParameterKind::kEmbedding);
  first_moment_ = at::zeros_like(parameters.values());
  second_moment_ = at::zeros({parameters.size() - adamw_begin_}, parameters.values().options());
  steps_ = at::zeros({}, parameters.values().options());
  const std::vector<FlatParameters::Slice>& slices = parameters.slices();
  for (std::size_t i = 0; i < slices.size() && slices[i].begin < adamw_begin_;) {
    std::size_t end = i + 1;  // matrices of one shape are neighbours: one batch of products serves them all
    while (end < slices.size() && slices[end].begin < adamw_begin_ && slices[end].shape == slices[i].shape &&
           slices[end].parts == slices[i].parts)
      ++end;
    const FlatParameters::Slice& first = slices[i];
    const auto all = [&](const at::Tensor& flat) {
      return flat.as_strided({static_cast<std::int64_t>(end - i), first.shape[0], first.shape[1]},
                             {first.stride, first.shape[1], 1}, first.begin);
    };
    groups_.push_back({.values = all(parameters.values()),
                       .gradients = all(parameters.gradients()),
                       .momentum = all(first_moment_),
                       .parts = first.parts});
    i = end;
  }
}

void Optimizer::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  steps_.add_(1);
  muon(learning_rate);
  adamw(learning_rate);
  parameters_.spread_values();
}

void Optimizer::adamw(double learning_rate) {
  const std::int64_t vectors = parameters_.begin_of(ParameterKind::kVector);
  const auto run = [&](std::int64_t begin, std::int64_t end, double weight_decay) {
    if (begin >= end) return;
    const auto cut = [&](const at::Tensor& flat, std::int64_t from) { return flat.narrow(0, from, end - begin); };
    at::_fused_adamw_({cut(parameters_.values(), begin)}, {cut(parameters_.gradients(), begin)},
                      {cut(first_moment_, begin)}, {cut(second_moment_, begin - adamw_begin_)},
                      /*max_exp_avg_sqs=*/{}, {steps_}, learning_rate, options_.beta1, options_.beta2, weight_decay,
                      options_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
  };
  run(adamw_begin_, vectors, options_.weight_decay);
  run(std::max(adamw_begin_, vectors), parameters_.size(), /*weight_decay=*/0);
}

void Optimizer::muon(double learning_rate) {
  for (MuonGroup& group : groups_) {
    group.momentum.lerp_(group.gradients, 1 - options_.momentum);
    const at::Tensor update = group.gradients.lerp(group.momentum, options_.momentum);  // Nesterov's
    if (options_.weight_decay > 0) group.values.mul_(1 - learning_rate * options_.weight_decay);
    std::int64_t row = 0;
    for (const std::int64_t rows : group.parts) {
      const double scale = muon_scale(rows, group.values.size(2));
      group.values.narrow(1, row, rows).sub_(orthogonalised(update.narrow(1, row, rows)), learning_rate * scale);
      row += rows;
    }
  }
}

std::vector<model::NamedTensor> Optimizer::state() const {
  std::vector<model::NamedTensor> named;
  for (const FlatParameters::Slice& slice : parameters_.slices()) {
    if (parameters_.has_masters())
      named.push_back({"master." + slice.name, parameters_.view(parameters_.values(), slice)});
    named.push_back({"first_moment." + slice.name, parameters_.view(first_moment_, slice)});
    if (slice.begin < adamw_begin_) continue;
    named.push_back({"second_moment." + slice.name,
                     second_moment_.narrow(0, slice.begin - adamw_begin_, slice.size).view(slice.shape)});
  }
  return named;
}

void Optimizer::resume(std::int64_t steps_done) {
  steps_.fill_(static_cast<double>(steps_done));
  parameters_.spread_values();
}

}  // namespace tritonrl::train
