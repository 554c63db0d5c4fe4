#include <algorithm>

#include "teacher/families/formula.h"

namespace tritonrl::teacher {

namespace {

// Whether a tensor of shape `from` broadcasts to `to` as it stands.
bool broadcasts(const Letters& from, const Letters& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t back = 1; back <= from.size(); ++back) {
    const char letter = from[from.size() - back];
    if (letter != '1' && letter != to[to.size() - back]) return false;
  }
  return true;
}

}  // namespace

Value Formula::parameter(std::string_view shape) {
  const std::size_t rank = shape.size();
  Letters dims(shape);
  // A size that follows from others (after a convolution) is no size of a parameter: at other sizes it would not fit.
  const auto told = [](char letter) { return letter >= 'a' && letter <= 'z'; };
  const bool last = !told(shape.empty() ? '1' : shape.back()), second = rank > 1 && !told(shape[1]);
  const bool rest = std::none_of(shape.begin(), shape.end(), told);
  const auto only = [&](std::size_t kept) {
    for (std::size_t at = 0; at < rank; ++at)
      if (at != kept) dims[at] = '1';
  };
  std::string view;
  switch (draw_.weighted({rank > 1 && last ? 4 : 0, rank > 2 && second ? 4 : 0, 2, 2, rank > 2 && second ? 2 : 0,
                          rank > 2 && rest ? 1 : 0})) {
    case 0:
      dims = Letters(1, shape.back());
      break;  // (D,)
    case 1:
      only(1);
      if (draw_.chance(60)) dims.erase(0, 1);
      break;  // (C, 1, 1), (1, C, 1, 1)
    case 2:
      dims = "1";
      break;
    case 3:
      dims = "";
      break;
    case 4:  // (C,) viewed as (1, C, 1, 1)
      dims = Letters(1, shape[1]);
      view = draw_.chance(60) ? ".view(1, -1" : ".reshape(1, -1";
      for (std::size_t at = 2; at < rank; ++at) view += ", 1";
      view += ")";
      break;
    default:
      dims = Letters(shape.substr(1));
      if (draw_.chance(50)) dims.insert(0, 1, '1');
      break;
  }
  Value result{.text = {},
               .shape = view.empty() ? dims : Letters("1") + shape[1] + Letters(rank - 2, '1'),
               .range = {.size = 2},
               .plain = view.empty()};
  ClassText& owner = *body_.owner;
  const std::string_view hint = draw_.word({"weight", "bias", "scale", "gamma", "beta", "alpha", "shift", "factor"});
  const std::string sizes = page_.shape_text(owner, dims);
  std::string values;
  if (dims.empty()) {
    const std::string value = factor();
    const std::string number_text =
        page_.constructor_number(owner, value.find('.') == std::string::npos ? value + ".0" : value, hint);
    values = "torch.tensor(" + number_text + ")";
  } else {
    // No zeros: a product with them is nothing, and what is normalised then is rounding noise. Templates add some.
    switch (draw_.weighted({6, 3, 2, 1})) {
      case 0:
        values = "torch.randn(" + sizes + ")";
        break;
      case 1:
        values = "torch.ones(" + sizes + ")";
        break;
      case 2:
        values = "torch.rand(" + sizes + ")";
        break;
      default: {
        const std::string value = factor();
        values = "torch.full((" + sizes + ",), " + value + (value.find('.') == std::string::npos ? ".0)" : ")");
      }
    }
    if (draw_.chance(20)) values += " * " + std::string(draw_.word({"0.1", "0.02", "0.5"}));
  }
  if (draw_.chance(15)) {
    page_.idioms.note("form:buffer");
    const std::string name = draw_name(draw_, page_.style, hint, NameRole::kAttribute, owner.names);
    add_line(owner.init, 8, "self.register_buffer('" + name + "', " + values + ")");
    result.text = "self." + name + view;
  } else {
    result.text = page_.attribute(owner, hint, "nn.Parameter(" + values + ")") + view;
  }
  return result;
}

Value Formula::operand(const Value& v, const std::vector<Value>& scope) {
  std::vector<const Value*> fitting;
  for (const Value& one : scope)
    if (broadcasts(one.shape, v.shape) && one.text != v.text && one.range.size <= 6) fitting.push_back(&one);
  const bool can_parameter = body_.owner != nullptr;
  if (!fitting.empty() && (!can_parameter || draw_.chance(65))) return *draw_.one_of(fitting);
  if (can_parameter) return parameter(v.shape);
  Value number_value{.text = factor(),
                     .shape = "",
                     .range = {.size = 2, .nonnegative = true, .floor = -5, .varied = false},
                     .plain = true};
  return number_value;
}

