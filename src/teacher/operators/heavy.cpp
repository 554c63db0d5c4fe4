#include "teacher/operators/table.h"

// Products, convolutions and what is made of them.
namespace tritonrl::teacher::operators {

std::vector<Operator> heavy_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::initializer_list<std::string_view> names, std::string_view parameters) {
    for (const std::string_view name : names) {
      all.push_back({
          .name = name,
          .group = Group::kHeavy,
          .parameters = parameters,
      });
    }
  };
  add({"linear"}, "input, weight, bias=None");
  add({"bilinear"}, "input1, input2, weight, bias=None");
  add({"matmul"}, "input, other, *, out=None");
  add({"mm", "bmm"}, "input, mat2, *, out=None");
  add({"mv"}, "input, vec, *, out=None");
  add({"dot"}, "input, tensor, *, out=None");
  add({"inner"}, "input, other, *, out=None");
  add({"outer"}, "input, vec2, *, out=None");
  add({"addmm"}, "input, mat1, mat2, *, beta=1, alpha=1, out=None");
  add({"addmv"}, "input, mat, vec, *, beta=1, alpha=1, out=None");
  add({"baddbmm", "addbmm"}, "input, batch1, batch2, *, beta=1, alpha=1, out=None");
  add({"einsum"}, "equation, *operands");
  add({"tensordot"}, "a, b, dims=2, out=None");
  add({"cdist"}, "x1, x2, p=2.0, compute_mode=None");
  add({"conv1d", "conv2d", "conv3d"}, "input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1");
  add({"conv_transpose1d", "conv_transpose2d", "conv_transpose3d"},
      "input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1");
  add({"scaled_dot_product_attention"},
      "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False");
  return all;
}

}  // namespace tritonrl::teacher::operators
