#include "model/eight_bit.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_weight_int8pack_mm.h>
#include <ATen/ops/matmul.h>
#include <torch/csrc/autograd/custom_function.h>

namespace tritonrl::model {
namespace {

// Below this many rows a product is bound by reading the weights, and reading bytes instead of floats wins.
constexpr std::int64_t kFewRows = 8;

// Rows are scaled after the product: the integers are exact in every type that gets here, and one pass over the matrix
// is saved. Not in float16, where sums of products with integers could pass 65504.
bool scales_afterwards(c10::ScalarType dtype) {
  return dtype != c10::kHalf;
}

at::Tensor product(const at::Tensor& x, const EightBitMatrix& matrix) {
  const c10::ScalarType dtype = x.scalar_type();
  if (x.is_cpu() && x.dim() == 2 && x.size(0) <= kFewRows && x.is_contiguous()) {
    return at::_weight_int8pack_mm(x, matrix.integers, matrix.scale.to(dtype));
  }
  if (!scales_afterwards(dtype)) return at::matmul(x, matrix.dequantised(dtype).t());
  return at::matmul(x, matrix.integers.to(dtype).t()).mul_(matrix.scale.to(dtype));
}

at::Tensor product_gradient(const at::Tensor& upstream, const EightBitMatrix& matrix) {
  const c10::ScalarType dtype = upstream.scalar_type();
  if (!scales_afterwards(dtype)) return at::matmul(upstream, matrix.dequantised(dtype));
  return at::matmul(upstream * matrix.scale.to(dtype), matrix.integers.to(dtype));
}

// Saves the bytes instead of the floats that it multiplied with.
class EightBitProduct : public torch::autograd::Function<EightBitProduct> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& integers,
                            const at::Tensor& scale) {
    context->save_for_backward({integers, scale});
    return product(x, {integers, scale});
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    return {product_gradient(gradients[0], {saved[0], saved[1]}), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor EightBitMatrix::dequantised(c10::ScalarType dtype) const {
  // In the low types the integers are exact (127 < 2^8) and the product is rounded once.
  return integers.to(dtype) * scale.to(dtype).unsqueeze(1);
}

EightBitMatrix quantise(const at::Tensor& weight) {
  const at::Tensor values = weight.to(at::kFloat);
  const at::Tensor scale = values.abs().amax(1).clamp_min(1e-30) / 127;
  return {(values / scale.unsqueeze(1)).round().to(at::kChar), scale};
}

at::Tensor eight_bit_product(const at::Tensor& x, const EightBitMatrix& matrix) {
  if (!at::GradMode::is_enabled() || !x.requires_grad()) return product(x, matrix);
  return EightBitProduct::apply(x, matrix.integers, matrix.scale);
}

}  // namespace tritonrl::model
