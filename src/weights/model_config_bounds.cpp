#include "weights/model_config_bounds.h"

#include "base/error.h"

namespace tritonrl::weights {
namespace {

[[noreturn]] void fail(const std::string& where, const std::string& problem) {
  throw base::UserError("weights", where + ": " + problem);
}

void within(const std::string& where, const char* name, std::int64_t value, std::int64_t most) {
  if (value >= 1 && value <= most) return;
  fail(where, std::string(name) + " is " + std::to_string(value) + "; expected a whole number from 1 to " +
                  std::to_string(most));
}

void within(const std::string& where, const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return;
  fail(where, std::string(name) + " is " + std::to_string(value) + ", which no model has");
}

}  // namespace

void check_model_config(const ModelConfig& config, const std::string& where) {
  within(where, "vocab_size", config.vocab_size, kLargestVocabulary);
  within(where, "hidden_size", config.hidden_size, kLargestHidden);
  within(where, "intermediate_size", config.intermediate_size, kLargestIntermediate);
  within(where, "num_hidden_layers", config.num_hidden_layers, kMostLayers);
  within(where, "num_attention_heads", config.num_attention_heads, kMostHeads);
  within(where, "num_key_value_heads", config.num_key_value_heads, kMostHeads);
  within(where, "head_dim", config.head_dim, kLargestHead);
  within(where, "max_position_embeddings", config.max_position_embeddings, kLongestContext);
  within(where, "rms_norm_eps", config.rms_norm_eps, kSmallestEpsilon, kLargestEpsilon);
  within(where, "rope_theta", config.rope_theta, kSmallestTheta, kLargestTheta);
  within(where, "initializer_range", config.initializer_range, 0, 100);
  within(where, "the rope scaling's factor", config.rope_scaling.factor, 1, kLargestRopeFactor);
  if (config.head_dim % 2 != 0) {
    fail(where, "head_dim is " + std::to_string(config.head_dim) + "; rotary positions need an even number");
  }
  if (config.num_attention_heads % config.num_key_value_heads != 0) {
    fail(where, "num_attention_heads (" + std::to_string(config.num_attention_heads) +
                    ") is not a multiple of num_key_value_heads (" + std::to_string(config.num_key_value_heads) + ")");
  }
}

}  // namespace tritonrl::weights
