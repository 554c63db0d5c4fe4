#include <algorithm>
#include <map>

#include "program/cost_parts.h"

namespace tritonrl::program {
namespace {

Precision matrix_precision(DType dtype, bool tf32) {
  switch (dtype) {
    case DType::kFloat64:
    case DType::kComplex128:
      return Precision::kFp64;
    case DType::kFloat16:
      return Precision::kFp16;
    case DType::kBFloat16:
      return Precision::kBf16;
    case DType::kFloat8E4M3Fn:
    case DType::kFloat8E5M2:
    case DType::kFloat8E4M3FnUz:
    case DType::kFloat8E5M2FnUz:
      return Precision::kFp8;
    case DType::kInt8:
    case DType::kUInt8:
      return Precision::kInt8;
    case DType::kFloat32:
      return tf32 ? Precision::kTf32 : Precision::kFp32;
    default:
      return Precision::kFp32;
  }
}

double size(const Tensor* tensor, std::int64_t dim) {
  return tensor == nullptr ? 1 : static_cast<double>(size_at(*tensor, dim));
}

int wanted(const Operands& o, std::string_view mask, int otherwise) {  // of a gradient's first two results
  const Value* value = o.value(mask);
  const auto* list = value == nullptr ? nullptr : value->get_if<Value::List>();
  if (list == nullptr) return otherwise;
  int count = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, list->size()); ++i) {
    const bool* set = (*list)[i].get_if<bool>();
    count += set != nullptr && *set ? 1 : 0;
  }
  return count;
}

// Contracts the operands from left to right: a pair costs the product of all its labels' sizes.
double einsum_products(const Operands& o) {
  const Value* value = o.value("equation");
  const auto* equation = value == nullptr ? nullptr : value->get_if<std::string>();
  const auto operands = o.tensors("tensors");
  if (equation == nullptr || operands.empty()) return 0;
  std::vector<std::map<char, double>> labels(1);
  std::size_t from = 0;
  for (std::size_t i = 0; i < equation->size(); ++i) {
    const char c = (*equation)[i];
    if (c == '-') break;
    if (c == ',') {
      labels.emplace_back();
      from = 0;
      continue;
    }
    if (c == ' ' || labels.size() > operands.size()) continue;
    const Tensor& operand = *operands[labels.size() - 1];
    if (c != '.') {
      labels.back()[c] = static_cast<double>(size_at(operand, static_cast<std::int64_t>(from++)));
      continue;
    }
    // "...": the dimensions that no letter of this operand names, as one label.
    i += 2;
    std::size_t letters = 0;
    for (std::size_t j = i + 1; j < equation->size() && (*equation)[j] != ',' && (*equation)[j] != '-'; ++j) {
      letters += (*equation)[j] != ' ' ? 1 : 0;
    }
    double rest = 1;
    for (; from + letters < operand.sizes.size(); ++from) rest *= static_cast<double>(operand.sizes[from]);
    labels.back()['.'] = rest;
  }
  const std::size_t arrow = equation->find("->");
  const std::string kept = arrow == std::string::npos ? "" : equation->substr(arrow + 2);
  std::map<char, double> left = labels.front();
  double products = 0;
  for (std::size_t i = 1; i < labels.size(); ++i) {
    for (const auto& [label, extent] : labels[i]) left[label] = std::max(left[label], extent);
    double pair = 1;
    for (const auto& [label, extent] : left) pair *= extent;
    products += pair;
    std::erase_if(left, [&](const auto& item) {
      const bool later = std::any_of(labels.begin() + static_cast<std::ptrdiff_t>(i) + 1, labels.end(),
                                     [&](const auto& other) { return other.contains(item.first); });
      return !later && arrow != std::string::npos && kept.find(item.first) == std::string::npos;
    });
  }
  return products;
}

double chain_products(const std::vector<const Tensor*>& chain) {
  double products = 0;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    products += size(chain.front(), 0) * size(chain[i], 0) * (chain[i]->sizes.size() > 1 ? size(chain[i], 1) : 1);
  }
  return products;
}

