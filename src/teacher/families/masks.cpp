#include <algorithm>
#include <cstdlib>

#include "teacher/families/formula.h"

namespace tritonrl::teacher {

Value Formula::condition(const Value& v, const std::vector<Value>& scope) {
  static constexpr std::string_view kSigns[] = {">", "<", ">=", "<="};
  const std::string sign(kSigns[draw_.below(4)]);
  Value result{.text = {}, .shape = v.shape, .range = {.size = 0, .varied = false}};
  page_.idioms.note("operator:compare");
  if (draw_.chance(10)) {
    const Value other = operand(v, scope);
    result.text = bracketed(v) + " " + sign + " " + bracketed(other);
  } else {
    // A bound that some numbers are above and some below.
    const int low = v.range.low(), high = std::max(low + 2, v.range.high());
    const int hundredths = low * 10 + (high - low) * 10 * (low >= 0 ? draw_.between(1, 4) : draw_.between(2, 6)) / 8;
    std::string value =
        low < 0 && high > 0 && draw_.chance(50) ? std::string(draw_.word({"0", "0.0"})) : decimal(std::abs(hundredths));
    if (hundredths < 0 && value.size() > 1 && value != "0.0") value.insert(0, "-");
    const std::string given = value.front() == '-' || value.size() < 2 ? value : number(value, "bound");
    if (draw_.chance(15)) {
      result.text = "torch." + std::string(sign[0] == '>' ? "gt" : "lt") + "(" + v.text + ", " + given + ")";
    } else {
      result.text = bracketed(v) + " " + sign + " " + given;
    }
  }
  if (draw_.chance(12)) {
    const std::string first = "(" + result.text + ")";
    const std::string second = "(" + bracketed(v) + (sign[0] == '>' ? " < " : " > ") +
                               (sign[0] == '>'        ? "2.5"
                                : v.range.low() < -10 ? "-2.5"
                                                      : "0.05") +
                               ")";
    result.text = first + (draw_.chance(70) ? " & " : " | ") + second;
  }
  return result;
}

Value Formula::masked(Value v, const std::vector<Value>& scope) {
  // A computed number next to the bound may fall on either side, in float16 often: a mask of one must not make its
  // result jump.
  const Value* known = v.range.exact ? &v : nullptr;
  for (const Value& one : scope)
    if (one.range.exact && one.shape == v.shape && (known == nullptr || draw_.chance(50))) known = &one;
  if (known == nullptr || draw_.chance(30)) return bent(std::move(v));
  const Value source = *known;
  v = plain(std::move(v));
  Value mask = condition(source, {});
  if (draw_.chance(50)) mask = plain(std::move(mask), "mask");
  Value result = v;
  result.plain = false;
  result.fresh = true;
  result.range = {.size = v.range.size + 1, .varied = false, .from = v.range.low(), .to = v.range.high()};
  switch (draw_.weighted({5, 2, 3})) {
    case 0: {
      page_.idioms.note("operator:where");
      Value yes = draw_.chance(40) ? v : draw_.chance(50) ? activation(v) : scalar_step(v);
      Value no = draw_.chance(40) ? v : draw_.chance(50) ? scalar_step(v) : unary(v);
      if (yes.text == no.text) no = scalar_step(v);
      result.text = "torch.where(" + mask.text + ", " + yes.text + ", " + no.text + ")";
      result.range.size = std::max(yes.range.size, no.range.size);
      break;
    }
    case 1: {
      page_.idioms.note("operator:masked_fill");
      const std::string value(draw_.word({"0.0", "0", "-1.0", "1.0", "0.5", "-10.0"}));
      result.text = v.text + ".masked_fill(" + mask.text + ", " + value + ")";
      result.range.size = std::max(4, v.range.size);
      break;
    }
    default: {
      page_.idioms.note("operator:mul");
      const std::string kind(draw_.chance(65) ? ".float()" : ".to(" + v.text + ".dtype)");
      result.text = v.text + " * " + bracketed(mask) + kind;
    }
  }
  return result;
}

Value Formula::bent(Value v) {
  if (v.range.high() < 4 || v.range.low() > -3) return scalar_step(std::move(v));
  v = plain(std::move(v));
  page_.idioms.note("operator:compare");
  const std::string zero(draw_.word({"0", "0.0"}));
  const bool up = draw_.chance(70);
  Value mask{.text = v.text + (up ? " > " : " <= ") + zero, .shape = v.shape};
  Value result{.text = {}, .shape = v.shape, .range = {.size = v.range.size + 1, .varied = false}, .fresh = true};
  const int form = draw_.weighted({4, 3, 2, 2});
  if (form <= 1 && draw_.chance(35)) mask = plain(std::move(mask), "mask");
  switch (form) {
    case 0: {  // both sides meet at 0
      page_.idioms.note("operator:where");
      Value other = v;
      if (draw_.chance(45)) {
        const std::string slope = number(decimal(draw_.between(5, 60)), "slope");
        other.text = draw_.chance(50) ? slope + " * " + v.text : v.text + " * " + slope;
      } else {
        const Value limited = v.range.size <= 2 ? v : named_unary("tanh", v, false);
        switch (draw_.below(3)) {
          case 0:
            other = named_unary("tanh", v, false);
            break;
          case 1:
            other.text = "torch.exp(" + limited.text + ") - 1";
            break;
          default:
            other = named_unary("softsign", v, false);
        }
      }
      const std::string& first = up ? v.text : other.text;
      const std::string& second = up ? other.text : v.text;
      result.text = "torch.where(" + mask.text + ", " + first + ", " + second + ")";
      break;
    }
    case 1: {
      page_.idioms.note("operator:mul");
      const std::string kind(draw_.chance(65) ? ".float()" : ".to(" + v.text + ".dtype)");
      result.text = v.text + " * " + bracketed(mask) + kind;
      break;
    }
    case 2: {  // what is below the bound becomes the bound
      page_.idioms.note("operator:masked_fill");
      const std::string bound = number(decimal(std::max(10, v.range.high() * 4)), "bound");
      result.text = v.text + ".masked_fill(" + v.text + " > " + bound + ", " + bound + ")";
      result.range.to = v.range.high() / 2;
      break;
    }
    default: {  // quadratic near 0, linear beyond
      page_.idioms.note("operator:where");
      const std::string bound = number(decimal(draw_.between(30, 150)), "delta");
      const std::string size = "torch.abs(" + v.text + ")";
      result.text = "torch.where(" + size + " < " + bound + ", 0.5 * " + v.text + " ** 2, " + bound + " * (" + size +
                    " - 0.5 * " + bound + "))";
      result.range.nonnegative = true;
    }
  }
  return result;
}

}  // namespace tritonrl::teacher
