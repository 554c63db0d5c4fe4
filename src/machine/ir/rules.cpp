#include "machine/ir/rules.h"

#include "machine/ir/cursor.h"

namespace tritonrl::machine {

void TypedOperation::fail(const std::string& what) const {
  throw IrError{op_.offset, op_.name + ": " + what};
}

std::int64_t TypedOperation::integer(std::string_view key, std::int64_t least, std::int64_t most) const {
  const Attribute* found = op_.attribute(key);
  const auto* value = found == nullptr ? nullptr : std::get_if<std::int64_t>(found);
  if (value == nullptr || *value < least || *value > most) fail("no " + std::string(key) + " that it could have");
  return *value;
}

const std::vector<std::int64_t>& TypedOperation::integers(std::string_view key) const {
  const Attribute* found = op_.attribute(key);
  const auto* values = found == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(found);
  if (values == nullptr) fail("no " + std::string(key) + " that it could have");
  return *values;
}

bool is_number(Scalar scalar) {
  return is_integer(scalar) || is_float(scalar);
}

bool same_element(const Type& a, const Type& b) {
  return a.scalar == b.scalar && a.element == b.element && a.inner == b.inner;
}

bool same_shape(const Type& a, const Type& b) {
  const bool plain = a.kind == Type::Kind::kScalar || a.kind == Type::Kind::kTensor;
  return plain && a.kind == b.kind && a.shape == b.shape;
}

bool is_scalar(const Type& type, Scalar scalar) {
  return type.kind == Type::Kind::kScalar && type.scalar == scalar;
}

bool is_permutation(const std::vector<std::int64_t>& order, std::size_t rank) {
  if (order.size() != rank) return false;
  std::vector<bool> seen(rank);
  for (const std::int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || seen[static_cast<std::size_t>(axis)]) return false;
    seen[static_cast<std::size_t>(axis)] = true;
  }
  return true;
}

}  // namespace tritonrl::machine