Value Formula::binary(Value v, Value other) {
  const bool number_only = other.shape.empty() && other.text.find_first_not_of("0123456789.") == std::string::npos;
  int op = draw_.weighted({6, 4, 6, 3, number_only ? 0 : 1, number_only ? 0 : 1,
                           number_only ? 0 : page_.idioms.weight("operator:hypot", 1),
                           number_only ? 0 : page_.idioms.weight("operator:logaddexp", 1), number_only ? 0 : 1});
  if (op == 2 && v.range.size + other.range.size > 7) op = 0;
  if (op == 3 && !other.range.positive()) {
    if (other.range.size > 6)
      op = 0;
    else
      other = positive(std::move(other));
  }
  if (op == 7 && (v.range.size > 4 || other.range.size > 4)) op = 0;
  static constexpr std::string_view kNames[] = {"add",     "sub",   "mul",       "div",  "maximum",
                                                "minimum", "hypot", "logaddexp", "atan2"};
  static constexpr std::string_view kSigns[] = {"+", "-", "*", "/"};
  Range range{.size = std::max(v.range.size, other.range.size) + 1, .varied = v.range.varied};
  if (op == 8) {
    other = positive(std::move(other));
    range.size = 2;
  }
  page_.idioms.note("operator:" + std::string(kNames[op]));
  const std::string left = bracketed(v), right = bracketed(other);
  std::string text;
  const std::string name(kNames[op]);
  if (op >= 4) {
    if ((op == 4 || op == 5) && draw_.chance(25)) {
      text = (op == 4 ? "torch.max(" : "torch.min(") + v.text + ", " + other.text + ")";
    } else {
      text = draw_.chance(75) ? "torch." + name + "(" + v.text + ", " + other.text + ")"
                              : left + "." + name + "(" + other.text + ")";
    }
  } else if (draw_.chance(12) && !number_only) {
    if (op == 3 && page_.idioms.held_out_idioms_allowed() && draw_.chance(60)) {
      page_.idioms.note("spelling:true_divide");
      text = "torch.true_divide(" + v.text + ", " + other.text + ")";
    } else {
      text = draw_.chance(60) ? "torch." + name + "(" + v.text + ", " + other.text + ")"
                              : left + "." + name + "(" + other.text + ")";
    }
  } else if ((op == 0 || op == 2) && draw_.chance(25)) {
    text = right + " " + std::string(kSigns[op]) + " " + left;
  } else {
    text = left + " " + std::string(kSigns[op]) + " " + right;
  }
  if (op == 0 && v.range.nonnegative && other.range.nonnegative) {
    range.nonnegative = true;
    range.floor = std::max(v.range.floor, other.range.floor);
  }
  if (op == 2) {
    range.size = std::max(0, v.range.size + other.range.size);
    range.nonnegative = v.range.nonnegative && other.range.nonnegative;
  }
  if (op == 3) {
    range.size = std::max(0, v.range.size - other.range.floor);
    range.nonnegative = v.range.nonnegative;
  }
  if (op == 4 || op == 5) {
    range.size -= 1;
    range.varied = false;
  }
  if (op == 4) range.nonnegative = v.range.nonnegative || other.range.nonnegative;
  const int a = v.range.low(), b = v.range.high(), c = other.range.low(), d = other.range.high();
  if (op == 0) range.from = a + c, range.to = b + d;
  if (op == 1) range.from = a - d, range.to = b - c;
  if (op == 2)
    range.from = std::min(std::min(a * c, a * d), std::min(b * c, b * d)) / 10,
    range.to = std::max(std::max(a * c, a * d), std::max(b * c, b * d)) / 10;
  if (op == 3) range.from = a, range.to = b;
  if (op == 4) range.from = std::max(a, c), range.to = std::max(b, d);
  if (op == 5) range.from = std::min(a, c), range.to = std::min(b, d);
  v.text = std::move(text);
  v.range = range;
  return computed(std::move(v));
}

Value Formula::gate(Value v, const std::vector<Value>& scope) {
  v = plain(std::move(v));
  Value gated = v;
  switch (draw_.weighted({4, 3, 2, 2, page_.idioms.weight("spelling:addcmul", 2), 2})) {
    case 0: {  // x * sigmoid(x)
      const Value inner = activation(v);
      page_.idioms.note("operator:mul");
      if (inner.range.size + v.range.size > 7) return named_unary("tanh", std::move(v));
      gated.text = draw_.chance(50) ? v.text + " * " + bracketed(inner) : bracketed(inner) + " * " + v.text;
      gated.range = {.size = std::max(0, inner.range.size) + v.range.size};
      break;
    }
    case 1: {  // x * sigmoid(a * x + b)
      const Value inner = named_unary("sigmoid", scalar_step(v), false);
      page_.idioms.note("operator:mul");
      gated.text = v.text + " * " + bracketed(inner);
      gated.range = {.size = v.range.size};
      break;
    }
    case 2: {  // g * x + (1 - g) * y
      Value source = operand(v, scope);
      if (source.shape.empty() && body_.owner == nullptr) source = v;  // a number has no gate
      Value g = plain(named_unary("sigmoid", std::move(source), true), "gate");
      const Value other = operand(v, scope);
      page_.idioms.note("operator:mul");
      page_.idioms.note("operator:add");
      const std::string one(draw_.word({"1", "1.0"}));
      gated.text = g.text + " * " + v.text + " + (" + one + " - " + g.text + ") * " + bracketed(other);
      gated.range = {.size = std::max(v.range.size, other.range.size) + 1};
      break;
    }
    case 3: {
      const Value other = operand(v, scope);
      page_.idioms.note("operator:lerp");
      if (other.shape != v.shape) return binary(std::move(v), other);
      gated.text = "torch.lerp(" + v.text + ", " + other.text + ", " + number("0.3", "alpha") + ")";
      gated.range = {.size = std::max(v.range.size, other.range.size)};
      break;
    }
    case 4: {
      const Value a = operand(v, scope);
      const Value b = operand(v, scope);
      if (a.shape.empty() || b.shape.empty()) return binary(std::move(v), a);
      page_.idioms.note("spelling:addcmul");
      gated.text = "torch.addcmul(" + v.text + ", " + a.text + ", " + b.text + ", value=" + factor() + ")";
      gated.range = {.size = std::max(v.range.size, a.range.size + b.range.size) + 1};
      break;
    }
    default: {  // x + a * f(x)
      const Value inner = activation(v);
      page_.idioms.note("operator:add");
      const std::string scale = number(factor(), "scale");
      gated.text = v.text + " + " + scale + " * " + bracketed(inner);
      gated.range = {.size = std::max(v.range.size, inner.range.size) + 1};
    }
  }
  return computed(std::move(gated));
}

}  // namespace tritonrl::teacher
