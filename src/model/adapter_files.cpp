#include <ATen/core/grad_mode.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "model/adapter.h"
#include "model/adapter_base.h"
#include "model/load_weight.h"
#include "model/lora_sites.h"
#include "model/stored_tensor.h"
#include "weights/mapped_file.h"
#include "weights/safetensors.h"

namespace tritonrl::model {
namespace {

constexpr const char* kConfigFile = "adapter_config.json";
constexpr const char* kWeightsFile = "adapter_model.safetensors";
constexpr const char* kFingerprintKey = "tritonrl_base";

std::string stored_fingerprint(const std::filesystem::path& file) {
  const auto mapped = weights::MappedFile::open(file);
  const auto header = weights::parse_safetensors_header(mapped->bytes(), file.string());
  const auto found = header.metadata.find(kFingerprintKey);
  return found == header.metadata.end() ? "" : found->second;
}

// The tensors of the adapter, each checked against the site where it must land.
class AdapterTensors {
 public:
  explicit AdapterTensors(const std::filesystem::path& file) : files_(weights::open_safetensors(file)) {}

  at::Tensor take(const std::string& name, at::IntArrayRef shape) {
    if (files_->find(name) == nullptr)
      throw base::UserError("adapter", files_->where() + " has no tensor " + name + ", which its config promises");
    used_.insert(name);
    return load_weight(*files_, name, shape, "adapter");
  }

  void require_all_used() const {
    for (const weights::TensorInfo& info : files_->list()) {
      if (!used_.contains(info.name)) {
        throw base::UserError("adapter", files_->where() + ": tensor " + info.name +
                                             " does not land anywhere in this model; nothing was loaded");
      }
    }
  }

 private:
  std::shared_ptr<const weights::TensorFiles> files_;
  std::set<std::string> used_;
};

}  // namespace

weights::AdapterConfig load_adapter(Transformer& model, const std::filesystem::path& folder,
                                    const LoadAdapterOptions& options) {
  if (has_adapter(model))
    throw base::UserError("adapter", "the model has an adapter already; merge or remove it first");
  const std::filesystem::path config_file = folder / kConfigFile;
  const weights::AdapterConfig config =
      weights::parse_adapter_config(base::read_file(config_file), config_file.string());
  const std::filesystem::path file = folder / kWeightsFile;
  if (!options.any_base) {
    const AdapterBase made_for{.fingerprint = stored_fingerprint(file), .name = config.base_model};
    const AdapterBase own{.fingerprint = model.fingerprint(), .name = model.name()};
    const std::string doubt = compare_bases(made_for, own, folder.string());
    if (!doubt.empty() && options.warn) options.warn(doubt);
  }
  AdapterTensors tensors(file);
  const at::NoGradGuard no_grad;
  std::map<std::string, LoraPair> loaded;  // by module
  for_each_site(model, [&](const Weight<Linear>& site) {
    if (!is_target(site.module, config)) return;
    LoraPair pair;
    const auto place = at::TensorOptions().dtype(at::kFloat).device(model.options().device);
    const auto take = [&](const char* which, at::IntArrayRef shape) {
      return tensors.take(lora_name(site.module, which), shape).to(place, false, /*copy=*/true);
    };
    pair.a = take("lora_A", {config.r, site.linear->columns()});
    pair.b = take("lora_B", {site.part->rows, config.r});
    pair.scale = config.scale();
    pair.dropout = config.dropout;
    if (options.trainable) {
      pair.a.set_requires_grad(true);
      pair.b.set_requires_grad(true);
    }
    loaded[site.module] = pair;
  });
  tensors.require_all_used();
  if (loaded.empty())
    throw base::UserError("adapter", config_file.string() + ": target_modules names nothing in this model");
  for_each_site(model, [&](const Weight<Linear>& site) {
    if (const auto found = loaded.find(site.module); found != loaded.end()) site.part->lora = found->second;
  });
  return config;
}

void save_adapter(const Transformer& model, const weights::AdapterConfig& config, const std::filesystem::path& folder) {
  std::vector<weights::TensorToWrite> tensors;
  for (const NamedTensor& parameter : adapter_parameters(model)) {
    tensors.push_back(to_write(parameter.name, parameter.tensor));
  }
  if (tensors.empty()) throw base::UserError("adapter", "there is no adapter to save to " + folder.string());
  std::filesystem::create_directories(folder);
  weights::write_safetensors(folder / kWeightsFile, tensors,
                             {{"format", "pt"}, {kFingerprintKey, model.fingerprint()}});
  base::write_file_atomically(folder / kConfigFile, weights::adapter_config_json(config));
}

}  // namespace tritonrl::model
