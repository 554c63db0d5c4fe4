#include "train/memory_estimate.h"

#include <algorithm>
#include <cstdio>

#include "model/lora_sites.h"
#include "train/chunked_loss.h"
#include "train/model_flops.h"
#include "weights/block_modules.h"

namespace tritonrl::train {
namespace {

constexpr std::int64_t kFloat = 4;

class Estimator {
 public:
  explicit Estimator(const MemoryQuestion& question)
      : q_(question),
        c_(question.config),
        e_(question.element),
        hidden_(c_.hidden_size),
        inner_(c_.intermediate_size),
        queries_(c_.num_attention_heads * c_.head_dim),
        keys_(c_.num_key_value_heads * c_.head_dim),
        trained_(question.adapter ? adapter_size(c_, *question.adapter) : c_.parameters()) {}

  MemoryEstimate estimate() const {
    MemoryEstimate out;
    out.weights = weights();
    if (q_.adapter || e_ < kFloat) out.trained = kFloat * trained_;
    out.gradients = kFloat * trained_;
    if (!q_.adapter && e_ < kFloat) out.gradients += e_ * trained_;
    out.optimizer = kFloat * (2 * trained_ + second_moments());
    const std::int64_t tokens = q_.pass_tokens, layers = c_.num_hidden_layers;
    const std::int64_t block = tokens * block_bytes_a_token();
    const std::int64_t casts =
        q_.adapter && e_ < kFloat ? e_ * trained_ : 0;  // of the adapter to the activations' type
    out.activations = outside() + casts + (q_.recompute ? layers * tokens * hidden_ * e_ : layers * block);
    const std::int64_t backward = block_workspace() + (q_.recompute ? block : 0);
    // by then the activations are gone
    const std::int64_t stepping = optimizer_workspace() - out.activations;
    out.workspace = std::max({loss_workspace(), backward, stepping, loading() - out.total()});
    return out;
  }

 private:
  // The base's tensors, and the table of positions.
  std::int64_t weights() const {
    std::int64_t bytes = e_ * c_.parameters();
    if (q_.eight_bit) {
      for (const weights::ModuleInfo& module : weights::block_modules(c_)) {
        if (!module.is_matrix()) continue;
        bytes += c_.num_hidden_layers * (kFloat * module.rows - (e_ - 1) * module.rows * module.columns);
      }
    }
    const std::int64_t table = c_.max_position_embeddings * c_.head_dim;
    return bytes + table * (!q_.gpu && e_ < kFloat ? e_ + kFloat : e_);
  }

  std::int64_t block_matrices() const {
    std::int64_t count = 0;
    for (const weights::ModuleInfo& module : weights::block_modules(c_)) count += module.rows * module.columns;
    return count;
  }

  std::int64_t second_moments() const {
    return q_.optimizer == OptimizerKind::kAdamW ? trained_
           : q_.adapter                          ? 0
                                                 : trained_ - c_.num_hidden_layers * block_matrices();
  }

  // How many of the matrices have an adapter.
  std::int64_t targets(std::initializer_list<std::string_view> names) const {
    return !q_.adapter ? 0 : std::ranges::count_if(names, [&](std::string_view name) {
      return model::is_target("." + std::string(name), *q_.adapter);
    });
  }

  // What matrices that read one input of this width keep for the gradients of their weights: the input once, or where
  // there is dropout a dropped copy and its mask an adapter.
  std::int64_t input_bytes(std::int64_t width, std::initializer_list<std::string_view> names, bool is_kept) const {
    if (!q_.adapter) return is_kept ? 0 : e_ * width;
    const std::int64_t adapters = targets(names), rank = adapters * q_.adapter->r * e_;
    if (adapters == 0) return 0;
    if (q_.adapter->dropout == 0) return rank + (is_kept ? 0 : e_ * width);
    return rank + adapters * width * (e_ + (q_.gpu ? 1 : e_));
  }

