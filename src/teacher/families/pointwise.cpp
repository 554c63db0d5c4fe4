#include <algorithm>
#include <array>

#include "teacher/families/formula.h"
#include "teacher/families/unary_table.h"
#include "teacher/operators/table.h"

namespace tritonrl::teacher {

std::string bracketed(const Value& v) {
  return v.plain ? v.text : "(" + v.text + ")";
}

std::string Formula::factor() {
  if (page_.surface.real && draw_.chance(12)) {  // people's numbers have any digits
    std::string digits = "0.";
    if (draw_.chance(40)) digits = draw_.word({"1.", "2.", "1."});
    const int count = draw_.between(3, 7);
    for (int at = 0; at < count; ++at)
      digits += static_cast<char>('0' + draw_.between(at == 0 || at + 1 == count ? 1 : 0, 9));
    return digits;
  }
  switch (draw_.weighted({4, 3, 2})) {
    case 0:
      return std::string(draw_.word({"0.5", "2.0", "0.1", "1.5", "3.0", "0.25", "0.7", "0.2", "1.2", "0.8"}));
    case 1:
      return decimal(draw_.between(5, 300));
    default:
      return draw_.chance(page_.style.whole_numbers) ? std::string(draw_.word({"2", "3", "4"})) : "2.0";
  }
}

std::string Formula::call_form(std::string_view torch, std::string_view functional, std::string_view method,
                               const Value& v, std::string_view arguments) {
  const Style& style = page_.style;
  const int form = draw_.weighted({torch.empty() ? 0 : style.function_form + 10,
                                   functional.empty() ? 0 : style.function_form + (torch.empty() ? 10 : 0),
                                   method.empty() ? 0 : style.method_form});
  std::string text;
  if (form == 2) {
    text = bracketed(v) + "." + std::string(method) + "(" + std::string(arguments) + ")";
    return text;
  }
  text = form == 0 ? "torch." + std::string(torch) : page_.functional(functional);
  text += "(";
  if (form == 0 && arguments.empty() && page_.idioms.held_out_idioms_allowed() && draw_.chance(15)) {
    page_.idioms.note("spelling:input_keyword");
    text += "input=";
  }
  text += v.text;
  if (!arguments.empty()) text += ", " + std::string(arguments);
  return text += ")";
}

Value Formula::named_unary(std::string_view name, Value v, bool module_allowed) {
  const Unary& op = find_unary(name);
  page_.idioms.note("operator:" + std::string(name));
  const Style& style = page_.style;
  Value result{.text = {}, .shape = v.shape, .range = range_of(op.gives, v.range), .fresh = true};

  // Where the numbers lie, better than the group says.
  const int low = v.range.low(), high = v.range.high();
  const auto lies = [&](int from, int to) { result.range.from = from, result.range.to = to; };
  if (name == "neg") lies(-high, -low);
  if (name == "logsigmoid") lies(std::min(-1, low), -1);
  if (name == "sin" || name == "cos") lies(-9, 9);
  if (name == "exp" || name == "exp2") lies(1, 40);
  if (name == "reciprocal" || name == "rsqrt") lies(2, 15);
  if (name == "sigmoid") result.range.size = 0;
  if (name == "relu") result.range.from = std::max(0, v.range.low()), result.range.to = std::max(0, v.range.high());
  if (name == "relu6" || name == "hardsigmoid") {
    result.range.nonnegative = true;
    lies(std::max(0, low), name == "relu6" ? std::clamp(high, 0, 60) : 10);
  }
  result.range.cut = result.range.cut || v.range.cut || name == "relu";
  if (name == "softplus") result.range.from = std::max(1, v.range.low()), result.range.to = std::max(7, v.range.high());

  std::string hint, value, second;  // an argument that the operator may have
  if (name == "leaky_relu")
    hint = "slope", value = draw_.chance(60) ? std::string(draw_.word({"0.1", "0.2", "0.01", "0.05", "0.3"}))
                                             : decimal(draw_.between(1, 60));
  if (name == "elu" || name == "celu") hint = "alpha", value = draw_.chance(50) ? "" : decimal(draw_.between(30, 200));
  if (name == "hardshrink" || name == "softshrink")
    hint = "bound", value = draw_.chance(50) ? "" : decimal(draw_.between(10, 90));
  if (name == "leaky_relu" && draw_.chance(25)) value.clear();
  if (name == "hardtanh" && draw_.chance(60))
    hint = "bound", value = "-" + decimal(draw_.between(20, 200)), second = decimal(draw_.between(20, 300));
  if (name == "threshold")
    hint = "bound", value = draw_.word({"0.1", "0.5", "0.0", "0.3"}),
    second = draw_.word({"0.0", "1.0", "0.1", "-1.0"});
  const auto arguments = [&](bool constructor) {
    std::string text;
    if (value.empty()) return text;
    const auto one = [&](std::string_view number_text) {
      return constructor ? page_.constructor_number(*body_.owner, number_text, hint) : number(number_text, hint);
    };
    // The operand is the first parameter.
    const auto parameters = operators::parameters_of(*find_operator(name));
    const bool keyword = draw_.chance(style.keyword);
    text = (keyword ? std::string(parameters[1].name) + "=" : "") + one(value);
    if (!second.empty()) text += ", " + (keyword ? std::string(parameters[2].name) + "=" : "") + one(second);
    return text;
  };

  const bool as_module =
      module_allowed && !op.module.empty() && body_.owner != nullptr && draw_.chance(style.module_form);
  if (as_module) {
    std::string inside = arguments(true);
    if (name == "gelu" && draw_.chance(15)) inside = "approximate='tanh'";
    if (name == "softplus" && draw_.chance(20))
      inside = "beta=" + page_.constructor_number(*body_.owner, decimal(draw_.between(50, 300)), "beta");
    const bool in_place =
        inside.empty() && v.fresh && !v.plain && draw_.chance(30) &&
        (name == "relu" || name == "silu" || name == "elu" || name == "relu6" || name == "hardswish" || name == "selu");
    if (in_place) inside = draw_.chance(20) && name == "relu" ? "True" : "inplace=True";
    const std::string attribute = page_.attribute(*body_.owner, draw_.chance(50) ? "act" : name,
                                                  "nn." + std::string(op.module) + "(" + inside + ")");
    result.text = attribute + "(" + v.text + ")";
    return result;
  }
  if (name == "neg" && draw_.chance(75)) {
    result.text = "-" + bracketed(v);
    return result;
  }
  if (name == "square" && draw_.chance(65)) {
    result.text = draw_.chance(70) || !v.plain ? bracketed(v) + " ** 2" : v.text + " * " + v.text;
    if (draw_.chance(30)) result.text = bracketed(v) + ".pow(2)";
    return result;
  }
  if (name == "relu" && draw_.chance(4)) {
    if (page_.idioms.allowed("spelling:method_clamp_min") && draw_.chance(50)) {
      page_.idioms.note("spelling:method_clamp_min");
      result.text = bracketed(v) + ".clamp_min(0)";
    } else {
      result.text = draw_.chance(50) ? bracketed(v) + ".clamp(min=0)" : "torch.clamp(" + v.text + ", min=0.0)";
    }
    return result;
  }
  std::string inside = arguments(false);
  if (name == "gelu" && draw_.chance(15)) inside = "approximate='tanh'";
  if (name == "softplus" && draw_.chance(12)) inside = "beta=" + number(decimal(draw_.between(50, 300)), "beta");
  const bool tensor_form_takes = inside.empty() || name == "celu" || name == "hardshrink";
  result.text = call_form(tensor_form_takes ? op.torch : "", op.functional,
                          inside.empty() || name == "hardshrink" ? op.method : "", v, inside);
  return result;
}

namespace {

// Told once: weights of all operators are asked for with every draw.
int weight(const IdiomUse& idioms, std::size_t at, int usual) {
  static const std::vector<bool> held_out = [] {
    std::vector<bool> out;
    for (const Unary& op : unary_operators()) out.push_back(is_held_out("operator:" + std::string(op.name)));
    return out;
  }();
  return held_out[at] ? idioms.held_out_operator_weight(usual) : usual;
}

}  // namespace

Value Formula::activation(Value v) {
  std::array<int, kMostUnary> weights{};
  for (std::size_t at = 0; at < unary_operators().size(); ++at) {
    const Unary& op = unary_operators()[at];
    weights[at] = op.activation_weight == 0 || !fits(op, v.range) ? 0 : weight(page_.idioms, at, op.activation_weight);
  }
  if (v.range.size > 7) return tame(std::move(v));
  return named_unary(unary_operators()[static_cast<std::size_t>(draw_.weighted(weights))].name, std::move(v));
}

Value Formula::unary(Value v) {
  if (v.range.size > 7) return tame(std::move(v));
  std::array<int, kMostUnary> weights{};
  for (std::size_t at = 0; at < unary_operators().size(); ++at) {
    const Unary& op = unary_operators()[at];
    const bool makeable = op.need == Need::kPositive || op.need == Need::kSmall || op.need == Need::kUnit;
    weights[at] = fits(op, v.range) || makeable ? weight(page_.idioms, at, op.any_weight) : 0;
  }
  const Unary& op = unary_operators()[static_cast<std::size_t>(draw_.weighted(weights))];
  if (!fits(op, v.range)) {
    if (op.need == Need::kPositive) v = positive(std::move(v));
    if (op.need == Need::kSmall) v = small(std::move(v));
    if (op.need == Need::kUnit) {
      v = named_unary("tanh", std::move(v), false);
      v.text = "0.9 * " + bracketed(v);
    }
  }
  return named_unary(op.name, std::move(v));
}

}  // namespace tritonrl::teacher
