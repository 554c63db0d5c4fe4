#include <algorithm>

#include "teacher/families/formula.h"
#include "teacher/families/unary_table.h"

namespace tritonrl::teacher {

Value Formula::positive(Value v) {
  if (v.range.positive()) return v;
  const std::string shift(draw_.word({"1.0", "0.1", "0.5", "1", "0.01"}));
  const int floor = shift == "0.1" || shift == "0.5" ? -4 : shift == "0.01" ? -7 : 0;
  if (v.range.nonnegative) {
    v.text =
        draw_.chance(70) ? bracketed(v) + " + " + number(shift, "eps") : number(shift, "shift") + " + " + bracketed(v);
  } else {
    switch (draw_.weighted({4, 3, 3, 2, 2})) {
      case 0:
        v = named_unary("abs", std::move(v), false);
        v.text += " + " + number(shift, "eps");
        break;
      case 1:
        v = named_unary("sigmoid", std::move(v), false);
        v.text += " + " + number(shift, "eps");
        break;
      case 2:
        v = named_unary("softplus", std::move(v), false);
        v.text += " + " + number(shift, "eps");
        break;
      case 3: {
        const Range range = v.range;
        v.text = call_form("clamp", "", "clamp", v, "min=" + number(shift, "eps"));
        v.range = {.size = range.size, .varied = false};
        break;
      }
      default:
        if (v.range.size > 3) v = named_unary("tanh", std::move(v), false);
        v = named_unary("square", std::move(v), false);
        v.text += " + " + number(shift, "eps");
    }
  }
  v.range.from = std::max(0, v.range.low()) + tenths_of(shift);
  v.range.to = std::max(v.range.from + 1, v.range.high() + tenths_of(shift));
  v.range.nonnegative = true;
  v.range.floor = floor;
  v.range.size = std::max(v.range.size, 0) + 1;
  v.range.exact = false;
  return computed(std::move(v));
}

Value Formula::small(Value v) {
  if (v.range.size <= 1) return v;
  const bool far = v.range.low() > 20 || v.range.high()<-20, cut = v.range.low()> 5 || v.range.high() < -5;
  if (far) {
    const int divisor = std::max(std::max(v.range.high(), -v.range.low()) / 15, 2);
    v.text = bracketed(v) + " / " + number(std::to_string(divisor) + ".0", "scale");
    v.range = {.size = 1,
               .nonnegative = v.range.nonnegative,
               .varied = v.range.varied,
               .from = v.range.low() / divisor,
               .to = v.range.high() / divisor};
    return computed(std::move(v));
  }
  switch (draw_.weighted({4, 3, cut ? 0 : 3, 2})) {
    case 0:
      v = named_unary("tanh", std::move(v), false);
      return v;
    case 1:
      v = named_unary("sigmoid", std::move(v), false);
      v.range.size = std::min(v.range.size, 0);
      return v;
    case 2:
      v.text = call_form("clamp", "", "clamp", v, draw_.chance(50) ? "-1.0, 1.0" : "min=-2.0, max=2.0");
      v.range = {.size = 1, .varied = false};
      break;
    default:
      v.text = "-" + bracketed(named_unary("abs", v, false));
      v.range = {.size = 1, .varied = v.range.varied};  // exp of what is negative stays below one
  }
  return computed(std::move(v));
}

Value Formula::tame(Value v) {
  if (v.range.size <= 5) return v;
  const bool saturated = v.range.low() > 25 || v.range.high() < -25;
  switch (draw_.weighted({saturated ? 0 : 3, saturated ? 0 : 2, 3})) {
    case 0:
      return named_unary("tanh", std::move(v));
    case 1:
      return named_unary("sigmoid", std::move(v));
    default:
      break;
  }
  const int far = std::max(v.range.high(), -v.range.low());
  const int divisor = far > 2000 ? 100 : far > 300 ? 50 : 16;
  if (draw_.chance(60)) {
    v.text = bracketed(v) + " / " + number(std::to_string(divisor) + (draw_.chance(60) ? ".0" : ""), "scale");
  } else {
    v.text = bracketed(v) + " * " + number(divisor == 100 ? "0.01" : divisor == 50 ? "0.02" : "0.06", "scale");
  }
  v.range.size = std::max(2, v.range.size - (divisor == 100 ? 7 : divisor == 50 ? 6 : 4));
  v.range.from = v.range.from / divisor;
  v.range.to = v.range.to / divisor;
  if (v.range.floor != Range::kNone) v.range.floor -= 7;
  v.plain = false;
  v.fresh = true;
  v.range.exact = false;
  return v;
}

}  // namespace tritonrl::teacher