// Three factors, each with dimensions of size 1 put in at its expand list, broadcast against one another.
double trilinear_products(const Operands& o) {
  std::vector<double> shape;
  for (const char factor : {'1', '2', '3'}) {
    const Tensor* tensor = o.tensor(std::string("i") + factor);
    if (tensor == nullptr) return 0;
    const auto expanded = o.integers(std::string("expand") + factor);
    std::size_t from = 0;
    for (std::size_t dim = 0; dim < tensor->sizes.size() + expanded.size(); ++dim) {
      const bool inserted =
          std::find(expanded.begin(), expanded.end(), static_cast<std::int64_t>(dim)) != expanded.end();
      const double extent = inserted || from >= tensor->sizes.size() ? 1 : static_cast<double>(tensor->sizes[from++]);
      if (dim >= shape.size()) shape.push_back(1);
      shape[dim] = std::max(shape[dim], extent);
    }
  }
  double products = 1;
  for (const double extent : shape) products *= extent;
  return products;
}

double matmul_products(const Operands& o) {
  const std::string_view name = o.name();
  const Tensor* result = o.result();
  if (name == "einsum") return einsum_products(o);
  if (name == "linalg_multi_dot") return chain_products(o.tensors("tensors"));
  if (name == "chain_matmul") return chain_products(o.tensors("matrices"));
  if (name == "bilinear") return numel(result) * size(o.tensor("input1"), -1) * size(o.tensor("input2"), -1);
  if (name == "addr") return numel(result);
  if (name == "cov" || name == "corrcoef") return numel(result) * size(o.tensor("self"), -1);
  if (name == "linalg_vecdot") return o.elements();
  if (name == "_trilinear") return trilinear_products(o);
  if (name == "tensordot") {
    double contracted = 1;
    for (const std::int64_t dim : o.integers("dims_self")) contracted *= size(o.tensor("self"), dim);
    return numel(result) * contracted;
  }
  if (name == "linear_backward") {
    return wanted(o, "output_mask", 2) * numel(o.tensor("grad_output")) * size(o.tensor("self"), -1);
  }
  if (name == "matmul_backward") return wanted(o, "mask", 2) * numel(o.tensor("grad")) * size(o.tensor("self"), -1);
  if (name == "_foreach_mm") {
    const auto left = o.tensors("self"), right = o.tensors("mat2");
    double products = 0;
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
      products += numel(left[i]) * size(right[i], -1);
    return products;
  }
  const Tensor* left = o.first_of({"mat1", "batch1", "mat", "input", "self"});
  const double products = numel(result) * size(left, -1);
  if (name == "addbmm") return products * size(left, 0);
  // Grouped along the contracted dimension: each group does its part of it.
  if (name.find("grouped_mm") != std::string_view::npos && left != nullptr && left->sizes.size() == 2 &&
      result != nullptr && result->sizes.size() == 3) {
    return products / std::max(1.0, size(result, 0));
  }
  return products;
}

// A filter value meets every output of an ordinary convolution and every input of a transposed one.
double convolution_products(const Operands& o, const Tensor* weight) {
  const std::string_view name = o.name();
  const Tensor* input = o.first_of({"input", "self"});
  const Tensor* gradient = o.first_of({"grad_output", "gO"});
  if (weight == nullptr || weight->numel() == 0) return 0;
  if (name.starts_with("conv_tbc")) {  // filters are [width, in, out]
    const double one = size(weight, 0) * size(weight, 1) * numel(gradient != nullptr ? gradient : o.result());
    return gradient != nullptr ? 2 * one : one;
  }
  const bool transposed = o.flag("transposed", name.find("transpose") != std::string_view::npos);
  const Tensor* many = transposed ? input : (gradient != nullptr ? gradient : o.result());
  const double one = numel(many) * numel(weight) / size(weight, 0);
  if (name == "_convolution_double_backward") return 3 * one;
  return gradient != nullptr ? wanted(o, "output_mask", 2) * one : one;
}

