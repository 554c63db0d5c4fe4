#include <algorithm>
#include <array>
#include <string>

#include "teacher/typing/rule_parts.h"

namespace tritonrl::teacher {
namespace {

abstract::Value plain(std::string_view kind) {
  abstract::Value value = abstract::Value::plain();
  value.text = kind;
  return value;
}

abstract::Value count_of(const abstract::TensorType& type) {
  std::int64_t count = 1;
  for (const std::int64_t size : type.shape) {
    if (__builtin_mul_overflow(count, size, &count)) return plain("int");
  }
  return abstract::Value::whole(count);
}

abstract::Value dtype_name(program::DType dtype) {
  static const auto kNames = [] {
    std::array<std::string, static_cast<std::size_t>(program::DType::kComplex128) + 1> names;
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i] = "torch." + std::string(program::to_string(static_cast<program::DType>(i)));
    }
    return names;
  }();
  return abstract::Value::name(kNames[static_cast<std::size_t>(dtype)]);
}

// What changes the shape in place cannot be followed: others may hold the same tensor.
bool reshapes_in_place(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {"squeeze_",  "unsqueeze_", "t_",         "transpose_",
                                                      "swapaxes_", "swapdims_",  "resize_as_", "resize_"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool keeps_type(std::string_view name) {
  if (name == "contiguous" || name == "clone" || name == "detach" || name == "cpu" || name == "cuda") return true;
  return name.ends_with('_') && !name.starts_with("__") && !reshapes_in_place(name);
}

}  // namespace

std::optional<abstract::Value> tensor_attribute(const abstract::TensorType& type, std::string_view name,
                                                ValueFacts* values) {
  if (name == "shape") return values->shape_of(type);
  if (name == "ndim") return abstract::Value::whole(static_cast<std::int64_t>(type.shape.size()));
  if (name == "dtype") return dtype_name(type.dtype);
  if (name == "data") return values->tensor(type.dtype, type.shape);
  if (name == "grad") return abstract::Value::none();
  if (name == "requires_grad" || name.starts_with("is_")) return plain("bool");
  if (name == "T" || name == "mT" || name == "H" || name == "mH") {
    Shape shape = type.shape;
    if (name == "T") {
      std::reverse(shape.begin(), shape.end());
    } else if (shape.size() < 2) {
      return std::nullopt;
    } else {
      std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    }
    return values->tensor(type.dtype, std::move(shape));
  }
  if (name == "device" || name == "layout") return abstract::Value::plain();
  return std::nullopt;
}

std::optional<abstract::Value> tensor_question(const abstract::Value& tensor, std::string_view name,
                                               const abstract::Arguments& arguments, ValueFacts* values) {
  const abstract::TensorType& type = *tensor.tensor_type;
  if (name == "size") {
    const abstract::Value* which = arguments.get(0, "dim");
    if (which == nullptr) return values->shape_of(type);
    if (!which->is(abstract::ValueKind::kInt)) return plain("int");
    const auto rank = static_cast<std::int64_t>(type.shape.size());
    const std::int64_t place = which->integer < 0 ? which->integer + rank : which->integer;
    if (place < 0 || place >= rank) return std::nullopt;
    return abstract::Value::whole(type.shape[static_cast<std::size_t>(place)]);
  }
  if (name == "dim" || name == "ndimension")
    return abstract::Value::whole(static_cast<std::int64_t>(type.shape.size()));
  if (name == "numel" || name == "nelement") return count_of(type);
  if (name == "item") {
    return plain(type.dtype == program::DType::kBool ? "bool" : program::is_floating(type.dtype) ? "float" : "int");
  }
  if (name == "is_floating_point") return abstract::Value::boolean(program::is_floating(type.dtype));
  if (name.starts_with("is_")) return plain("bool");
  if (name == "element_size") return abstract::Value::whole(program::size_of(type.dtype));
  if (keeps_type(name)) return tensor;
  return std::nullopt;
}

}  // namespace tritonrl::teacher
