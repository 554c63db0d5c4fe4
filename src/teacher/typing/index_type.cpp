#include <algorithm>

#include "teacher/operators/shape_rules.h"
#include "teacher/typing/rule_parts.h"

namespace tritonrl::teacher {
namespace {

using Shape = std::vector<std::int64_t>;

bool is_slice(const abstract::Value& value) {
  return value.is(abstract::ValueKind::kPlain) && value.list != nullptr;
}

bool is_whole(const abstract::Value& value) {
  return value.is(abstract::ValueKind::kInt) ||
         (value.is(abstract::ValueKind::kPlain) && value.list == nullptr && value.text == "int");
}

std::optional<std::int64_t> slice_length(const abstract::List& bounds, std::int64_t size) {
  const abstract::Value &lower = bounds.items[0], &upper = bounds.items[1], &step = bounds.items[2];
  for (const abstract::Value* bound : {&lower, &upper, &step}) {
    if (!bound->is(abstract::ValueKind::kNone) && !bound->is(abstract::ValueKind::kInt)) return std::nullopt;
  }
  const std::int64_t by = step.is(abstract::ValueKind::kInt) ? step.integer : 1;
  if (by <= 0) return std::nullopt;  // tensors know no other
  const auto place = [&](const abstract::Value& bound, std::int64_t otherwise) {
    if (bound.is(abstract::ValueKind::kNone)) return otherwise;
    return std::clamp<std::int64_t>(bound.integer < 0 ? bound.integer + size : bound.integer, 0, size);
  };
  const std::int64_t from = place(lower, 0), to = place(upper, size);
  return to <= from ? 0 : (to - from + by - 1) / by;
}

// The shape of a nested list of numbers.
std::optional<Shape> list_shape(const abstract::Value& value, int depth) {
  if (is_whole(value)) return Shape{};
  if (!value.is(abstract::ValueKind::kList) || value.list->open || value.list->items.empty() || depth == 0)
    return std::nullopt;
  auto inner = list_shape(value.list->items.front(), depth - 1);
  if (inner.has_value()) inner->insert(inner->begin(), static_cast<std::int64_t>(value.list->items.size()));
  return inner;
}

}  // namespace

std::optional<abstract::TensorType> index_type(const abstract::TensorType& tensor, const abstract::Value& index) {
  // x[[0, 2]] is one index, x[0, 2] are two.
  const bool several = index.is(abstract::ValueKind::kList) && index.list->tuple;
  if (several && index.list->open) return std::nullopt;
  const std::vector<abstract::Value> parts = several ? index.list->items : std::vector<abstract::Value>{index};
  const auto is_dots = [](const abstract::Value& value) {
    return value.is(abstract::ValueKind::kName) && value.text == "builtins.Ellipsis";
  };
  std::size_t taken = 0;
  for (const abstract::Value& part : parts) taken += part.is(abstract::ValueKind::kNone) || is_dots(part) ? 0 : 1;
  if (taken > tensor.shape.size()) return std::nullopt;

  Shape shape, chosen;
  std::size_t dimension = 0, chosen_at = 0, last_chosen = 0;
  bool any_chosen = false, apart = false, any_list = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const abstract::Value& part = parts[i];
    if (part.is(abstract::ValueKind::kNone)) {
      shape.push_back(1);
      continue;
    }
    if (is_dots(part)) {
      for (std::size_t skipped = tensor.shape.size() - taken; skipped > 0; --skipped) {
        shape.push_back(tensor.shape[dimension++]);
      }
      continue;
    }
    const std::int64_t size = tensor.shape[dimension];
    if (is_slice(part)) {
      const auto length = slice_length(*part.list, size);
      if (!length.has_value()) return std::nullopt;
      shape.push_back(*length);
      ++dimension;
      continue;
    }
    Shape by;
    if (part.is(abstract::ValueKind::kTensor)) {
      if (part.tensor_type == nullptr || part.tensor_type->dtype == program::DType::kBool ||
          program::is_floating(part.tensor_type->dtype)) {
        return std::nullopt;
      }
      by = part.tensor_type->shape;
      any_list = true;
    } else if (is_whole(part)) {
      if (part.is(abstract::ValueKind::kInt) && (part.integer >= size || part.integer < -size)) return std::nullopt;
    } else {
      const auto listed = list_shape(part, 3);
      if (!listed.has_value()) return std::nullopt;
      by = *listed;
      any_list = true;
    }
    if (!any_chosen) chosen_at = shape.size();
    apart = apart || (any_chosen && i != last_chosen + 1);
    any_chosen = true;
    last_chosen = i;
    auto joined = operators::broadcast(chosen, by);
    if (!joined.has_value()) return std::nullopt;
    chosen = *std::move(joined);
    ++dimension;
  }
  shape.insert(shape.end(), tensor.shape.begin() + static_cast<std::ptrdiff_t>(dimension), tensor.shape.end());
  // What lists choose stands where they stand, or first where they stand apart; numbers beside lists count as lists.
  if (any_list)
    shape.insert(apart ? shape.begin() : shape.begin() + static_cast<std::ptrdiff_t>(chosen_at), chosen.begin(),
                 chosen.end());
  return abstract::TensorType{.dtype = tensor.dtype, .shape = std::move(shape)};
}

}  // namespace tritonrl::teacher
