#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/check.h"
#include "model/cache_memory.h"
#include "model/cpu_attention.h"
#include "model/kv_cache.h"

namespace tritonrl::model {
namespace {

// Continuations of one prefix that one task serves: enough to read the prefix seldom, few enough to share the work.
constexpr std::size_t kTaskRows = 8;

void keep(float value, float& place) {
  place = value;
}

void keep(float value, BFloat16Bits& place) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  place.bits =
      static_cast<std::uint16_t>(std::isnan(value) ? (bits >> 16) | 0x40 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// The heads of each token side by side, in float. Where they were already, changes are seen by who gave them.
struct TokenRows {
  at::Tensor kept;
  float* data;
  std::int64_t stride;

  explicit TokenRows(const at::Tensor& heads)
      : kept(heads.to(at::kFloat).flatten(1)), data(kept.mutable_data_ptr<float>()), stride(kept.stride(0)) {
    TRL_CHECK(kept.stride(1) == 1, "heads that lie side by side");
  }
  float* row(std::int64_t i) const { return data + i * stride; }
};

void turn(float* heads, std::int64_t count, std::int64_t head_dim, const float* cosine, const float* sine) {
  const std::int64_t half = head_dim / 2;
  for (std::int64_t head = 0; head < count; ++head) {
    float* first = heads + head * head_dim;
    float* second = first + half;
    for (std::int64_t d = 0; d < half; ++d) {
      const float a = first[d];
      const float b = second[d];
      first[d] = a * cosine[d] - b * sine[d];
      second[d] = b * cosine[d] + a * sine[d];
    }
  }
}

// Rows [first, last) of a plan that one task serves for one key-value head.
struct Task {
  std::size_t first = 0;
  std::size_t last = 0;
};

template <class Element>
class CpuKvCache : public KvCache {
 public:
  explicit CpuKvCache(CacheShape shape) : shape_(shape) {
    shape_.capacity = (shape.capacity + kKeyBlock - 1) / kKeyBlock * kKeyBlock;
    const std::int64_t bytes =
        shape_.slots * shape_.kv_heads * shape_.capacity * shape_.head_dim * static_cast<std::int64_t>(sizeof(Element));
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      keys_.emplace_back(static_cast<std::size_t>(bytes));
      values_.emplace_back(static_cast<std::size_t>(bytes));
    }
  }

  bool shares_prefixes() const override { return true; }
  void store(std::size_t layer, const at::Tensor& keys, const at::Tensor& values,
             std::span<const PromptRange> prompts) override;
  at::Tensor attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                    const StepPlan& plan, const Rope& rope) override;

 private:
  std::int64_t head_stride() const { return shape_.capacity * shape_.head_dim; }
  Element* keys_of(std::size_t layer, int slot, std::int64_t head) {
    return static_cast<Element*>(keys_[layer].data()) + (slot * shape_.kv_heads + head) * head_stride();
  }
  Element* values_of(std::size_t layer, int slot, std::int64_t head) {
    return static_cast<Element*>(values_[layer].data()) + (slot * shape_.kv_heads + head) * head_stride();
  }

  void store_token(std::size_t layer, int slot, std::int64_t position, const float* keys, const float* values);
  void turn_and_store(std::size_t layer, const StepPlan& plan, const Rope& rope, const TokenRows& queries,
                      const TokenRows& keys, const TokenRows& values);
  void run_task(std::size_t layer, const StepPlan& plan, const Task& task, std::int64_t head, const TokenRows& queries,
                float* out);

  CacheShape shape_;
  std::vector<CacheMemory> keys_;
  std::vector<CacheMemory> values_;
};

template <class Element>
void CpuKvCache<Element>::store_token(std::size_t layer, int slot, std::int64_t position, const float* keys,
                                      const float* values) {
  const std::int64_t d_count = shape_.head_dim;
  for (std::int64_t head = 0; head < shape_.kv_heads; ++head) {
    Element* block = keys_of(layer, slot, head) + position / kKeyBlock * kKeyBlock * d_count + position % kKeyBlock;
    Element* row = values_of(layer, slot, head) + position * d_count;
    for (std::int64_t d = 0; d < d_count; ++d) {
      keep(keys[head * d_count + d], block[d * kKeyBlock]);
      keep(values[head * d_count + d], row[d]);
    }
  }
}

template <class Element>
void CpuKvCache<Element>::store(std::size_t layer, const at::Tensor& keys, const at::Tensor& values,
                                std::span<const PromptRange> prompts) {
  const at::Tensor k = keys.to(at::kFloat).contiguous();
  const at::Tensor v = values.to(at::kFloat).contiguous();
  const std::int64_t width = shape_.kv_heads * shape_.head_dim;
  for (const PromptRange& prompt : prompts) {
    at::parallel_for(0, prompt.length, /*grain_size=*/64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        store_token(layer, prompt.slot, i, k.const_data_ptr<float>() + (prompt.start + i) * width,
                    v.const_data_ptr<float>() + (prompt.start + i) * width);
      }
    });
  }
}

