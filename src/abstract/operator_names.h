#pragma once

#include <span>
#include <string_view>

#include "program/operator_table.h"

namespace tritonrl::abstract {

// An operator as PyTorch's users spell it: the lines spelt, counted, layer and label of program/operators/.
struct OperatorName {
  std::string_view name;  // "conv2d"
  program::OperatorKind kind = program::OperatorKind::kPointwise;
  int heavy = 0;       // how many heavy calls (program/level.h) it is worth; 0 for light ones
  bool query = false;  // gives no tensor: x.size(), x.item(). `kind` is then kView
};

// All lookups: null where the table has no such spelling. The results live as long as the program; safe from any
// thread. The first call reads the table (about a millisecond).

// "conv2d": the one of this name.
const OperatorName* find_operator_name(std::string_view name);
// "relu_", "multiply", "@": a function of torch, torch.nn.functional and their like, a sign of Python, with or without
// the underscore of an operator in place.
const OperatorName* find_function(std::string_view spelling);
// "relu_", "view": a method of tensors.
const OperatorName* find_tensor_method(std::string_view spelling);
// "Conv2d", "LazyConv2d": a class of torch.nn.
const OperatorName* find_layer(std::string_view spelling);
// "torchvision.models.resnet18", "einops.rearrange": what is not torch.
const OperatorName* find_foreign(std::string_view spelling);

// "Add", "USub", "LtE": a sign by its name in the syntax tree.
const OperatorName* find_sign(std::string_view kind);

std::span<const OperatorName> all_operator_names();

}  // namespace tritonrl::abstract
