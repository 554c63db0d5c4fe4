#include <algorithm>
#include <array>

#include "teacher/operators/argument_facts.h"
#include "teacher/operators/promotion.h"
#include "teacher/operators/shape_rules.h"

namespace tritonrl::teacher::operators {
namespace {

// torch.matmul: vectors lose the dimension that they are given.
std::optional<Shape> multiplied(Shape a, Shape b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const bool row = a.size() == 1, column = b.size() == 1;
  if (row) a.insert(a.begin(), 1);
  if (column) b.push_back(1);
  if (a.back() != b[b.size() - 2]) return std::nullopt;
  auto shape = broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
  if (!shape) return std::nullopt;
  if (!row) shape->push_back(a[a.size() - 2]);
  if (!column) shape->push_back(b.back());
  return shape;
}

Results contracted(const Arguments& arguments) {
  const Fact *a = arguments.tensor("a"), *b = arguments.tensor("b");
  const Fact& dims = arguments.fact("dims");
  if (a == nullptr || b == nullptr) return {};
  Shape of_a, of_b;
  if (const auto count = integer_in(dims)) {
    for (std::int64_t i = 0; i < *count; ++i) {
      of_a.push_back(static_cast<std::int64_t>(a->shape.size()) - *count + i);
      of_b.push_back(i);
    }
  } else if (dims.kind == Fact::Kind::kList && dims.items.size() == 2) {
    const auto first = integers_in(dims.items[0]), second = integers_in(dims.items[1]);
    if (!first || !second) return {};
    of_a = *first;
    of_b = *second;
  } else {
    return {};
  }
  if (of_a.empty() || of_b.empty()) return {};
  auto left = reduced(a->shape, of_a, false);
  const auto right = reduced(b->shape, of_b, false);
  if (!left || !right) return {};
  left->insert(left->end(), right->begin(), right->end());
  return {Fact::tensor(a->dtype, *left)};
}

}  // namespace

Results product_facts(const Arguments& arguments) {
  const std::string_view name = arguments.name();
  if (name == "tensordot") return contracted(arguments);
  const auto& all = arguments.bound().arguments;
  const auto at = [&all](std::size_t place) {
    return place < all.size() && all[place].fact.is_tensor() ? &all[place].fact : nullptr;
  };
  const Fact *first = at(0), *second = at(1);
  if (first == nullptr || second == nullptr) return {};
  const auto give = [first](std::optional<Shape> shape) {
    return shape ? Results{Fact::tensor(first->dtype, std::move(*shape))} : Results{};
  };
  const Shape &a = first->shape, &b = second->shape;
  if (name == "linear") {
    if (a.empty() || b.empty() || a.back() != b.back()) return {};
    Shape shape(a.begin(), a.end() - 1);
    if (b.size() == 2) shape.push_back(b[0]);
    return give(shape);
  }
  if (name == "bilinear") {
    const Fact* weight = arguments.tensor("weight");
    if (weight == nullptr || weight->shape.size() != 3 || a.empty()) return {};
    Shape shape(a.begin(), a.end() - 1);
    shape.push_back(weight->shape[0]);
    return give(shape);
  }
  if (name == "mm" || name == "bmm") {
    const std::size_t rank = name == "mm" ? 2 : 3;
    if (a.size() != rank || b.size() != rank || (rank == 3 && a[0] != b[0])) return {};
    return give(multiplied(a, b));
  }
  if (name == "matmul" || name == "mv" || name == "dot") return give(multiplied(a, b));
  if (name == "inner") {
    if (a.empty() || b.empty() || a.back() != b.back()) return {};
    Shape shape(a.begin(), a.end() - 1);
    shape.insert(shape.end(), b.begin(), b.end() - 1);
    return give(shape);
  }
  if (name == "outer") return a.size() == 1 && b.size() == 1 ? give(Shape{a[0], b[0]}) : Results{};
  if (name == "cdist") {
    if (a.size() < 2 || b.size() < 2) return {};
    Shape turned = b;
    std::swap(turned[turned.size() - 1], turned[turned.size() - 2]);
    return give(multiplied(a, turned));
  }
  if (name == "addmm" || name == "addmv" || name == "baddbmm" || name == "addbmm") {
    const Fact* third = at(2);
    if (third == nullptr) return {};
    auto shape = multiplied(b, third->shape);
    if (shape && name == "addbmm") shape->erase(shape->begin());
    return give(shape);
  }
  if (name == "scaled_dot_product_attention") {
    const Fact* value = arguments.tensor("value");
    if (value == nullptr || a.empty() || value->shape.empty()) return {};
    Shape shape = a;
    shape.back() = value->shape.back();
    return give(shape);
  }
  return {};
}

Results einsum_facts(const Arguments& arguments) {
  const Fact& equation = arguments.fact("equation");
  const Fact& operands = arguments.fact("operands");
  if (equation.kind != Fact::Kind::kText || !equation.constant || operands.kind != Fact::Kind::kList) return {};
  std::string text;
  for (const char c : equation.text) {
    if (c != ' ') text.push_back(c);
  }
  const std::size_t arrow = text.find("->");
  if (arrow == std::string::npos) return {};
  std::array<std::int64_t, 128> size{};
  std::size_t operand = 0, place = 0;
  for (std::size_t i = 0; i <= arrow; ++i) {
    const char c = text[i];
    if (operand >= operands.items.size() || !operands.items[operand].is_tensor()) return {};
    const Shape& shape = operands.items[operand].shape;
    if (i == arrow || c == ',') {
      if (place != shape.size()) return {};
      ++operand;
      place = 0;
      continue;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter || place >= shape.size()) return {};
    std::int64_t& known = size[static_cast<std::size_t>(c)];
    if (known != 0 && known != 1 && shape[place] != 1 && known != shape[place]) return {};
    known = std::max(known, shape[place]);
    ++place;
  }
  if (operand != operands.items.size()) return {};
  Shape shape;
  for (const char c : std::string_view(text).substr(arrow + 2)) {
    if (static_cast<unsigned char>(c) >= size.size() || size[static_cast<std::size_t>(c)] == 0) return {};
    shape.push_back(size[static_cast<std::size_t>(c)]);
  }
  return {Fact::tensor(operands.items[0].dtype, std::move(shape))};
}

}  // namespace tritonrl::teacher::operators