// Each weight matrix multiplies every time step of every sequence.
void add_recurrent(const Operands& o, Cost* cost) {
  const Tensor* input = o.first_of({"input", "data"});
  if (input == nullptr || input->sizes.empty()) return;
  const double steps_of_sequences = numel(input) / std::max(1.0, size(input, -1));
  double weights = 0, gates = 0;
  for (const std::string_view argument : {"params", "weight", "w_ih", "w_hh"}) {
    for (const Tensor* weight : o.tensors(argument)) {
      if (weight->sizes.size() != 2) continue;
      weights += numel(weight);
      gates += size(weight, 0);
    }
  }
  const double direction = o.name().ends_with("_backward") ? 2 : 1;
  cost->matrix_ops = direction * 2 * steps_of_sequences * weights;
  cost->scalar_ops = direction * o.op().ops_per_element * steps_of_sequences * gates;
  if (o.name().find("_cell") != std::string_view::npos) return;
  double steps = input->sizes.size() < 3 ? size(input, 0) : size(input, o.flag("batch_first", false) ? 1 : 0);
  if (const Tensor* batches = o.tensor("batch_sizes")) steps = numel(batches);
  cost->launches = direction * std::max(1.0, steps) * o.count("num_layers", 1);
}

void add_attention(const Operands& o, Cost* cost) {
  const std::string_view name = o.name();
  const Tensor* query = o.first_of({"query", "src"});
  const Tensor* key = o.first_of({"key", "src"});
  const Tensor* value = o.first_of({"value", "src"});
  if (query == nullptr || key == nullptr || value == nullptr) return;
  const bool block = o.tensor("qkv_weight") != nullptr;  // projections included, [batch, sequence, features]
  // The fused kernels' own entries take [batch, sequence, heads, features], the public ones [batch, heads, sequence,
  // features].
  const bool heads_last = name.starts_with("_flash") || name.starts_with("_efficient");
  const std::int64_t sequence = heads_last ? -3 : -2;
  const double rows = numel(query) / std::max(1.0, size(query, -1));
  const double length = size(query, sequence), width = size(key, sequence);
  double scores = rows * width;
  if (o.flag("is_causal", false) && length == width && length > 0) scores *= (length + 1) / (2 * length);
  const double backward = name.ends_with("_backward") ? 2.5 : 1;  // five products instead of two
  cost->matrix_ops = backward * 2 * scores * (size(query, -1) + size(value, -1));
  cost->scalar_ops = backward * o.op().ops_per_element * scores;
  if (!block) return;
  for (const std::string_view weight : {"qkv_weight", "proj_weight", "ffn_weight_1", "ffn_weight_2"}) {
    cost->matrix_ops += 2 * rows * numel(o.tensor(weight));
  }
  cost->scalar_ops *= o.count("num_heads", o.count("num_head", 1));
}

}  // namespace

void add_matrix_work(const Operands& o, const CostOptions& options, Cost* cost) {
  const OperatorKind kind = o.op().kind;
  const Tensor* operand = o.first_of({"mat1", "batch1", "mat", "query", "input", "self"});
  if (operand == nullptr) operand = o.input();
  if (operand == nullptr) return;
  cost->matrix_precision = matrix_precision(operand->dtype, options.tf32_matmul);
  if (kind == OperatorKind::kRecurrent) return add_recurrent(o, cost);
  if (kind == OperatorKind::kAttention) return add_attention(o, cost);

  const bool complex = operand->dtype == DType::kComplex64 || operand->dtype == DType::kComplex128;
  double products = 0;
  if (kind == OperatorKind::kMatmul) {
    products = matmul_products(o);
  } else {
    const Tensor* weight = o.tensor("weight");
    products = convolution_products(o, weight);
    // One channel a group leaves nothing for the matrix units to share.
    const bool depthwise = size(weight, 1) == 1 && o.integer("groups").value_or(1) > 1;
    cost->matrix_precision = matrix_precision(operand->dtype, options.tf32_convolution);
    const bool fp64 = cost->matrix_precision == Precision::kFp64;
    if ((depthwise || o.name().find("depthwise") != std::string_view::npos) && !fp64)
      cost->matrix_precision = Precision::kFp32;
  }
  cost->matrix_ops = o.op().ops_per_element * products * (complex ? 4 : 1);
  const bool adds = o.tensor("bias") != nullptr || (o.tensor("self") != nullptr && o.tensor("self") != operand);
  if (adds) cost->scalar_ops = numel(o.result());
}

}  // namespace tritonrl::program
