#include <cmath>

#include "teacher/operators/argument_facts.h"
#include "teacher/operators/promotion.h"
#include "teacher/operators/shape_rules.h"

// Dropout, embeddings, and tensors that come from nothing.
namespace tritonrl::teacher::operators {
namespace {

using program::DType;

Results make(const Arguments& arguments, std::optional<Shape> shape, DType standard) {
  if (!shape) return {};
  const Fact& wanted = arguments.fact("dtype");
  const auto dtype = dtype_of(wanted);
  if (!dtype && wanted.kind == Fact::Kind::kOther) return {};
  return {Fact::tensor(dtype.value_or(standard), std::move(*shape))};
}

DType type_of_number(const Fact& number) {
  return number.kind == Fact::Kind::kBool  ? DType::kBool
         : number.kind == Fact::Kind::kInt ? DType::kInt64
                                           : DType::kFloat32;
}

Results range_facts(const Arguments& arguments) {
  const Fact &start = arguments.fact("start"), &end = arguments.fact("end"), &step = arguments.fact("step");
  const auto a = number_in(start), b = number_in(end), by = number_in(step);
  if (!a || !b || !by || *by == 0) return {};
  const bool whole = start.kind == Fact::Kind::kInt && end.kind == Fact::Kind::kInt && step.kind == Fact::Kind::kInt;
  const double count = std::ceil((*b - *a) / *by);
  if (!(count >= 0) || count > 1e12) return {};
  return make(arguments, Shape{static_cast<std::int64_t>(count)}, whole ? DType::kInt64 : DType::kFloat32);
}

// torch.tensor of a number or of nested lists of numbers.
std::optional<Shape> nested(const Fact& data, DType* dtype) {
  if (data.is_number()) {
    *dtype = promote(*dtype, type_of_number(data)).value_or(*dtype);
    return Shape{};
  }
  if (data.is_tensor()) {
    *dtype = data.dtype;
    return data.shape;
  }
  if (data.kind != Fact::Kind::kList || data.items.empty()) return std::nullopt;
  std::optional<Shape> inner;
  for (const Fact& item : data.items) {
    auto one = nested(item, dtype);
    if (!one || (inner && *inner != *one)) return std::nullopt;
    inner = std::move(one);
  }
  inner->insert(inner->begin(), static_cast<std::int64_t>(data.items.size()));
  return inner;
}

}  // namespace

Results creation_facts(const Arguments& arguments) {
  const std::string_view name = arguments.name();
  const Fact* input = arguments.tensor("input");
  if (name.find("dropout") != std::string_view::npos || name == "bernoulli" || name == "overwrite") {
    return input == nullptr ? Results{} : Results{*input};
  }
  if (name == "embedding") {
    const Fact* weight = arguments.tensor("weight");
    if (input == nullptr || weight == nullptr || weight->shape.size() != 2) return {};
    Shape shape = input->shape;
    shape.push_back(weight->shape[1]);
    return {Fact::tensor(weight->dtype, std::move(shape))};
  }
  if (name == "one_hot") {
    const Fact* tensor = arguments.tensor("tensor");
    const auto classes = arguments.integer("num_classes");
    if (tensor == nullptr || !classes || *classes < 1) return {};
    Shape shape = tensor->shape;
    shape.push_back(*classes);
    return {Fact::tensor(DType::kInt64, std::move(shape))};
  }
  if (name == "searchsorted" || name == "bucketize") {
    if (input == nullptr) return {};
    return {Fact::tensor(arguments.flag("out_int32").value_or(false) ? DType::kInt32 : DType::kInt64, input->shape)};
  }
  if (name.ends_with("_like")) {
    return input == nullptr ? Results{} : make(arguments, input->shape, input->dtype);
  }
  if (name.starts_with("new_")) {
    return input == nullptr ? Results{} : make(arguments, arguments.integers("size"), input->dtype);
  }
  if (name == "full") {
    const Fact& value = arguments.fact("fill_value");
    return value.is_number() ? make(arguments, arguments.integers("size"), type_of_number(value)) : Results{};
  }
  if (name == "randint") return make(arguments, arguments.integers("size"), DType::kInt64);
  if (name == "randperm") return make(arguments, arguments.integers("n"), DType::kInt64);
  if (name == "arange") return range_facts(arguments);
  if (name == "linspace") return make(arguments, arguments.integers("steps"), DType::kFloat32);
  if (name == "eye") {
    const auto n = arguments.integer("n"), m = arguments.is_none("m") ? n : arguments.integer("m");
    return n && m ? make(arguments, Shape{*n, *m}, DType::kFloat32) : Results{};
  }
  if (name == "tensor") {
    DType dtype = DType::kBool;
    auto shape = nested(arguments.fact("data"), &dtype);
    return make(arguments, std::move(shape), dtype);
  }
  if (arguments.fact("size").kind == Fact::Kind::kList) {  // zeros, ones, empty, rand, randn
    return make(arguments, arguments.integers("size"), DType::kFloat32);
  }
  return {};
}

}  // namespace tritonrl::teacher::operators
