#include "base/sha256.h"
#include "train/loop.h"

namespace tritonrl::train {

std::string run_key(const TrainOptions& options, const std::vector<WeightedSource>& sources,
                    const model::Transformer& model, const std::optional<weights::AdapterConfig>& adapter,
                    std::int64_t steps) {
  // contents, not names: folders may have been moved
  std::string key = base::field_key(options) + ", {\"steps\": " + std::to_string(steps);
  for (const WeightedSource& each : sources)
    key += ", data " + each.source->fingerprint() + " weight " + std::to_string(each.weight);
  key += ", dtype " + std::string(c10::toString(model.dtype()));
  if (model.options().eight_bit) key += ", 8 bits";
  // weights that are trained differ from step to step; those under an adapter must not
  if (adapter) {
    weights::AdapterConfig nameless = *adapter;
    nameless.base_model.clear();
    key += ", base " + model.fingerprint() + ", adapter " + base::sha256(weights::adapter_config_json(nameless));
  }
  return key + "}";
}

}  // namespace tritonrl::train
