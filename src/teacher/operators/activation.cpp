#include "teacher/operators/table.h"

// Activations, each safe for large arguments of both signs: exponentials are taken of what is not positive.
namespace tritonrl::teacher::operators {

std::vector<Operator> activation_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::string_view name, std::string_view parameters, std::vector<Recipe> recipes,
                          double operations = 4, ResultType type = ResultType::kFloat) {
    all.push_back({.name = name,
                   .parameters = parameters,
                   .type = type,
                   .recipes = std::move(recipes),
                   .operations = operations});
  };
  constexpr auto kPromoted = ResultType::kPromoted;
  add("relu", "input, inplace=False", {{"integral", "tl.maximum(input, 0)"}, {"", "tl.maximum(input, 0.0)"}}, 1,
      kPromoted);
  add("relu6", "input, inplace=False", {{"not integral", "tl.minimum(tl.maximum(input, 0.0), 6.0)"}}, 2, kPromoted);
  add("leaky_relu", "input, negative_slope=0.01, inplace=False",
      {{"", "tl.where(input > 0, input, input * negative_slope)"}}, 2);
  all.push_back({.name = "prelu",
                 .parameters = "input, weight",
                 .type = ResultType::kFloat,
                 .recipes = {{"", "tl.where(input > 0, input, input * weight)"}},
                 .operations = 2,
                 .channel_parameters = "weight"});
  add("rrelu", "input, lower=0.125, upper=0.3333333333333333, training=False, inplace=False",
      {{"not training", "tl.where(input >= 0, input, input * ((lower + upper) / 2.0))"}}, 2);
  add("elu", "input, alpha=1.0, inplace=False",
      {{"alpha == 1", "tl.where(input > 0, input, libdevice.expm1(input))"},
       {"", "tl.where(input > 0, input, alpha * libdevice.expm1(input))"}},
      8);
  add("celu", "input, alpha=1.0, inplace=False",
      {{"alpha == 1", "tl.where(input > 0, input, libdevice.expm1(input))"},
       {"", "tl.where(input > 0, input, alpha * libdevice.expm1(input / alpha))"}},
      8);
  add("selu", "input, inplace=False",
      {{"", "1.0507009873554805 * tl.where(input > 0, input, 1.6732632423543772 * libdevice.expm1(input))"}}, 8);
  add("gelu", "input, *, approximate='none'",
      {{"approximate == 'none'", "0.5 * input * (1.0 + tl.erf(input * 0.7071067811865476))"},
       {"approximate == 'tanh'",
        "input * tl.sigmoid(1.5957691216057308 * (input + 0.044715 * input * input * input))"}},
      14);
  add("silu", "input, inplace=False", {{"", "input * tl.sigmoid(input)"}}, 5);
  add("mish", "input, inplace=False",
      {{"",
        "soft = tl.maximum(input, 0.0) + libdevice.log1p(tl.exp(-tl.abs(input))); "
        "input * (2.0 * tl.sigmoid(2.0 * soft) - 1.0)"}},
      16);
  add("sigmoid", "input, *, out=None", {{"", "tl.sigmoid(input)"}});
  add("logsigmoid", "input", {{"", "tl.minimum(input, 0.0) - libdevice.log1p(tl.exp(-tl.abs(input)))"}}, 12);
  add("tanh", "input, *, out=None", {{"", "2.0 * tl.sigmoid(2.0 * input) - 1.0"}}, 6);
  add("tanhshrink", "input", {{"", "input - (2.0 * tl.sigmoid(2.0 * input) - 1.0)"}}, 7);
  add("hardtanh", "input, min_val=-1.0, max_val=1.0, inplace=False",
      {{"", "tl.minimum(tl.maximum(input, min_val), max_val)"}}, 2);
  add("hardsigmoid", "input, inplace=False", {{"", "tl.minimum(tl.maximum(input + 3.0, 0.0), 6.0) / 6.0"}}, 4);
  add("hardswish", "input, inplace=False", {{"", "input * tl.minimum(tl.maximum(input + 3.0, 0.0), 6.0) / 6.0"}}, 5);
  add("hardshrink", "input, lambd=0.5", {{"", "tl.where(tl.abs(input) > lambd, input, 0.0)"}}, 2);
  add("softshrink", "input, lambd=0.5",
      {{"", "tl.where(input > lambd, input - lambd, tl.where(input < -lambd, input + lambd, 0.0))"}}, 4);
  add("softplus", "input, beta=1.0, threshold=20.0",
      {{"beta == 1 & threshold == 20",
        "tl.where(input > 20.0, input, tl.maximum(input, 0.0) + libdevice.log1p(tl.exp(-tl.abs(input))))"},
       {"",
        "scaled = input * beta; "
        "tl.where(scaled > threshold, input, (tl.maximum(scaled, 0.0) + libdevice.log1p(tl.exp(-tl.abs(scaled)))) / "
        "beta)"}},
      14);
  add("softsign", "input", {{"", "input / (1.0 + tl.abs(input))"}}, 3);
  add("threshold", "input, threshold, value, inplace=False", {{"", "tl.where(input > threshold, input, value)"}}, 1,
      ResultType::kFirst);
  return all;
}

}  // namespace tritonrl::teacher::operators
