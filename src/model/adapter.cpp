#include "model/adapter.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/check.h"
#include "base/error.h"
#include "model/lora_sites.h"

namespace tritonrl::model {
namespace {

void require_targets(const Transformer& model, const weights::AdapterConfig& config) {
  for (const std::string& target : config.target_modules) {
    bool found = false;
    for_each_site(model, [&](const Weight<const Linear>& site) { found |= is_target(site.module, target); });
    if (!found) {
      throw base::UserError("adapter", "target_modules names " + target + ", which this model does not have; it has " +
                                           weights::linear_names_text());
    }
  }
}

void change_weights(Transformer& model, double sign) {
  const at::NoGradGuard no_grad;
  for_each_site(model, [&](const Weight<Linear>& site) {
    if (!site.part->lora || site.part->lora->merged == (sign > 0)) return;
    if (site.linear->eight_bit()) {
      throw base::UserError("adapter",
                            "an adapter cannot be merged into 8-bit weights in memory; save_model (tritonrl "
                            "merge) writes the merged model, or load the base without --8bit");
    }
    LoraPair& lora = *site.part->lora;
    site.values.copy_(site.values.to(at::kFloat) + lora_change(lora) * sign);
    lora.merged = sign > 0;
  });
}

}  // namespace

void add_adapter(Transformer& model, const weights::AdapterConfig& config, std::uint64_t seed) {
  if (has_adapter(model))
    throw base::UserError("adapter", "the model has an adapter already; merge or remove it first");
  require_targets(model, config);
  const at::NoGradGuard no_grad;
  const auto device = model.options().device;
  at::Generator generator = at::detail::createCPUGenerator(seed);
  for_each_site(model, [&](const Weight<Linear>& site) {
    if (!is_target(site.module, config)) return;
    // PEFT draws a by kaiming_uniform_ with a = sqrt(5), which is uniform within 1 / sqrt(columns).
    const double bound = 1 / std::sqrt(static_cast<double>(site.linear->columns()));
    LoraPair pair;
    pair.a = at::empty({config.r, site.linear->columns()}, at::kFloat).uniform_(-bound, bound, generator).to(device);
    pair.b = at::zeros({site.part->rows, config.r}, at::TensorOptions().dtype(at::kFloat).device(device));
    pair.scale = config.scale();
    pair.dropout = config.dropout;
    pair.a.set_requires_grad(true);
    pair.b.set_requires_grad(true);
    site.part->lora = pair;
  });
}

WithoutAdapter::WithoutAdapter(Transformer& model) {
  for_each_site(model, [&](const Weight<Linear>& site) {
    if (!site.part->lora) return;
    TRL_CHECK(!site.part->lora->merged, "a merged adapter cannot be left out");
    taken_.emplace_back(site.part, std::move(*site.part->lora));
    site.part->lora.reset();
  });
}

WithoutAdapter::~WithoutAdapter() {
  for (auto& [part, lora] : taken_) part->lora = std::move(lora);
}

std::vector<NamedTensor> adapter_parameters(const Transformer& model) {
  std::vector<NamedTensor> named;
  for_each_site(model, [&](const Weight<const Linear>& site) {
    if (!site.part->lora) return;
    named.push_back({lora_name(site.module, "lora_A"), site.part->lora->a});
    named.push_back({lora_name(site.module, "lora_B"), site.part->lora->b});
  });
  return named;
}

bool has_adapter(const Transformer& model) {
  bool found = false;
  for_each_site(model, [&](const Weight<const Linear>& site) { found |= site.part->lora.has_value(); });
  return found;
}

void remove_adapter(Transformer& model) {
  for_each_site(model, [&](const Weight<Linear>& site) {
    TRL_CHECK(!site.part->lora || !site.part->lora->merged, "a merged adapter is removed: unmerge it first");
    site.part->lora.reset();
  });
}

void merge_adapter(Transformer& model) {
  change_weights(model, 1);
}
void unmerge_adapter(Transformer& model) {
  change_weights(model, -1);
}

}  // namespace tritonrl::model