template <class Element>
void CpuKvCache<Element>::turn_and_store(std::size_t layer, const StepPlan& plan, const Rope& rope,
                                         const TokenRows& queries, const TokenRows& keys, const TokenRows& values) {
  const std::int64_t half = shape_.head_dim / 2;
  const float* cosine = rope.cosine_float().const_data_ptr<float>();
  const float* sine = rope.sine_float().const_data_ptr<float>();
  const auto rows = static_cast<std::int64_t>(plan.rows.size());
  at::parallel_for(0, rows, /*grain_size=*/4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const StepRow& row = plan.rows[static_cast<std::size_t>(i)];
      const float* c = cosine + row.position * half;
      const float* s = sine + row.position * half;
      turn(queries.row(i), shape_.heads, shape_.head_dim, c, s);
      turn(keys.row(i), shape_.kv_heads, shape_.head_dim, c, s);
      store_token(layer, row.slot, row.position, keys.row(i), values.row(i));
    }
  });
}

template <class Element>
void CpuKvCache<Element>::run_task(std::size_t layer, const StepPlan& plan, const Task& task, std::int64_t head,
                                   const TokenRows& tokens, float* out) {
  const std::int64_t d_count = shape_.head_dim;
  const std::int64_t group = shape_.heads / shape_.kv_heads;
  const auto members = static_cast<std::int64_t>(task.last - task.first);
  const std::int64_t count = members * group;
  thread_local std::vector<float> scratch;
  scratch.assign(static_cast<std::size_t>(2 * count * (d_count + 1)), 0.0F);
  float* queries = scratch.data();
  float* sums = queries + count * d_count;
  float* largest = sums + count * d_count;
  float* total = largest + count;
  std::fill(largest, largest + count, -std::numeric_limits<float>::infinity());
  const float scale = 1.0F / std::sqrt(static_cast<float>(d_count));
  for (std::int64_t m = 0; m < members; ++m) {
    const float* from = tokens.row(static_cast<std::int64_t>(task.first) + m) + head * group * d_count;
    for (std::int64_t i = 0; i < group * d_count; ++i) queries[m * group * d_count + i] = from[i] * scale;
  }

  const StepRow& first = plan.rows[task.first];
  if (first.shared > 0) {
    attend_stretch(QueryRows{count, d_count, queries, largest, total, sums},
                   CachedStretch<Element>{keys_of(layer, first.leader, head), values_of(layer, first.leader, head), 0,
                                          first.shared});
  }
  for (std::int64_t m = 0; m < members; ++m) {
    const StepRow& row = plan.rows[task.first + static_cast<std::size_t>(m)];
    const std::int64_t at = m * group;
    attend_stretch(QueryRows{group, d_count, queries + at * d_count, largest + at, total + at, sums + at * d_count},
                   CachedStretch<Element>{keys_of(layer, row.slot, head), values_of(layer, row.slot, head), row.shared,
                                          row.position + 1});
    float* to = out + (static_cast<std::int64_t>(task.first) + m) * shape_.heads * d_count + head * group * d_count;
    for (std::int64_t i = 0; i < group * d_count; ++i) to[i] = sums[at * d_count + i] / total[at + i / d_count];
  }
}

std::vector<Task> tasks_of(std::span<const StepRow> rows) {
  std::vector<Task> tasks;
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t last = first + 1;
    while (last < rows.size() && last - first < kTaskRows && rows[first].leader >= 0 &&
           rows[last].leader == rows[first].leader && rows[last].shared == rows[first].shared) {
      ++last;
    }
    tasks.push_back({first, last});
    first = last;
  }
  return tasks;
}

template <class Element>
at::Tensor CpuKvCache<Element>::attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys,
                                       const at::Tensor& values, const StepPlan& plan, const Rope& rope) {
  const TokenRows tokens(queries);
  turn_and_store(layer, plan, rope, tokens, TokenRows(keys), TokenRows(values));
  const at::Tensor out = at::empty({queries.size(0), shape_.heads * shape_.head_dim}, at::kFloat);
  auto* result = out.mutable_data_ptr<float>();
  const std::vector<Task> tasks = tasks_of(plan.rows);
  const auto count = static_cast<std::int64_t>(tasks.size()) * shape_.kv_heads;
  at::parallel_for(0, count, /*grain_size=*/1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      run_task(layer, plan, tasks[static_cast<std::size_t>(i / shape_.kv_heads)], i % shape_.kv_heads, tokens, result);
    }
  });
  return out.to(queries.scalar_type());
}

}  // namespace

std::unique_ptr<KvCache> make_cpu_kv_cache(const CacheShape& shape) {
  if (shape.dtype == c10::kBFloat16) return std::make_unique<CpuKvCache<BFloat16Bits>>(shape);
  return std::make_unique<CpuKvCache<float>>(shape);
}

}  // namespace tritonrl::model
