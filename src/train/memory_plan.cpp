#include "train/memory_plan.h"

#include <algorithm>
#include <optional>

namespace tritonrl::train {
namespace {

// Allocators keep blocks that are too small for what is asked next; batches differ in how they are packed.
constexpr double kUsablePart = 0.8;
// CUDA's own context and kernels, which torch's allocator does not count.
constexpr std::int64_t kContextBytes = 600'000'000;
// Answers that are sampled at once beside training: the N of best-of-N, each with a prompt and as many tokens again. A
// run that has no room for them would have to be configured anew for the stage after this.
constexpr std::int64_t kSamples = 10;
// A CPU gains nothing from larger passes.
constexpr std::int64_t kCpuPassTokens = 8192;

struct KnownModel {
  const char* name;
  std::int64_t vocabulary, hidden, inner, layers, heads, kv_heads, head_dim;
  bool tied, qkv_bias;
};
// The config.json of models that others trained, largest first.
constexpr KnownModel kKnown[] = {
    {"Qwen/Qwen2.5-Coder-32B-Instruct", 152064, 5120, 27648, 64, 40, 8, 128, false, true},
    {"Qwen/Qwen2.5-Coder-14B-Instruct", 152064, 5120, 13824, 48, 40, 8, 128, false, true},
    {"Qwen/Qwen2.5-Coder-7B-Instruct", 152064, 3584, 18944, 28, 28, 4, 128, false, true},
    {"Qwen/Qwen2.5-Coder-3B-Instruct", 151936, 2048, 11008, 36, 16, 2, 128, true, true},
    {"Qwen/Qwen2.5-Coder-1.5B-Instruct", 151936, 1536, 8960, 28, 12, 2, 128, true, true},
    {"Qwen/Qwen2.5-Coder-0.5B-Instruct", 151936, 896, 4864, 24, 14, 2, 64, true, true},
    {"HuggingFaceTB/SmolLM2-360M-Instruct", 49152, 960, 2560, 32, 15, 5, 64, true, false},
    {"HuggingFaceTB/SmolLM2-135M-Instruct", 49152, 576, 1536, 30, 9, 3, 64, true, false},
};

weights::ModelConfig config_of(const KnownModel& model) {
  weights::ModelConfig config;
  config.vocab_size = model.vocabulary;
  config.hidden_size = model.hidden;
  config.intermediate_size = model.inner;
  config.num_hidden_layers = model.layers;
  config.num_attention_heads = model.heads;
  config.num_key_value_heads = model.kv_heads;
  config.head_dim = model.head_dim;
  config.max_position_embeddings = 32768;
  config.tie_word_embeddings = model.tied;
  config.qkv_bias = model.qkv_bias;
  return config;
}

std::string precision(const MemoryQuestion& question) {
  if (question.eight_bit) return "8-bit";
  return question.element == 2 ? "16-bit" : "32-bit";
}

std::string way(const MemoryQuestion& question) {
  return precision(question) + " weights, " + (question.recompute ? "with" : "without") + " recomputation";
}

std::int64_t beside(const PlanRequest& request) {
  const MemoryQuestion& question = request.question;
  return cache_bytes(question.config, question.element, kSamples * 2 * request.longest) +
         (question.gpu ? kContextBytes : 0);
}

std::string tokens_text(const PlanRequest& request, std::int64_t tokens) {
  if (!request.free_pass) return "a pass of " + std::to_string(tokens) + " tokens";
  const std::int64_t sequences = tokens / request.longest;
  return std::to_string(sequences) + (sequences == 1 ? " sequence" : " sequences") + " of " +
         std::to_string(request.longest) + " tokens a pass";
}

// Fills the plan with this way if it has room; says why it has or has not.
void consider(const PlanRequest& request, MemoryQuestion question, MemoryPlan& plan) {
  const std::int64_t most = std::max(
      request.longest, request.question.gpu ? request.batch_tokens : std::min(request.batch_tokens, kCpuPassTokens));
  if (request.free_pass) question.pass_tokens = request.longest;
  std::string reason = way(question) + ", ";
  for (;;) {
    const MemoryEstimate estimate = estimate_memory(question);
    const std::int64_t needed = estimate.total() + beside(request);
    const bool fits = needed <= plan.allowed;
    if (fits || !plan.fits) {
      plan.chosen = question;
      plan.estimate = estimate;
      plan.needed = needed;
    }
    reason += tokens_text(request, question.pass_tokens) + (fits ? ": " : " would be too much: ") + gigabytes(needed);
    plan.fits |= fits;
    if (!fits || !request.free_pass || 2 * question.pass_tokens > most) break;
    question.pass_tokens *= 2;
    reason += "; ";
  }
  plan.reasons.push_back(reason);
}

MemoryPlan try_all(const PlanRequest& request) {
  MemoryPlan plan;
  plan.allowed = static_cast<std::int64_t>(kUsablePart * static_cast<double>(request.memory));
  const auto consider_with = [&](bool eight_bit, bool recompute) {
    if (plan.fits) return;
    MemoryQuestion question = request.question;
    question.eight_bit = eight_bit;
    question.recompute = recompute;
    consider(request, question, plan);
  };
  const MemoryQuestion& asked = request.question;
  const bool may_be_bytes = request.free_eight_bit && asked.adapter.has_value();
  const bool bytes = asked.eight_bit, again = asked.recompute;
  consider_with(bytes, again);
  if (may_be_bytes && !bytes) consider_with(true, again);
  if (request.free_recompute && !again) consider_with(bytes || may_be_bytes, true);
  return plan;
}

}  // namespace

MemoryPlan plan_memory(const PlanRequest& request) {
  MemoryPlan plan = try_all(request);
  if (plan.fits) return plan;
  for (const KnownModel& model : kKnown) {
    PlanRequest other = request;
    other.question.config = config_of(model);
    if (other.question.config.parameters() >= request.question.config.parameters() || !try_all(other).fits) continue;
    plan.smaller_model = model.name;
    break;
  }
  return plan;
}

std::vector<std::string> plan_text(const MemoryPlan& plan, const PlanRequest& request) {
  std::vector<std::string> lines;
  const auto row = [&](const char* what, std::int64_t bytes) {
    std::string amount = gigabytes(bytes);
    amount.insert(0, amount.size() < 10 ? 10 - amount.size() : 0, ' ');
    lines.push_back("  " + amount + "  " + what);
  };
  lines.push_back(std::string("memory of the ") + (request.question.gpu ? "GPU: " : "machine: ") +
                  gigabytes(request.memory) + ", of which " + gigabytes(plan.allowed) + " are planned with");
  row("weights", plan.estimate.weights);
  row(request.question.adapter ? "adapter" : "masters", plan.estimate.trained);
  row("gradients", plan.estimate.gradients);
  row("optimizer", plan.estimate.optimizer);
  row("activations", plan.estimate.activations);
  row("workspace", plan.estimate.workspace);
  row("beside it: keys and values of ten answers, the device's own", beside(request));
  row("in all", plan.needed);
  for (const std::string& reason : plan.reasons) lines.push_back(reason);
  if (plan.fits) {
    lines.push_back("chosen: " + way(plan.chosen) + ", " + tokens_text(request, plan.chosen.pass_tokens));
  } else {
    lines.push_back("does not fit" + (plan.smaller_model.empty()
                                          ? std::string("; no model that we know would")
                                          : "; " + plan.smaller_model + " would: pass --model " + plan.smaller_model));
  }
  return lines;
}

}  // namespace tritonrl::train
