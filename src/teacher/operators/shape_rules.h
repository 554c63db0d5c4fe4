#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "teacher/facts/facts.h"
#include "teacher/operators/operator.h"

namespace tritonrl::teacher::operators {

using Results = std::vector<Fact>;  // empty: not known

// The arguments of a bound operator, as the rules ask for them.
class Arguments {
 public:
  explicit Arguments(const Bound& bound) : bound_(bound) {}

  const Bound& bound() const { return bound_; }
  std::string_view name() const { return bound_.op->name; }
  const Fact& fact(std::string_view parameter) const;  // unknown where there is no such parameter
  bool is_none(std::string_view parameter) const { return fact(parameter).kind == Fact::Kind::kNone; }
  // Null: no tensor.
  const Fact* tensor(std::string_view parameter) const;
  std::optional<std::int64_t> integer(std::string_view parameter) const;
  std::optional<bool> flag(std::string_view parameter) const;
  std::optional<Shape> integers(std::string_view parameter) const;
  // A number or a list as `count` numbers: kernel_size=3 is (3, 3).
  std::optional<Shape> each(std::string_view parameter, std::size_t count) const;

 private:
  const Bound& bound_;
};

// torch's broadcasting; none: the shapes do not fit.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);
// Dimension -1 as rank - 1; none: out of range. A tensor of rank 0 has dimension 0.
std::optional<std::size_t> dimension(std::int64_t dim, std::size_t rank);
std::int64_t element_count(const Shape& shape);
// The shape without these dimensions, or with 1 in their places. No dimensions: all. None: out of range or twice.
std::optional<Shape> reduced(const Shape& shape, const Shape& dims, bool keepdim);

// The rules of each group. A rule that does not know the operator gives nothing.
Results pointwise_facts(const Arguments& arguments);
Results reduction_facts(const Arguments& arguments);
Results loss_facts(const Arguments& arguments);
Results scan_facts(const Arguments& arguments);
Results pooling_facts(const Arguments& arguments);
Results view_facts(const Arguments& arguments);  // movement: views, and what joins and splits
Results copy_facts(const Arguments& arguments);  // movement: the rest
Results product_facts(const Arguments& arguments);
Results convolution_facts(const Arguments& arguments);
Results einsum_facts(const Arguments& arguments);
Results creation_facts(const Arguments& arguments);

}  // namespace tritonrl::teacher::operators
