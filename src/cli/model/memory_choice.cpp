#include "cli/model/memory_choice.h"

#include <algorithm>
#include <cctype>
#include <iostream>

#include "base/error.h"
#include "program/target.h"
#include "train/device_memory.h"
#include "train/memory_plan.h"

namespace tritonrl::cli {
namespace {

constexpr std::int64_t kLongestUntold = 8192;

// A plan for a GPU needs none.
c10::Device planned_device(const StageOptions& options) {
  if (options.dry_run && options.device == "cuda" && options.memory_gb > 0) return c10::Device(c10::kCUDA, 0);
  return options.model_options(/*eight_bit=*/false, /*trainable=*/false).device;
}

std::int64_t planned_memory(const StageOptions& options, c10::Device device) {
  if (options.memory_gb > 0) return static_cast<std::int64_t>(options.memory_gb * 1e9);
  if (const std::optional<std::int64_t> bytes = train::total_memory(device)) return *bytes;
  std::cerr << "tritonrl: warning: the driver does not tell this GPU's memory, so there is no limit to plan with; pass "
               "--memory-gb\n";
  return std::int64_t{1} << 50;
}

// "NVIDIA A100-SXM4-40GB" → "nvidiaa100sxm440gb"
std::string plain(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

std::string dtype_name(const StageOptions& options) {
  if (options.dtype != "auto") return options.dtype;
  return planned_device(options).is_cuda() ? "bf16" : "fp32";
}

double known_peak_tflops(const StageOptions& options) {
  const std::string name = plain(train::device_name(planned_device(options)));
  for (const std::string& known : program::target_names()) {
    if (name.empty() || name.find(known) == std::string::npos) continue;
    const program::Target& target = program::find_target(known);
    return (dtype_name(options) == "fp32" ? target.fp32 : target.bf16) / 1e12;
  }
  return 0;
}

bool settle_memory(const StageOptions& options, const weights::ModelConfig& config,
                   const std::optional<weights::AdapterConfig>& adapter, bool& eight_bit, train::TrainOptions& training,
                   bool tell) {
  const c10::Device device = planned_device(options);
  const bool free_pass = training.pass_tokens == 0;
  if (training.longest == 0)
    training.longest = std::min(free_pass ? kLongestUntold : training.pass_tokens, config.max_position_embeddings);
  const train::PlanRequest request{.question = {.config = config,
                                                .adapter = adapter,
                                                .element = dtype_name(options) == "fp32" ? 4 : 2,
                                                .eight_bit = eight_bit,
                                                .recompute = training.recompute == train::Recompute::kOn,
                                                .pass_tokens = training.pass_tokens,
                                                .loss_chunk = training.loss_chunk,
                                                .optimizer = training.optimizer.kind,
                                                .gpu = device.is_cuda()},
                                   .free_eight_bit = options.dtype == "auto",
                                   .free_recompute = training.recompute == train::Recompute::kAuto,
                                   .free_pass = free_pass,
                                   .longest = training.longest,
                                   .batch_tokens = training.batch_tokens,
                                   .memory = planned_memory(options, device)};
  const train::MemoryPlan plan = train::plan_memory(request);
  const std::vector<std::string> lines = train::plan_text(plan, request);
  if (options.dry_run) {
    for (const std::string& line : lines) std::cout << line << "\n";
  } else if (!plan.fits) {
    std::string message = "the run would need " + train::gigabytes(plan.needed) + " of " +
                          train::gigabytes(plan.allowed) + " that are planned with: ";
    for (const std::string& reason : plan.reasons) message += reason + "; ";
    throw base::UserError(
        "train", message + lines.back() + ", lower --longest or --pass-tokens, or claim more with --memory-gb");
  } else if (tell) {
    std::cerr << lines.front() << "\n" << lines.back() << " (" << train::gigabytes(plan.needed) << ")\n";
  }
  eight_bit = plan.chosen.eight_bit;
  training.recompute = plan.chosen.recompute ? train::Recompute::kOn : train::Recompute::kOff;
  training.pass_tokens = plan.chosen.pass_tokens;
  return plan.fits;
}

}  // namespace tritonrl::cli
