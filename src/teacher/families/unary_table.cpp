#include "teacher/families/unary_table.h"

#include <algorithm>
#include <iterator>

namespace tritonrl::teacher {

namespace {

// Sorted by name.
constexpr Unary kUnary[] = {
    {"abs", "abs", "", "abs", "", 2, 8, Need::kAny, Gives::kRelu},
    {"acos", "acos", "", "acos", "", 0, 1, Need::kUnit, Gives::kShifted},
    {"asin", "asin", "", "asin", "", 0, 1, Need::kUnit, Gives::kSame},
    {"asinh", "asinh", "", "asinh", "", 0, 1, Need::kAny, Gives::kSame},
    {"atan", "atan", "", "atan", "", 0, 3, Need::kAny, Gives::kShifted},
    {"ceil", "ceil", "", "ceil", "", 0, 1, Need::kExact, Gives::kSteps},
    {"celu", "celu", "celu", "", "CELU", 2, 2, Need::kAny, Gives::kSame},
    {"cos", "cos", "", "cos", "", 0, 5, Need::kAny, Gives::kUnit},
    {"cosh", "cosh", "", "cosh", "", 0, 2, Need::kSmall, Gives::kExp},
    {"elu", "", "elu", "", "ELU", 5, 3, Need::kAny, Gives::kSame},
    {"erf", "erf", "", "erf", "", 0, 3, Need::kAny, Gives::kUnit},
    {"erfc", "erfc", "", "erfc", "", 0, 2, Need::kAny, Gives::kShifted},
    {"exp", "exp", "", "exp", "", 0, 9, Need::kSmall, Gives::kExp},
    {"exp2", "exp2", "", "exp2", "", 0, 1, Need::kSmall, Gives::kExp},
    {"expm1", "expm1", "", "expm1", "", 0, 2, Need::kSmall, Gives::kSame},
    {"floor", "floor", "", "floor", "", 0, 1, Need::kExact, Gives::kSteps},
    {"gelu", "", "gelu", "", "GELU", 9, 4, Need::kAny, Gives::kSame},
    {"hardshrink", "hardshrink", "hardshrink", "hardshrink", "Hardshrink", 1, 1, Need::kExact, Gives::kSame},
    {"hardsigmoid", "", "hardsigmoid", "", "Hardsigmoid", 3, 2, Need::kAny, Gives::kBounded},
    {"hardswish", "", "hardswish", "", "Hardswish", 5, 2, Need::kAny, Gives::kSame},
    {"hardtanh", "", "hardtanh", "", "Hardtanh", 4, 2, Need::kAny, Gives::kBounded},
    {"leaky_relu", "", "leaky_relu", "", "LeakyReLU", 9, 3, Need::kAny, Gives::kSame},
    {"log", "log", "", "log", "", 0, 8, Need::kPositive, Gives::kLog},
    {"log10", "log10", "", "log10", "", 0, 2, Need::kPositive, Gives::kLog},
    {"log1p", "log1p", "", "log1p", "", 0, 4, Need::kPositive, Gives::kLog},
    {"log2", "log2", "", "log2", "", 0, 1, Need::kPositive, Gives::kLog},
    {"logsigmoid", "", "logsigmoid", "", "LogSigmoid", 2, 2, Need::kAny, Gives::kSame},
    {"mish", "", "mish", "", "Mish", 4, 2, Need::kAny, Gives::kSame},
    {"neg", "neg", "", "neg", "", 0, 4, Need::kAny, Gives::kSame},
    {"reciprocal", "reciprocal", "", "reciprocal", "", 0, 3, Need::kPositive, Gives::kRatio},
    {"relu", "relu", "relu", "relu", "ReLU", 16, 8, Need::kAny, Gives::kRelu},
    {"relu6", "", "relu6", "", "ReLU6", 4, 2, Need::kAny, Gives::kBounded},
    {"round", "round", "", "round", "", 0, 1, Need::kExact, Gives::kSteps},
    {"rsqrt", "rsqrt", "", "rsqrt", "", 0, 4, Need::kPositive, Gives::kRatio},
    {"selu", "selu", "selu", "", "SELU", 3, 2, Need::kAny, Gives::kSame},
    {"sigmoid", "sigmoid", "sigmoid", "sigmoid", "Sigmoid", 12, 12, Need::kAny, Gives::kUnitPositive},
    {"sign", "sign", "", "sign", "", 0, 1, Need::kExact, Gives::kSteps},
    {"silu", "", "silu", "", "SiLU", 10, 4, Need::kAny, Gives::kSame},
    {"sin", "sin", "", "sin", "", 0, 6, Need::kAny, Gives::kUnit},
    {"sinh", "sinh", "", "sinh", "", 0, 1, Need::kSmall, Gives::kSame},
    {"softplus", "", "softplus", "", "Softplus", 5, 6, Need::kAny, Gives::kUnitPositive},
    {"softshrink", "", "softshrink", "", "Softshrink", 1, 1, Need::kAny, Gives::kSame},
    {"softsign", "", "softsign", "", "Softsign", 2, 2, Need::kAny, Gives::kUnit},
    {"sqrt", "sqrt", "", "sqrt", "", 0, 8, Need::kPositive, Gives::kRoot},
    {"square", "square", "", "square", "", 0, 5, Need::kAny, Gives::kSquare},
    {"tan", "tan", "", "tan", "", 0, 1, Need::kUnit, Gives::kSame},
    {"tanh", "tanh", "tanh", "tanh", "Tanh", 12, 12, Need::kAny, Gives::kUnit},
    {"tanhshrink", "", "tanhshrink", "", "Tanhshrink", 2, 2, Need::kAny, Gives::kSame},
    {"threshold", "", "threshold", "", "Threshold", 1, 1, Need::kExact, Gives::kSame},
    {"trunc", "trunc", "", "trunc", "", 0, 1, Need::kExact, Gives::kSteps},
};

// Of tenths, in tenths.
int root(int tenths) {
  int out = 0;
  while ((out + 1) * (out + 1) <= 10 * tenths) ++out;
  return out;
}

// Where most numbers lie afterwards, roughly.
Range moved(Gives gives, Range range, const Range& before) {
  const int low = before.low(), high = before.high(), far = std::max(high, -low),
            near = low > 0    ? low
                   : high < 0 ? -high
                              : 0;
  switch (gives) {
    case Gives::kSame:
      range.from = low, range.to = high;
      break;
    case Gives::kRelu:
      range.from = std::max(near, 0), range.to = std::max(0, far);
      break;
    case Gives::kUnitPositive:
      range.from = std::clamp(5 + low / 5, 0, 10), range.to = std::clamp(5 + high / 5, 0, 10);
      break;
    case Gives::kUnit:
      range.from = std::clamp(low, -9, 9), range.to = std::clamp(high, -9, 9);
      break;
    case Gives::kSquare:
      range.from = near * near / 10, range.to = far * far / 20 + 1;
      break;
    case Gives::kRoot:
      range.from = root(near), range.to = root(far) + 1;
      break;
    case Gives::kLog:
      range.from = low >= 10 ? 0 : -20, range.to = high <= 10 ? 0 : high <= 30 ? 11 : 23;
      break;
    case Gives::kBounded:
      range.from = std::clamp(low, -10, 10), range.to = std::clamp(high, -10, 10);
      break;
    default:
      break;
  }
  return range;
}

Range range_of_numbers(Gives gives, Range range) {
  range.exact = false;
  const int size = range.size;
  switch (gives) {
    case Gives::kSame:
      return {.size = size, .varied = range.varied};
    case Gives::kRelu:
      return {.size = size, .nonnegative = true, .floor = range.floor, .varied = range.varied};
    case Gives::kUnitPositive:
      return {.size = std::max(0, size),
              .nonnegative = true,
              .floor = size <= 2 ? -7 : -14,
              .varied = range.varied && size <= 4};
    case Gives::kUnit:
      return {.size = 0, .varied = range.varied && size <= 3};
    case Gives::kExp:
      return {.size = size <= 0 ? 2 : size <= 1 ? 3 : 6, .nonnegative = true, .floor = -6, .varied = range.varied};
    case Gives::kLog:
      return {.size = 3, .varied = range.varied};
    case Gives::kRoot:
      return {.size = (size + 1) / 2, .nonnegative = true, .floor = range.floor / 2, .varied = range.varied};
    case Gives::kRatio:
      return {.size = std::max(0, -range.floor), .nonnegative = true, .floor = -size - 1, .varied = range.varied};
    case Gives::kSquare:
      return {.size = 2 * std::max(0, size), .nonnegative = true, .varied = range.varied};
    case Gives::kShifted:
      return {.size = 2, .varied = range.varied};
    case Gives::kSteps:
      return {.size = size, .varied = false};
    case Gives::kBounded:
      return {.size = 3, .nonnegative = range.nonnegative, .varied = false, .cut = true};
  }
  return range;
}

}  // namespace

std::span<const Unary> unary_operators() {
  return kUnary;
}

const Unary& find_unary(std::string_view name) {
  const auto* const entry = std::lower_bound(std::begin(kUnary), std::end(kUnary), name,
                                             [](const Unary& a, std::string_view b) { return a.name < b; });
  TRL_CHECK(entry != std::end(kUnary) && entry->name == name, "no operator of that name");
  return *entry;
}

int tenths_of(std::string_view number) {
  int value = 0;
  std::size_t at = 0;
  for (; at < number.size() && number[at] != '.'; ++at) value = value * 10 + (number[at] - '0');
  return value * 10 + (at + 1 < number.size() ? number[at + 1] - '0' : 0);
}

Range range_of(Gives gives, const Range& range) {
  return moved(gives, range_of_numbers(gives, range), range);
}

bool fits(const Unary& op, const Range& range) {
  // What would come out the same everywhere is no use.
  const bool cuts = op.gives == Gives::kBounded || op.name == "relu" || op.name == "hardshrink" ||
                    op.name == "softshrink" || op.name == "threshold" || op.gives == Gives::kSteps;
  if (cuts && (range.high() < 5 || range.low() > 2)) return false;
  if ((op.gives == Gives::kUnit || op.gives == Gives::kUnitPositive) && (range.low() > 25 || range.high() < -25))
    return false;
  switch (op.need) {
    case Need::kAny:
      return range.size <= 7 && (op.gives != Gives::kSquare || range.size <= 3);
    case Need::kSmall:
      return range.size <= 1;
    case Need::kUnit:
      return false;
    case Need::kPositive:
      return range.positive();
    case Need::kExact:
      return range.exact;
  }
  return false;
}

}  // namespace tritonrl::teacher
