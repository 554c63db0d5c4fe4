#include "teacher/operators/promotion.h"

#include <algorithm>
#include <array>

#include "teacher/operators/argument_facts.h"

namespace tritonrl::teacher::operators {
namespace {

using program::DType;

// Booleans, integers, floats, complex numbers.
int category(DType dtype) {
  if (is_complex(dtype)) return 3;
  if (program::is_floating(dtype)) return 2;
  return dtype == DType::kBool ? 0 : 1;
}

std::optional<DType> promote_integers(DType a, DType b) {
  if (a == DType::kBool) return b;
  if (b == DType::kBool) return a;
  const auto is_unsigned = [](DType dtype) {
    return dtype == DType::kUInt8 || dtype == DType::kUInt16 || dtype == DType::kUInt32 || dtype == DType::kUInt64;
  };
  if (is_unsigned(a) == is_unsigned(b)) {
    if (is_unsigned(a)) return std::nullopt;
    return program::size_of(a) > program::size_of(b) ? a : b;
  }
  if (is_unsigned(b)) std::swap(a, b);
  if (a != DType::kUInt8) return std::nullopt;
  return b == DType::kInt8 ? DType::kInt16 : b;
}

std::optional<DType> promote_floats(DType a, DType b) {
  if (program::size_of(a) < 2 || program::size_of(b) < 2) return std::nullopt;
  if (program::size_of(a) == program::size_of(b)) return DType::kFloat32;  // float16 with bfloat16
  return program::size_of(a) > program::size_of(b) ? a : b;
}

DType type_of(const Fact& operand) {
  switch (operand.kind) {
    case Fact::Kind::kFloat:
      return DType::kFloat32;
    case Fact::Kind::kInt:
      return DType::kInt64;
    case Fact::Kind::kBool:
      return DType::kBool;
    default:
      return operand.dtype;
  }
}

// Numbers stand in for values here alone; elsewhere they are settings.
bool takes_numbers(std::string_view parameter) {
  constexpr auto kNames = std::to_array<std::string_view>({"input", "other", "exponent", "min", "max"});
  return std::ranges::find(kNames, parameter) != kNames.end();
}

bool is_condition(std::string_view parameter) {
  return parameter == "condition" || parameter == "mask";
}

}  // namespace

bool is_complex(DType dtype) {
  return dtype == DType::kComplex64 || dtype == DType::kComplex128;
}

bool is_integral(DType dtype) {
  return !program::is_floating(dtype) && !is_complex(dtype);
}

std::optional<DType> promote(DType a, DType b) {
  if (a == b) return a;
  if (is_complex(a) || is_complex(b)) return std::nullopt;
  if (is_integral(a) && is_integral(b)) return promote_integers(a, b);
  if (is_integral(a)) return b;
  if (is_integral(b)) return a;
  return promote_floats(a, b);
}

std::optional<DType> promote_all(std::span<const Fact* const> operands) {
  // In order of strength: with dimensions, without, numbers.
  std::array<std::optional<DType>, 3> strongest;
  for (const Fact* operand : operands) {
    const std::size_t strength = !operand->is_tensor() ? 2 : operand->shape.empty() ? 1 : 0;
    const DType dtype = type_of(*operand);
    auto& so_far = strongest[strength];
    const auto joined = so_far ? promote(*so_far, dtype) : dtype;
    if (!joined) return std::nullopt;
    so_far = joined;
  }
  const auto join = [](std::optional<DType> higher, std::optional<DType> lower) -> std::optional<DType> {
    if (!higher) return lower;
    if (!lower || category(*higher) >= category(*lower)) return higher;
    // A float number beside integers is of torch's default type; its own where it is a tensor.
    return promote(*higher, *lower);
  };
  return join(strongest[0], join(strongest[1], strongest[2]));
}

std::optional<DType> operand_type(const Bound& bound) {
  std::vector<const Fact*> operands;
  operands.reserve(bound.arguments.size());
  for (const Bound::Argument& argument : bound.arguments) {
    if (argument.fact.kind == Fact::Kind::kList) {
      for (const Fact& item : argument.fact.items) {
        if (item.is_tensor()) operands.push_back(&item);
      }
    }
    const bool counts = argument.fact.is_tensor() ? !is_condition(argument.parameter)
                                                  : argument.fact.is_number() && takes_numbers(argument.parameter);
    if (counts) operands.push_back(&argument.fact);
  }
  return promote_all(operands);
}

std::optional<DType> result_type(const Bound& bound) {
  switch (bound.op->type) {
    case ResultType::kBool:
      return DType::kBool;
    case ResultType::kInt64:
      return DType::kInt64;
    case ResultType::kFirst:
      for (const Bound::Argument& argument : bound.arguments) {
        if (argument.fact.is_tensor()) return argument.fact.dtype;
      }
      return std::nullopt;
    case ResultType::kPromoted:
    case ResultType::kFloat:
      break;
  }
  const auto dtype = operand_type(bound);
  if (!dtype) return std::nullopt;
  return bound.op->type == ResultType::kFloat && is_integral(*dtype) ? DType::kFloat32 : dtype;
}

}  // namespace tritonrl::teacher::operators
