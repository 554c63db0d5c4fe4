#include "train/memory_estimate.h"

#include <gtest/gtest.h>

#include <iostream>

#include "model/adapter.h"
#include "tests/train/counted_memory.h"
#include "tests/train/small_data.h"
#include "train/memory_plan.h"
#include "train/model_flops.h"
#include "train/step.h"

namespace tritonrl::train {
namespace {

// Wide and long enough that tensors and not their number decide.
weights::ModelConfig narrow_config() {
  weights::ModelConfig config;
  config.architecture = weights::Architecture::kQwen2;
  config.vocab_size = 512;
  config.hidden_size = 64;
  config.intermediate_size = 176;
  config.num_hidden_layers = 6;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 16;
  config.max_position_embeddings = 256;
  config.qkv_bias = true;
  config.tie_word_embeddings = true;
  return config;
}

// The peak of torch's allocations from an empty machine through two steps.
std::int64_t measured_peak(const MemoryQuestion& question) {
  few_threads();
  std::vector<Example> examples = random_examples(200, 4, 40, 120);
  std::vector<Example> taken;
  std::int64_t tokens = 0;
  for (Example& example : examples) {
    example.prompt = 1;  // nearly all is trained, as the estimate assumes
    if (tokens + example.length() > question.pass_tokens) continue;
    tokens += example.length();
    taken.push_back(example);
  }
  const CountedMemory memory;
  const auto model = model::Transformer::random(question.config,
                                                {.dtype = question.element == 4 ? at::kFloat : at::kBFloat16,
                                                 .eight_bit = question.eight_bit,
                                                 .trainable = !question.adapter},
                                                3);
  if (question.adapter) model::add_adapter(*model, *question.adapter, 5);
  FlatParameters parameters(trained_parameters(*model));
  Optimizer optimizer(parameters, {.kind = question.optimizer});
  const auto alone = single_process();
  TrainingStep step(*model, parameters, optimizer, *alone,
                    {.recompute = question.recompute, .loss_chunk = question.loss_chunk});
  const std::vector<MicroBatch> batches = {batch_of(taken)};
  const at::Tensor before = parameters.values().clone();  // as the loop has it for its first step
  for (int i = 0; i < 2; ++i) step.run(batches, batches.front().labelled(), 1e-3, 7);
  return memory.peak();
}

struct Case {
  const char* name;
  void (*change)(MemoryQuestion&);
};
constexpr Case kCases[] = {
    {"LoRA", [](MemoryQuestion&) {}},
    {"LoRA without dropout", [](MemoryQuestion& q) { q.adapter->dropout = 0; }},
    {"LoRA on queries and values",
     [](MemoryQuestion& q) {
       q.adapter->target_modules = {"q_proj", "v_proj"};
     }},
    {"LoRA, recomputed", [](MemoryQuestion& q) { q.recompute = true; }},
    {"LoRA on 8 bits", [](MemoryQuestion& q) { q.eight_bit = true; }},
    {"LoRA on 8 bits, recomputed", [](MemoryQuestion& q) { q.eight_bit = q.recompute = true; }},
    {"LoRA, a small chunk of logits", [](MemoryQuestion& q) { q.loss_chunk = 64; }},
    {"all parameters", [](MemoryQuestion& q) { q.adapter.reset(); }},
    {"all parameters, recomputed", [](MemoryQuestion& q) { q.adapter.reset(), q.recompute = true; }},
    {"LoRA, recomputed, six times as wide inside",
     [](MemoryQuestion& q) { q.recompute = true, q.config.intermediate_size = 384; }},
    {"LoRA, recomputed, hardly wider inside, no groups of heads",
     [](MemoryQuestion& q) {
       q.recompute = true, q.config.intermediate_size = 96;
       q.config.num_attention_heads = q.config.num_key_value_heads = 8;
     }},
    {"all parameters, Muon, few tokens",
     [](MemoryQuestion& q) { q.adapter.reset(), q.optimizer = OptimizerKind::kMuon, q.pass_tokens = 128; }},
};

TEST(Memory, TheEstimateIsWhatTorchAllocates) {
  for (const Case& each : kCases) {
    MemoryQuestion question{.config = narrow_config(),
                            .adapter = weights::AdapterConfig{},
                            .element = 4,
                            .pass_tokens = 2048,
                            .gpu = false};
    each.change(question);
    const MemoryEstimate estimate = estimate_memory(question);
    const double ratio = static_cast<double>(estimate.total()) / static_cast<double>(measured_peak(question));
    std::cout << each.name << ": estimate / measured " << ratio << " (activations " << estimate.activations
              << ", workspace " << estimate.workspace << " of " << estimate.total() << ")\n";
    EXPECT_GT(ratio, 0.95) << each.name;
    EXPECT_LT(ratio, 1.1) << each.name;
  }
}

// config.json of Qwen2.5-Coder-7B-Instruct.
weights::ModelConfig coder_7b() {
  weights::ModelConfig config;
  config.architecture = weights::Architecture::kQwen2;
  config.vocab_size = 152064;
  config.hidden_size = 3584;
  config.intermediate_size = 18944;
  config.num_hidden_layers = 28;
  config.num_attention_heads = 28;
  config.num_key_value_heads = 4;
  config.head_dim = 128;
  config.max_position_embeddings = 32768;
  config.qkv_bias = true;
  return config;
}

MemoryPlan plan_for(double gigabytes_there, const std::function<void(PlanRequest&)>& change = {}) {
  PlanRequest request{.question = {.config = coder_7b(), .adapter = weights::AdapterConfig{}},
                      .longest = 2048,
                      .memory = static_cast<std::int64_t>(gigabytes_there * 1e9)};
  if (change) change(request);
  const MemoryPlan plan = plan_memory(request);
  std::cout << gigabytes_there << " GB:\n";
  for (const std::string& line : plan_text(plan, request)) std::cout << "  " << line << "\n";
  return plan;
}

// Nominal sizes, and what such devices have in truth.
TEST(Memory, APlanForSevenBillionParameters) {
  for (const double memory : {80.0, 85.0}) {
    const MemoryPlan plan = plan_for(memory);
    EXPECT_TRUE(plan.fits && !plan.chosen.eight_bit && !plan.chosen.recompute);
    EXPECT_EQ(plan.chosen.pass_tokens, 2 * 2048);
  }
  for (const double memory : {40.0, 42.3}) {  // a nominal 40 has just room for 16 bits in truth
    const MemoryPlan plan = plan_for(memory);
    EXPECT_TRUE(plan.fits && plan.chosen.eight_bit == (memory < 42) && !plan.chosen.recompute);
    EXPECT_EQ(plan.chosen.pass_tokens, 2048);
  }
  for (const double memory : {24.0, 25.7}) {
    const MemoryPlan plan = plan_for(memory);
    EXPECT_TRUE(plan.fits && plan.chosen.eight_bit && plan.chosen.recompute);
  }
  const MemoryPlan small = plan_for(16);
  EXPECT_FALSE(small.fits);
  EXPECT_EQ(small.smaller_model, "Qwen/Qwen2.5-Coder-3B-Instruct");
  EXPECT_EQ(plan_for(0.1).smaller_model, "");
}

TEST(Memory, APlanKeepsToWhatWasAskedFor) {
  const MemoryPlan typed = plan_for(40, [](PlanRequest& request) { request.free_eight_bit = false; });
  EXPECT_TRUE(typed.fits && !typed.chosen.eight_bit && typed.chosen.recompute);
  const MemoryPlan all = plan_for(40, [](PlanRequest& request) { request.question.adapter.reset(); });
  EXPECT_FALSE(all.fits);
  const MemoryPlan kept = plan_for(40, [](PlanRequest& request) {
    request.free_pass = request.free_recompute = false;
    request.question.pass_tokens = 8192;
  });
  EXPECT_FALSE(kept.fits);
  EXPECT_EQ(kept.chosen.pass_tokens, 8192);
  const MemoryPlan wide = plan_for(1000);
  EXPECT_EQ(wide.chosen.pass_tokens, 16384);  // a step has no more
}

// By hand: one block of 2 x 2 matrices, a sequence of 3 tokens.
TEST(Memory, ArithmeticOfAPassByHand) {
  weights::ModelConfig config;
  config.vocab_size = 10;
  config.hidden_size = config.intermediate_size = config.head_dim = 2;
  config.num_hidden_layers = config.num_attention_heads = config.num_key_value_heads = 1;
  const PassSize size{.tokens = 3, .labelled = 1, .squares = 9};
  const double forward = 2 * (7 * 4 * 3 + 10 * 2 * 1), attention = 2 * 2 * 9;
  EXPECT_EQ(training_flops(config, std::nullopt, size), 3 * (forward + attention));
  const weights::AdapterConfig adapter{.r = 1, .target_modules = {"q_proj"}};
  EXPECT_EQ(training_flops(config, adapter, size), 2 * forward + 3 * attention + 6 * 4 * 3);
}

}  // namespace
}  // namespace tritonrl::train
