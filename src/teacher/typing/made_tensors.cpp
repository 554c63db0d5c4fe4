#include <array>
#include <string>
#include <utility>

#include "teacher/typing/rule_parts.h"

namespace tritonrl::teacher {
namespace {

using program::DType;

std::optional<Shape> sizes_in(const std::vector<abstract::Value>& values) {
  Shape shape;
  for (const abstract::Value& value : values) {
    if (!value.is(abstract::ValueKind::kInt) || value.integer < 0) return std::nullopt;
    shape.push_back(value.integer);
  }
  return shape;
}

// The shape of nested lists of numbers.
std::optional<Shape> nested(const abstract::Value& value, int depth) {
  if (is_constant(value)) return Shape{};
  if (!value.is(abstract::ValueKind::kList) || value.list->open || depth == 0) return std::nullopt;
  if (value.list->items.empty()) return Shape{0};
  auto inner = nested(value.list->items.front(), depth - 1);
  if (inner.has_value()) inner->insert(inner->begin(), static_cast<std::int64_t>(value.list->items.size()));
  return inner;
}

std::optional<DType> old_class(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, DType>, 6> kClasses = {{{"Tensor", DType::kFloat32},
                                                                           {"FloatTensor", DType::kFloat32},
                                                                           {"DoubleTensor", DType::kFloat64},
                                                                           {"LongTensor", DType::kInt64},
                                                                           {"IntTensor", DType::kInt32},
                                                                           {"BoolTensor", DType::kBool}}};
  for (const auto& [spelling, dtype] : kClasses) {
    if (spelling == name) return dtype;
  }
  return std::nullopt;
}

}  // namespace

std::optional<abstract::Value> made_tensor(std::string_view path, const abstract::Arguments& arguments,
                                           ValueFacts* values) {
  const std::string_view name = path.substr(path.rfind('.') + 1);
  if (path == "torch.normal") {
    const abstract::Value* size = arguments.get(2, "size");
    if (size == nullptr || !size->is(abstract::ValueKind::kList) || size->list->open) return std::nullopt;
    auto shape = sizes_in(size->list->items);
    return shape ? std::optional(values->tensor(DType::kFloat32, *std::move(shape))) : std::nullopt;
  }
  if (path == "torch." + std::string(name) && name.ends_with("_window")) {  // hann_window(400)
    const abstract::Value* length = arguments.get(0, "window_length");
    if (length == nullptr || !length->is(abstract::ValueKind::kInt) || arguments.keyword("dtype") != nullptr)
      return std::nullopt;
    return values->tensor(DType::kFloat32, {length->integer});
  }
  const auto dtype = path.size() == name.size() + 6 ? old_class(name) : std::nullopt;
  if (!dtype.has_value() || arguments.open || arguments.positional.empty()) return std::nullopt;
  const bool listed = arguments.positional.size() == 1 && arguments.positional[0].is(abstract::ValueKind::kList);
  auto shape = listed ? nested(arguments.positional[0], 6) : sizes_in(arguments.positional);
  return shape ? std::optional(values->tensor(*dtype, *std::move(shape))) : std::nullopt;
}

}  // namespace tritonrl::teacher
