#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <tuple>

#include "model/attention.h"

namespace tritonrl::model {
namespace {

// [sequences * length, heads, d] -> [sequences, heads, length, d], each key head repeated for the queries of its group.
at::Tensor by_head(const at::Tensor& packed, std::int64_t length, std::int64_t heads) {
  const std::int64_t own = packed.size(1);
  at::Tensor x = packed.unflatten(0, {-1, length}).transpose(1, 2);
  if (own == heads) return x;
  return x.unsqueeze(2).expand({-1, -1, heads / own, -1, -1}).flatten(1, 2);
}

at::Tensor equal_lengths(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t length) {
  const std::int64_t heads = q.size(1);
  return at::scaled_dot_product_attention(by_head(q, length, heads), by_head(k, length, heads),
                                          by_head(v, length, heads),
                                          /*attn_mask=*/{}, /*dropout_p=*/0.0, /*is_causal=*/true)
      .transpose(1, 2)
      .flatten(0, 1);
}

bool has_packed_kernel(const at::Tensor& q) {
  return q.is_cuda() && (q.scalar_type() == at::kHalf || q.scalar_type() == at::kBFloat16);
}

}  // namespace

at::Tensor packed_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const PackedBatch& batch) {
  if (has_packed_kernel(q)) {
    return std::get<0>(at::_flash_attention_forward(q, k, v, batch.starts, batch.starts, batch.longest, batch.longest,
                                                    /*dropout_p=*/0.0, /*is_causal=*/true,
                                                    /*return_debug_mask=*/false));
  }
  if (batch.uniform()) return equal_lengths(q, k, v, batch.longest);
  std::vector<at::Tensor> outputs;
  std::int64_t start = 0;
  for (const std::int64_t length : batch.lengths) {
    outputs.push_back(
        equal_lengths(q.narrow(0, start, length), k.narrow(0, start, length), v.narrow(0, start, length), length));
    start += length;
  }
  return at::cat(outputs, 0);
}

}  // namespace tritonrl::model
