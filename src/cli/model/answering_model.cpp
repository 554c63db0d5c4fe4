#include "cli/model/answering_model.h"

#include <optional>

#include "base/error.h"
#include "generate/engine.h"
#include "model/adapter.h"
#include "rl/served_weights.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

class ServedModel : public generate::Generator {
 public:
  ServedModel(const RlCommandOptions& options, model::Transformer& model, const weights::AdapterConfig& adapter,
              const text::ModelText& text, std::function<void(const std::string&)> say)
      : server_(remote_generator(options.rollouts, options.remote, text)),
        folder_(
            fs::absolute(options.handover.empty() ? options.stage.folder().stage("rl") / "served" : options.handover)) {
    rl::ServedWeightsOptions served;
    served.tokens_needed = options.rl.method == rl::Method::kGrpo;
    served.version = [&model] { return model.adapter_version; };
    served.publish = [this, &model, adapter](std::int64_t version) {
      const fs::path place = folder_ / ("v" + std::to_string(version));
      fs::create_directories(place);
      model::save_adapter(model, adapter, place);
      return place.string();
    };
    served.published = [this, say = std::move(say)](std::int64_t version) {
      for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
        if (entry.path().filename() != "v" + std::to_string(version)) fs::remove_all(entry.path());
      }
      say("the server answers with the adapter of version " + std::to_string(version));
    };
    weights_.emplace(*server_, std::move(served));
  }

  std::optional<std::int64_t> context() { return server_->context(); }
  std::vector<record::Sample> generate(std::span<const generate::GenerateRequest> requests,
                                       const generate::GenerateEvents& events) override {
    return weights_->generate(requests, events);
  }

 private:
  std::unique_ptr<generate::RemoteGenerator> server_;
  const fs::path folder_;
  std::optional<rl::ServedWeights> weights_;
};

}  // namespace

std::unique_ptr<generate::Generator> answering_model(const RlCommandOptions& options, model::Transformer& model,
                                                     const weights::AdapterConfig& adapter, const text::ModelText& text,
                                                     std::int64_t context,
                                                     const std::function<void(const std::string&)>& say) {
  if (options.rollouts.empty())
    return std::make_unique<generate::Engine>(model, text.tokenizer,
                                              generate::EngineOptions{.slots = options.slots, .capacity = context});
  auto served = std::make_unique<ServedModel>(options, model, adapter, text, say);
  if (const std::optional<std::int64_t> reads = served->context(); reads.value_or(context) < context)
    throw base::UserError("rl", "the server reads " + std::to_string(*reads) + " tokens, and --longest " +
                                    std::to_string(context) + " is more; lower it");
  return served;
}

}  // namespace tritonrl::cli
