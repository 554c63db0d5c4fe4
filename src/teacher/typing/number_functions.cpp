#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <unordered_map>

#include "abstract/constant_arithmetic.h"
#include "program/dtype.h"
#include "teacher/typing/rule_parts.h"

namespace tritonrl::teacher {
namespace {

std::optional<double> number_of(const abstract::Value& value) {
  if (value.is(abstract::ValueKind::kFloat)) return value.number;
  if (value.is(abstract::ValueKind::kInt) || value.is(abstract::ValueKind::kBool))
    return static_cast<double>(value.integer);
  return std::nullopt;
}

using OfOne = double (*)(double);
const std::unordered_map<std::string_view, OfOne>& functions_of_one() {
  static const std::unordered_map<std::string_view, OfOne> kFunctions = {
      {"sqrt", std::sqrt}, {"exp", std::exp},     {"log", std::log},     {"log2", std::log2}, {"log10", std::log10},
      {"sin", std::sin},   {"cos", std::cos},     {"tan", std::tan},     {"tanh", std::tanh}, {"sinh", std::sinh},
      {"cosh", std::cosh}, {"asin", std::asin},   {"acos", std::acos},   {"atan", std::atan}, {"fabs", std::fabs},
      {"erf", std::erf},   {"log1p", std::log1p}, {"expm1", std::expm1}, {"cbrt", std::cbrt}};
  return kFunctions;
}

std::optional<abstract::Value> finite(double number) {
  return std::isfinite(number) ? std::optional(abstract::Value::real(number)) : std::nullopt;
}

std::optional<abstract::Value> product(const abstract::Value& list) {
  if (!list.is(abstract::ValueKind::kList) || list.list->open) return std::nullopt;
  std::optional<abstract::Value> total = abstract::Value::whole(1);
  for (const abstract::Value& item : list.list->items) {
    if (total.has_value()) total = abstract::arithmetic("Mult", *total, item);
  }
  return total;
}

}  // namespace

std::optional<abstract::Value> number_function(std::string_view path, const abstract::Arguments& arguments) {
  const bool numpy = path.starts_with("numpy.");
  if ((!numpy && !path.starts_with("math.")) || arguments.positional.empty()) return std::nullopt;
  const std::string_view name = path.substr(path.find('.') + 1);
  const abstract::Value& first = arguments.positional[0];
  const std::size_t count = arguments.positional.size();
  if (name == "prod" && count == 1) return product(first);
  if (name == "gcd" && count == 2 && first.is(abstract::ValueKind::kInt) &&
      arguments.positional[1].is(abstract::ValueKind::kInt)) {
    return abstract::Value::whole(std::gcd(first.integer, arguments.positional[1].integer));
  }
  const auto number = number_of(first);
  if (!number.has_value()) return std::nullopt;
  if (name == "isqrt" && first.is(abstract::ValueKind::kInt) && first.integer >= 0 &&
      first.integer < (std::int64_t{1} << 52)) {
    return abstract::Value::whole(static_cast<std::int64_t>(std::sqrt(*number)));
  }
  if (name == "floor" || name == "ceil" || name == "trunc") {
    const double whole = name == "floor"  ? std::floor(*number)
                         : name == "ceil" ? std::ceil(*number)
                                          : std::trunc(*number);
    if (numpy) return finite(whole);
    return std::abs(whole) < 9e15 ? std::optional(abstract::Value::whole(static_cast<std::int64_t>(whole)))
                                  : std::nullopt;
  }
  if (count == 2) {
    const auto second = number_of(arguments.positional[1]);
    if (!second.has_value()) return std::nullopt;
    if (name == "pow" || (numpy && name == "power")) return finite(std::pow(*number, *second));
    if (name == "log" && !numpy) return finite(std::log(*number) / std::log(*second));
    if (name == "hypot") return finite(std::hypot(*number, *second));
    if (name == "fmod") return finite(std::fmod(*number, *second));
    return std::nullopt;
  }
  const auto found = functions_of_one().find(name == "abs" ? "fabs" : name);
  return found == functions_of_one().end() || count != 1 ? std::nullopt : finite(found->second(*number));
}

std::optional<abstract::Value> number_name(std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view folder = path.substr(0, dot), name = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  if (folder == "math" || folder == "numpy" || folder == "torch") {
    if (name == "pi") return abstract::Value::real(std::numbers::pi);
    if (name == "e") return abstract::Value::real(std::numbers::e);
    if (name == "tau") return abstract::Value::real(2 * std::numbers::pi);
    if (name == "inf") return abstract::Value::real(std::numeric_limits<double>::infinity());
  }
  if (path.starts_with("torch.finfo(float32).")) {
    using Limits = std::numeric_limits<float>;
    const std::string_view limit = path.substr(path.rfind('.') + 1);
    if (limit == "max") return abstract::Value::real(Limits::max());
    if (limit == "min") return abstract::Value::real(Limits::lowest());
    if (limit == "eps") return abstract::Value::real(Limits::epsilon());
    if (limit == "tiny" || limit == "smallest_normal") return abstract::Value::real(Limits::min());
  }
  return std::nullopt;
}

std::optional<std::string> limits_of(std::string_view path, const abstract::Arguments& arguments) {
  if (path != "torch.finfo" && path != "torch.iinfo") return std::nullopt;
  std::string_view dtype = "float32";
  if (!arguments.positional.empty()) {
    const abstract::Value& given = arguments.positional[0];
    if (!given.is(abstract::ValueKind::kName) || !given.text.starts_with("torch.")) return std::nullopt;
    dtype = given.text.substr(6);
  }
  return std::string(path) + "(" + std::string(dtype == "float" ? "float32" : dtype) + ")";
}

}  // namespace tritonrl::teacher
