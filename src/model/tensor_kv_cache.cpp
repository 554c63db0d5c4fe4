#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <tuple>
#include <vector>

#include "base/check.h"
#include "model/kv_cache.h"

namespace tritonrl::model {
namespace {

// Each slot is one stretch [capacity, kv_heads, head_dim], so that a kernel for packed sequences reads it in place.
class TensorKvCache : public KvCache {
 public:
  explicit TensorKvCache(const CacheShape& shape) : shape_(shape) {
    const auto options = at::TensorOptions().device(shape.device).dtype(shape.dtype);
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      keys_.push_back(at::empty({shape.slots, shape.capacity, shape.kv_heads, shape.head_dim}, options));
      values_.push_back(at::empty_like(keys_.back()));
    }
  }

  bool shares_prefixes() const override { return false; }

  void copy(int from, int to, std::int64_t length) override {
    for (std::vector<at::Tensor>* tensors : {&keys_, &values_}) {
      for (at::Tensor& tensor : *tensors) {
        tensor.select(0, to).narrow(0, 0, length).copy_(tensor.select(0, from).narrow(0, 0, length));
      }
    }
  }

  void store(std::size_t layer, const at::Tensor& keys, const at::Tensor& values,
             std::span<const PromptRange> prompts) override {
    for (const PromptRange& prompt : prompts) {
      keys_[layer]
          .select(0, prompt.slot)
          .narrow(0, 0, prompt.length)
          .copy_(keys.narrow(0, prompt.start, prompt.length));
      values_[layer]
          .select(0, prompt.slot)
          .narrow(0, 0, prompt.length)
          .copy_(values.narrow(0, prompt.start, prompt.length));
    }
  }

  at::Tensor attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                    const StepPlan& plan, const Rope& rope) override {
    const Rope::Rows rows = rope.rows(plan.positions);
    const at::Tensor q = Rope::apply(queries, rows).to(shape_.dtype);
    keys_[layer].index_put_({plan.slots, plan.positions}, Rope::apply(keys, rows).to(shape_.dtype));
    values_[layer].index_put_({plan.slots, plan.positions}, values.to(shape_.dtype));
    return attended(q, layer, plan).to(queries.scalar_type()).flatten(1);
  }

 private:
  at::Tensor attended(const at::Tensor& q, std::size_t layer, const StepPlan& plan) const {
    const bool packed_kernel = q.is_cuda() && shape_.dtype != c10::kFloat;
    if (packed_kernel) {
      // Starts need not be those of neighbours: each sequence is read from its slot, as far as it is filled.
      return std::get<0>(at::_flash_attention_forward(
          q, keys_[layer].flatten(0, 1), values_[layer].flatten(0, 1), plan.starts, plan.cache_starts, /*max_q=*/1,
          plan.longest, /*dropout_p=*/0.0, /*is_causal=*/false, /*return_debug_mask=*/false, /*scale=*/std::nullopt,
          /*window_size_left=*/std::nullopt, /*window_size_right=*/std::nullopt, plan.lengths));
    }
    const auto own = [&](const at::Tensor& cache) {
      return cache.narrow(1, 0, plan.longest).index_select(0, plan.slots).transpose(1, 2);
    };
    const at::Tensor seen =
        at::arange(plan.longest, plan.positions.options()).unsqueeze(0).le(plan.positions.unsqueeze(1));
    // Queries of a group stand in as a sequence: they share their keys.
    const at::Tensor groups = q.unflatten(1, {shape_.kv_heads, -1});
    return at::scaled_dot_product_attention(groups, own(keys_[layer]), own(values_[layer]),
                                            seen.unsqueeze(1).unsqueeze(1))
        .flatten(1, 2);
  }

  CacheShape shape_;
  std::vector<at::Tensor> keys_;  // a layer each: [slots, capacity, kv_heads, head_dim]
  std::vector<at::Tensor> values_;
};

}  // namespace

void KvCache::copy(int, int, std::int64_t) {
  TRL_CHECK(false, "a copy of a prefix that is shared");
}

std::unique_ptr<KvCache> make_tensor_kv_cache(const CacheShape& shape) {
  return std::make_unique<TensorKvCache>(shape);
}

std::unique_ptr<KvCache> make_kv_cache(const CacheShape& shape) {
  const bool native = shape.device.is_cpu() && (shape.dtype == c10::kFloat || shape.dtype == c10::kBFloat16) &&
                      shape.head_dim % 16 == 0;
  return native ? make_cpu_kv_cache(shape) : make_tensor_kv_cache(shape);
}

}  // namespace tritonrl::model
