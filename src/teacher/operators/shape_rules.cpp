#include "teacher/operators/shape_rules.h"

#include <algorithm>

#include "teacher/operators/argument_facts.h"

namespace tritonrl::teacher::operators {

const Fact& Arguments::fact(std::string_view parameter) const {
  static const Fact kUnknown;
  const Bound::Argument* argument = bound_.find(parameter);
  return argument == nullptr ? kUnknown : argument->fact;
}

const Fact* Arguments::tensor(std::string_view parameter) const {
  const Fact& value = fact(parameter);
  return value.is_tensor() ? &value : nullptr;
}

std::optional<std::int64_t> Arguments::integer(std::string_view parameter) const {
  return integer_in(fact(parameter));
}

std::optional<bool> Arguments::flag(std::string_view parameter) const {
  const auto value = integer_in(fact(parameter));
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::optional<Shape> Arguments::integers(std::string_view parameter) const {
  return integers_in(fact(parameter));
}

std::optional<Shape> Arguments::each(std::string_view parameter, std::size_t count) const {
  auto values = integers(parameter);
  if (!values) return std::nullopt;
  if (values->size() == 1) values->resize(count, values->front());
  if (values->size() != count) return std::nullopt;
  return values;
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const Shape &longer = a.size() >= b.size() ? a : b, &shorter = a.size() >= b.size() ? b : a;
  Shape out = longer;
  const std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = out[lead + i];
    if (size == 1) {
      size = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != size) {
      return std::nullopt;
    }
  }
  return out;
}

std::optional<std::size_t> dimension(std::int64_t dim, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  if (dim < -size || dim >= size) return std::nullopt;
  return static_cast<std::size_t>(dim < 0 ? dim + size : dim);
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::optional<Shape> reduced(const Shape& shape, const Shape& dims, bool keepdim) {
  std::vector<bool> gone(shape.size(), dims.empty());
  for (const std::int64_t dim : dims) {
    const auto place = dimension(dim, shape.size());
    if (!place) return std::nullopt;
    if (shape.empty()) continue;
    if (gone[*place]) return std::nullopt;
    gone[*place] = true;
  }
  Shape out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!gone[i]) {
      out.push_back(shape[i]);
    } else if (keepdim) {
      out.push_back(1);
    }
  }
  return out;
}

}  // namespace tritonrl::teacher::operators
