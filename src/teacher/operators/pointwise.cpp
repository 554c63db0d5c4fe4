#include "teacher/operators/table.h"

// Arithmetic and the functions of a calculator. tl.maximum and tl.minimum pass over NaN, torch does not: what a NaN
// becomes is no part of the promise.
namespace tritonrl::teacher::operators {

std::vector<Operator> pointwise_operators() {
  constexpr auto kFloat = ResultType::kFloat;
  std::vector<Operator> all;
  const auto add = [&all](std::string_view name, std::string_view parameters, std::vector<Recipe> recipes,
                          ResultType type = ResultType::kPromoted, double operations = 1) {
    all.push_back({.name = name,
                   .parameters = parameters,
                   .type = type,
                   .recipes = std::move(recipes),
                   .operations = operations});
  };
  // A function of one number.
  const auto function = [&add](std::string_view name, std::string_view text, double operations = 1) {
    add(name, "input, *, out=None", {{"", text}}, kFloat, operations);
  };

  add("add", "input, other, *, alpha=1, out=None", {{"alpha == 1", "input + other"}, {"", "input + alpha * other"}});
  add("sub", "input, other, *, alpha=1, out=None", {{"alpha == 1", "input - other"}, {"", "input - alpha * other"}});
  add("mul", "input, other, *, out=None", {{"", "input * other"}});
  // libdevice wants floats on both sides: a whole number or an integer tensor is made one first.
#define TRL_WHOLE_FLOOR                                          \
  "quotient = input // other; rest = input - quotient * other; " \
  "tl.where((rest != 0) & ((rest < 0) != (other < 0)), quotient - 1, quotient)"
#define TRL_FLOOR(input, other)                                                         \
  "rest = libdevice.fmod(" input ", " other "); quotient = (" input " - rest) / " other \
  "; "                                                                                  \
  "low = tl.where((rest != 0) & ((rest < 0) != (" other                                 \
  " < 0)), quotient - 1.0, quotient); "                                                 \
  "tl.floor(low + 0.5)"
#define TRL_AS_FLOATS "left = input * 1.0; right = other * 1.0; "
  add("div", "input, other, *, rounding_mode=None, out=None",
      {{"rounding_mode is None", "input / other"},
       {"rounding_mode == 'trunc' & integral", "input // other"},
       {"rounding_mode == 'trunc'", "libdevice.trunc(input / other)"},
       {"rounding_mode == 'floor' & integral", TRL_WHOLE_FLOOR},
       {"rounding_mode == 'floor' & input is float & other is float", TRL_FLOOR("input", "other")},
       {"rounding_mode == 'floor'", TRL_AS_FLOATS TRL_FLOOR("left", "right")}});
  add("floor_divide", "input, other, *, out=None",
      {{"integral", TRL_WHOLE_FLOOR},
       {"input is float & other is float", TRL_FLOOR("input", "other")},
       {"", TRL_AS_FLOATS TRL_FLOOR("left", "right")}},
      ResultType::kPromoted, 6);
#define TRL_REST(other) "tl.where((rest != 0) & ((rest < 0) != (" other " < 0)), rest + " other ", rest)"
  add("remainder", "input, other, *, out=None",
      {{"integral", "rest = input - input // other * other; " TRL_REST("other")},
       {"input is float & other is float", "rest = libdevice.fmod(input, other); " TRL_REST("other")},
       {"", TRL_AS_FLOATS "rest = libdevice.fmod(left, right); " TRL_REST("right")}},
      ResultType::kPromoted, 6);
  add("fmod", "input, other, *, out=None",
      {{"integral", "input - input // other * other"},
       {"input is float & other is float", "libdevice.fmod(input, other)"},
       {"", TRL_AS_FLOATS "libdevice.fmod(left, right)"}},
      ResultType::kPromoted, 6);
#undef TRL_WHOLE_FLOOR
#undef TRL_FLOOR
#undef TRL_AS_FLOATS
#undef TRL_REST
  add("pow", "input, exponent, *, out=None",
      {{"exponent == 1", "input * 1"},
       {"exponent == 2", "input * input"},
       {"exponent == 3", "input * input * input"},
       {"exponent == 4", "square = input * input; square * square"},
       {"input is float & exponent == 0.5", "tl.sqrt(input)"},
       {"input is float & exponent == -0.5", "tl.rsqrt(input)"},
       {"not integral & exponent == -1", "1.0 / input"},
       {"not integral & exponent == -2", "1.0 / (input * input)"},
       {"input is float & exponent == 1.5", "input * tl.sqrt(input)"},
       {"input is float & exponent is float", "libdevice.pow(input, exponent)"},
       {"not integral", "base = input * 1.0; power = exponent * 1.0; libdevice.pow(base, power)"}},
      ResultType::kPromoted, 10);
  add("neg", "input, *, out=None", {{"", "-input"}});
  add("positive", "input", {});
  add("abs", "input, *, out=None", {{"", "tl.abs(input)"}});
  add("sign", "input, *, out=None",
      {{"integral", "tl.where(input > 0, 1, tl.where(input < 0, -1, 0))"},
       {"", "tl.where(input > 0, 1.0, tl.where(input < 0, -1.0, 0.0))"}},
      ResultType::kPromoted, 2);
  add("square", "input, *, out=None", {{"", "input * input"}});
  function("reciprocal", "1.0 / input");
  function("sqrt", "tl.sqrt(input)");
  function("rsqrt", "tl.rsqrt(input)");

  function("exp", "tl.exp(input)", 4);
  function("exp2", "tl.exp2(input)", 4);
  function("expm1", "libdevice.expm1(input)", 6);
  function("log", "tl.log(input)", 4);
  function("log2", "tl.log2(input)", 4);
  function("log10", "libdevice.log10(input)", 4);
  function("log1p", "libdevice.log1p(input)", 6);
  add("logit", "input, eps=None, *, out=None",
      {{"eps is None", "tl.log(input / (1.0 - input))"},
       {"", "kept = tl.minimum(tl.maximum(input, eps), 1.0 - eps); tl.log(kept / (1.0 - kept))"}},
      kFloat, 6);
  add("logaddexp", "input, other, *, out=None",
      {{"",
        "high = tl.maximum(input, other); low = tl.minimum(input, other); high + libdevice.log1p(tl.exp(low - high))"}},
      kFloat, 10);
  add("logaddexp2", "input, other, *, out=None",
      {{"",
        "high = tl.maximum(input, other); low = tl.minimum(input, other); "
        "high + libdevice.log1p(tl.exp2(low - high)) * 1.4426950408889634"}},
      kFloat, 10);
  add("xlogy", "input, other, *, out=None",
      {{"other is number", "limit = other * 1.0; tl.where(input == 0, 0.0, input * tl.log(limit))"},
       {"", "tl.where(input == 0, 0.0, input * tl.log(other))"}},
      kFloat, 6);
  add("xlog1py", "input, other, *, out=None", {{"", "tl.where(input == 0, 0.0, input * libdevice.log1p(other))"}},
      kFloat, 8);
  function("entr", "tl.where(input > 0, -input * tl.log(input), tl.where(input == 0, 0.0, float('-inf')))", 6);

  function("sin", "tl.sin(input)", 8);
  function("cos", "tl.cos(input)", 8);
  function("tan", "libdevice.tan(input)", 10);
  function("asin", "libdevice.asin(input)", 10);
  function("acos", "libdevice.acos(input)", 10);
  function("atan", "libdevice.atan(input)", 10);
  add("atan2", "input, other, *, out=None", {{"", "libdevice.atan2(input, other)"}}, kFloat, 12);
  function("sinh", "libdevice.sinh(input)", 10);
  function("cosh", "libdevice.cosh(input)", 10);
  function("asinh", "libdevice.asinh(input)", 10);
  function("acosh", "libdevice.acosh(input)", 10);
  function("atanh", "libdevice.atanh(input)", 10);
  function("sinc",
           "angle = input * 3.141592653589793; "
           "tl.where(input == 0, 1.0, tl.sin(angle) / tl.where(input == 0, 1.0, angle))",
           10);
  add("hypot", "input, other, *, out=None", {{"", "libdevice.hypot(input, other)"}}, kFloat, 6);
  function("deg2rad", "input * 0.017453292519943295");
  function("rad2deg", "input * 57.29577951308232");

  function("erf", "tl.erf(input)", 10);
  function("erfc", "libdevice.erfc(input)", 10);
  function("erfinv", "libdevice.erfinv(input)", 12);
  function("ndtr", "0.5 * libdevice.erfc(input * -0.7071067811865476)", 12);
  function("lgamma", "libdevice.lgamma(input)", 20);

  // Of integers these are the integers themselves, which torch gives back as they are.
  const auto rounding = [&add](std::string_view name, std::string_view text) {
    add(name, "input, *, out=None", {{"not integral", text}}, ResultType::kFirst);
  };
  rounding("floor", "tl.floor(input)");
  rounding("ceil", "tl.ceil(input)");
  rounding("trunc", "libdevice.trunc(input)");
  rounding("frac", "input - libdevice.trunc(input)");
  add("round", "input, *, decimals=0, out=None", {{"not integral & decimals == 0", "libdevice.rint(input)"}},
      ResultType::kFirst);

  add("copysign", "input, other, *, out=None",
      {{"other is number", "mark = other * 1.0; libdevice.copysign(input, mark)"},
       {"", "libdevice.copysign(input, other)"}},
      kFloat);
  add("heaviside", "input, values, *, out=None",
      {{"integral", "tl.where(input == 0, values, tl.where(input > 0, 1, 0))"},
       {"", "tl.where(input == 0, values, tl.where(input > 0, 1.0, 0.0))"}},
      ResultType::kPromoted, 2);
  add("clamp", "input, min=None, max=None, *, out=None",
      {{"max is None", "tl.maximum(input, min)"},
       {"min is None", "tl.minimum(input, max)"},
       {"", "tl.minimum(tl.maximum(input, min), max)"}},
      ResultType::kPromoted, 2);
  add("clamp_min", "input, min, *, out=None", {{"", "tl.maximum(input, min)"}});
  add("clamp_max", "input, max, *, out=None", {{"", "tl.minimum(input, max)"}});
  add("maximum", "input, other, *, out=None", {{"", "tl.maximum(input, other)"}});
  add("minimum", "input, other, *, out=None", {{"", "tl.minimum(input, other)"}});
  add("lerp", "input, end, weight, *, out=None", {{"", "input + weight * (end - input)"}}, ResultType::kPromoted, 3);
  add("addcmul", "input, tensor1, tensor2, *, value=1, out=None",
      {{"value == 1", "input + tensor1 * tensor2"}, {"", "input + value * tensor1 * tensor2"}}, ResultType::kPromoted,
      3);
  add("addcdiv", "input, tensor1, tensor2, *, value=1, out=None",
      {{"value == 1", "input + tensor1 / tensor2"}, {"", "input + value * (tensor1 / tensor2)"}}, ResultType::kPromoted,
      3);
  add("nan_to_num", "input, nan=0.0, posinf=None, neginf=None, *, out=None",
      {{"not integral & posinf is None & neginf is None",
        "number = tl.where(input != input, nan, input); "
        "tl.minimum(tl.maximum(number, -3.4028234663852886e+38), 3.4028234663852886e+38)"},
       {"not integral & neginf is None",
        "number = tl.where(input != input, nan, input); low = tl.maximum(number, -3.4028234663852886e+38); "
        "tl.where(low == float('inf'), posinf, low)"},
       {"not integral & posinf is None",
        "number = tl.where(input != input, nan, input); high = tl.minimum(number, 3.4028234663852886e+38); "
        "tl.where(high == float('-inf'), neginf, high)"},
       {"not integral",
        "number = tl.where(input != input, nan, input); "
        "tl.where(number == float('inf'), posinf, tl.where(number == float('-inf'), neginf, number))"}},
      ResultType::kFirst, 4);
  add("where", "condition, input, other, *, out=None", {{"", "tl.where(condition, input, other)"}});
  add("masked_fill", "input, mask, value", {{"", "tl.where(mask, value, input)"}}, ResultType::kFirst);
  // The lower or upper triangle of the last two dimensions depends on places, not on values alone.
  add("tril", "input, diagonal=0, *, out=None", {}, ResultType::kFirst);
  add("triu", "input, diagonal=0, *, out=None", {}, ResultType::kFirst);

  add("to", "input, dtype=None, non_blocking=False, copy=False, *, memory_format=None",
      {{"dtype == 'float32'", "input.to(tl.float32)"},
       {"dtype == 'float16'", "input.to(tl.float16).to(tl.float32)"},
       {"dtype == 'bfloat16'", "input.to(tl.bfloat16).to(tl.float32)"},
       {"dtype == 'int64'", "input.to(tl.int64)"},
       {"dtype == 'int32'", "input.to(tl.int32)"},
       {"dtype == 'int16'", "input.to(tl.int16)"},
       {"dtype == 'int8'", "input.to(tl.int8)"},
       {"dtype == 'uint8'", "input.to(tl.uint8)"},
       {"dtype == 'bool'", "input != 0"}});
  return all;
}

}  // namespace tritonrl::teacher::operators
