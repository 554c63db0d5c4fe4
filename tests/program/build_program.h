#pragma once

#include <string>
#include <utility>
#include <vector>

#include "program/program.h"

namespace tritonrl::program {

// A program with one forward pass, written call by call.
class BuildProgram {
 public:
  BuildProgram() { program.forwards.emplace_back(); }

  // A new contiguous tensor in a storage of its own.
  Value tensor(std::vector<std::int64_t> sizes, DType dtype = DType::kFloat32, Device device = Device::kTarget) {
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
    Tensor made{.dtype = dtype, .sizes = std::move(sizes), .strides = std::move(strides)};
    made.storage = static_cast<int>(program.storages.size());
    program.storages.push_back({.bytes = made.numel() * size_of(dtype), .device = device, .constant = ""});
    return add(std::move(made));
  }

  // Another look at the storage of `base`.
  Value view(const Value& base, std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides,
             std::int64_t offset = 0) {
    Tensor made = program.tensors[static_cast<std::size_t>(base.get_if<TensorRef>()->index)];
    made.sizes = std::move(sizes);
    made.strides = std::move(strides);
    made.offset = offset;
    return add(std::move(made));
  }

  const AtenCall& call(const std::string& op, std::vector<Value> args, Value result,
                       std::vector<std::pair<std::string, Value>> kwargs = {}) {
    AtenCall made{
        .op = op, .args = std::move(args), .kwargs = std::move(kwargs), .result = std::move(result), .at = {}};
    program.forwards.front().steps.emplace_back(std::move(made));
    return std::get<AtenCall>(program.forwards.front().steps.back());
  }

  void launch(const std::string& kernel, const std::vector<Value>& arguments) {
    int index = 0;
    while (index < static_cast<int>(program.kernels.size()) &&
           program.kernels[static_cast<std::size_t>(index)].name != kernel)
      ++index;
    if (index == static_cast<int>(program.kernels.size()))
      program.kernels.push_back({.name = kernel, .functions = {}, .constants = {}, .imports = {}});
    LaunchVariant variant;
    for (const Value& value : arguments) variant.arguments.push_back({.name = "x", .type = "*fp32", .value = value});
    program.forwards.front().steps.emplace_back(Launch{.kernel = index, .variants = {variant}, .at = {}});
  }

  Program program;

 private:
  Value add(Tensor made) {
    program.tensors.push_back(std::move(made));
    return {TensorRef{static_cast<int>(program.tensors.size()) - 1}};
  }
};

inline Value number(std::int64_t value) {
  return {value};
}
inline Value number(double value) {
  return {value};
}
inline Value flag(bool value) {
  return {value};
}
inline Value none() {
  return {};
}
inline Value list(std::vector<Value> items) {
  return {std::move(items)};
}
inline Value integers(const std::vector<std::int64_t>& items) {
  Value::List values;
  for (const std::int64_t item : items) values.push_back({item});
  return {std::move(values)};
}

}  // namespace tritonrl::program
