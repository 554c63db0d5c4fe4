#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/rope.h"
#include "weights/model_config.h"

namespace tritonrl::model {

struct CacheShape {
  std::size_t layers = 0;
  std::int64_t slots = 0;
  std::int64_t capacity = 0;  // tokens of one slot
  std::int64_t heads = 0;     // of queries
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  c10::ScalarType dtype = c10::kFloat;
  c10::Device device = c10::Device(c10::kCPU);
};

// Where the tokens of one prompt lie in a packed batch.
struct PromptRange {
  int slot = 0;
  std::int64_t start = 0;
  std::int64_t length = 0;
};

// One sequence in a step: its new token has number `position`; the first `shared` tokens lie in slot `leader`.
struct StepRow {
  int slot = 0;
  std::int64_t position = 0;
  int leader = -1;  // -1: all its own
  std::int64_t shared = 0;
};

// What one step is about, prepared once for all layers.
struct StepPlan {
  std::span<const StepRow> rows;  // rows of one leader are neighbours
  at::Tensor positions;           // int64 [n], on the device
  at::Tensor slots;               // int64 [n]
  at::Tensor starts;              // int32 [n + 1]: 0, 1, … n
  at::Tensor cache_starts;        // int32 [n + 1]: slot * capacity
  at::Tensor lengths;             // int32 [n]: position + 1
  std::int64_t longest = 0;       // largest length
};

// Keys and values of all layers and slots.
class KvCache {
 public:
  virtual ~KvCache() = default;

  // Whether continuations read a leader's tokens where they lie. Otherwise copy() makes them their own first; it is not
  // called where they are shared.
  virtual bool shares_prefixes() const = 0;
  virtual void copy(int from, int to, std::int64_t length);

  // keys, values: [total, kv_heads, head_dim], positions applied.
  virtual void store(std::size_t layer, const at::Tensor& keys, const at::Tensor& values,
                     std::span<const PromptRange> prompts) = 0;

  // One token of each row of the plan: queries [n, heads, head_dim], keys and values [n, kv_heads, head_dim], before
  // positions are applied. Turns queries and keys by their positions, perhaps in place, stores keys and values, and
  // gives what the queries attend to: [n, heads * head_dim] in their type.
  virtual at::Tensor attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys,
                            const at::Tensor& values, const StepPlan& plan, const Rope& rope) = 0;
};

// The cache for a device: a native one for the CPU, one of tensor operations for the others.
std::unique_ptr<KvCache> make_kv_cache(const CacheShape& shape);
// The one of tensor operations, on any device.
std::unique_ptr<KvCache> make_tensor_kv_cache(const CacheShape& shape);
std::unique_ptr<KvCache> make_cpu_kv_cache(const CacheShape& shape);

}  // namespace tritonrl::model
