#include <algorithm>

#include "teacher/operators/shape_rules.h"

// Pooling and convolutions: sizes of what a window leaves.
namespace tritonrl::teacher::operators {
namespace {

std::size_t dimensions_of(std::string_view name) {
  const char digit = name[name.size() - 2];
  return static_cast<std::size_t>(digit - '0');
}

// torch's rule: with ceil_mode a last window may hang over the end, but must begin inside the input or its left
// padding.
std::int64_t pooled(std::int64_t size, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                    std::int64_t dilation, bool ceil_mode) {
  const std::int64_t room = size + 2 * padding - dilation * (kernel - 1) - 1;
  if (room < 0 && !ceil_mode) return -1;
  std::int64_t count = (room + (ceil_mode ? stride - 1 : 0)) / stride + 1;
  if (ceil_mode && (count - 1) * stride >= size + padding) --count;
  return count;
}

Results adaptive_facts(const Arguments& arguments, const Fact& input, std::size_t dimensions) {
  const Fact& wanted = arguments.fact("output_size");
  Shape shape = input.shape;
  const std::size_t lead = shape.size() - dimensions;
  if (wanted.kind == Fact::Kind::kList && wanted.items.size() != dimensions) return {};
  for (std::size_t i = 0; i < dimensions; ++i) {
    const Fact& size = wanted.kind == Fact::Kind::kList ? wanted.items[i] : wanted;
    if (size.kind == Fact::Kind::kNone) continue;
    if (size.kind != Fact::Kind::kInt || !size.constant) return {};
    shape[lead + i] = size.integer;
  }
  Results results{Fact::tensor(input.dtype, shape)};
  const bool indices = arguments.flag("return_indices").value_or(false);
  if (indices) results.push_back(Fact::tensor(program::DType::kInt64, shape));
  return results;
}

}  // namespace

Results pooling_facts(const Arguments& arguments) {
  const Fact* input = arguments.tensor("input");
  const std::string_view name = arguments.name();
  const std::size_t dimensions = dimensions_of(name);
  if (input == nullptr || (input->shape.size() != dimensions + 1 && input->shape.size() != dimensions + 2)) return {};
  if (name.starts_with("adaptive")) return adaptive_facts(arguments, *input, dimensions);
  const auto has = [&arguments](std::string_view parameter) { return arguments.bound().find(parameter) != nullptr; };
  const auto kernel = arguments.each("kernel_size", dimensions);
  const auto stride = arguments.is_none("stride") ? kernel : arguments.each("stride", dimensions);
  const auto padding = has("padding") ? arguments.each("padding", dimensions) : Shape(dimensions, 0);
  const auto dilation = has("dilation") ? arguments.each("dilation", dimensions) : Shape(dimensions, 1);
  const auto ceil_mode = arguments.flag("ceil_mode");
  if (!kernel || !stride || !padding || !dilation || !ceil_mode) return {};
  Shape shape = input->shape;
  const std::size_t lead = shape.size() - dimensions;
  for (std::size_t i = 0; i < dimensions; ++i) {
    if ((*stride)[i] < 1) return {};
    const std::int64_t size =
        pooled(shape[lead + i], (*kernel)[i], (*stride)[i], (*padding)[i], (*dilation)[i], *ceil_mode);
    if (size < 1) return {};
    shape[lead + i] = size;
  }
  Results results{Fact::tensor(input->dtype, shape)};
  if (arguments.flag("return_indices").value_or(false)) {
    results.push_back(Fact::tensor(program::DType::kInt64, shape));
  }
  return results;
}

Results convolution_facts(const Arguments& arguments) {
  const std::string_view name = arguments.name();
  const bool transposed = name.starts_with("conv_transpose");
  const std::size_t dimensions = dimensions_of(name);
  const Fact *input = arguments.tensor("input"), *weight = arguments.tensor("weight");
  const auto groups = arguments.integer("groups");
  if (input == nullptr || weight == nullptr || !groups || weight->shape.size() != dimensions + 2) return {};
  if (input->shape.size() != dimensions + 1 && input->shape.size() != dimensions + 2) return {};
  const auto stride = arguments.each("stride", dimensions), dilation = arguments.each("dilation", dimensions);
  const Fact& padding_fact = arguments.fact("padding");
  const bool same = padding_fact.kind == Fact::Kind::kText && padding_fact.text == "same";
  const auto padding =
      padding_fact.kind == Fact::Kind::kText ? Shape(dimensions, 0) : arguments.each("padding", dimensions);
  const auto extra = transposed ? arguments.each("output_padding", dimensions) : Shape(dimensions, 0);
  if (!stride || !dilation || !padding || !extra) return {};
  Shape shape = input->shape;
  const std::size_t lead = shape.size() - dimensions;
  if (shape[lead - 1] != (transposed ? weight->shape[0] : weight->shape[1] * *groups)) return {};
  shape[lead - 1] = transposed ? weight->shape[1] * *groups : weight->shape[0];
  for (std::size_t i = 0; i < dimensions; ++i) {
    std::int64_t& size = shape[lead + i];
    const std::int64_t reach = (*dilation)[i] * (weight->shape[i + 2] - 1);
    if ((*stride)[i] < 1) return {};
    if (transposed) {
      size = (size - 1) * (*stride)[i] - 2 * (*padding)[i] + reach + (*extra)[i] + 1;
    } else if (!same) {
      const std::int64_t room = size + 2 * (*padding)[i] - reach - 1;
      if (room < 0) return {};
      size = room / (*stride)[i] + 1;
    }
    if (size < 1) return {};
  }
  return {Fact::tensor(input->dtype, std::move(shape))};
}

}  // namespace tritonrl::teacher::operators