  std::int64_t block_bytes_a_token() const {
    // a norm keeps its input: the CPU's as float32, and what it scales where the scale is trained
    std::int64_t norm = q_.gpu ? e_ : kFloat;
    if (!q_.gpu && !q_.adapter) norm += kFloat;
    std::int64_t bytes = 2 * norm * hidden_ + (c_.head_norms ? norm * (queries_ + keys_) : 0);
    bytes += input_bytes(hidden_, {"q_proj", "k_proj", "v_proj"}, /*is_kept=*/false);
    // values may be a piece of the joined product, which stays whole then
    const std::int64_t values = targets({"v_proj"}) > 0 || !q_.eight_bit ? keys_ : queries_ + 2 * keys_;
    // the CPU repeats keys and values for the queries of their group, and copies sequences behind one another
    const bool repeats = !q_.gpu && queries_ != keys_;
    bytes += e_ * (2 * queries_ + (repeats ? 2 * queries_ : keys_ + values)) + kFloat * c_.num_attention_heads;
    bytes += input_bytes(queries_, {"o_proj"}, /*is_kept=*/q_.gpu);
    bytes += input_bytes(hidden_, {"gate_proj", "up_proj"}, /*is_kept=*/false);
    bytes += 2 * e_ * inner_;  // gate and up
    return bytes + input_bytes(inner_, {"down_proj"}, /*is_kept=*/false);
  }

  // The last block's output, its norm, the rows of it that are asked about, and their gradient; tokens and positions.
  std::int64_t outside() const {
    const std::int64_t norm = q_.gpu ? e_ : kFloat;
    return q_.pass_tokens * (hidden_ * (norm + 3 * e_) + c_.head_dim * e_ + 6 * 8);
  }

  std::int64_t loss_workspace() const {
    const std::int64_t chunk = q_.loss_chunk > 0 ? q_.loss_chunk : automatic_loss_chunk(c_.vocab_size);
    const std::int64_t logits = std::min(chunk, q_.pass_tokens) * c_.vocab_size * (e_ + kFloat);
    return logits + (q_.adapter ? 0 : c_.vocab_size * hidden_ * (kFloat + e_));  // gradient of the head, added up
  }

  // Gradients inside a block on their way back, of which two as wide as its inside or its heads are the most at once:
  // what was kept for others goes meanwhile, and the last hidden states are gone. And a matrix in full, where it is
  // dequantised or gets a gradient.
  std::int64_t block_workspace() const {
    const std::int64_t largest = 2 * inner_ * hidden_;
    const std::int64_t matrix = q_.eight_bit || !q_.adapter ? e_ * largest : 0;
    const std::int64_t head = q_.adapter ? 0 : 2 * e_ * c_.vocab_size * hidden_;
    return q_.pass_tokens * e_ * std::max(2 * inner_ - 2 * hidden_, 2 * queries_) + matrix + head;
  }

  // Muon takes the matrices of one shape of all blocks at once.
  std::int64_t optimizer_workspace() const {
    if (q_.optimizer != OptimizerKind::kMuon) return 0;
    const std::int64_t narrow = std::min(hidden_, inner_), element = q_.gpu ? 2 : kFloat;
    const std::int64_t part = inner_ * hidden_, gram = narrow * narrow;
    if (q_.adapter) return 0;  // thin matrices
    return c_.num_hidden_layers * (kFloat * 2 * part + element * (3 * part + 2 * gram));
  }

  // A block in full before it is turned to bytes, and float32 copies of its largest matrix while it is.
  std::int64_t loading() const {
    return q_.eight_bit ? weights() + e_ * block_matrices() + 3 * kFloat * 2 * inner_ * hidden_ : 0;
  }

  const MemoryQuestion& q_;
  const weights::ModelConfig& c_;
  const std::int64_t e_, hidden_, inner_, queries_, keys_, trained_;
};

}  // namespace

MemoryEstimate estimate_memory(const MemoryQuestion& question) {
  return Estimator(question).estimate();
}

std::int64_t cache_bytes(const weights::ModelConfig& config, std::int64_t element, std::int64_t tokens) {
  return 2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim * element * tokens;
}

std::string gigabytes(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), bytes < 100'000'000 ? "%.3f GB" : "%.1f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

}  // namespace tritonrl::train
