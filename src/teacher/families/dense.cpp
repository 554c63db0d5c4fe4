#include <algorithm>

#include "teacher/families/formula.h"

namespace tritonrl::teacher {

Value Formula::settle(Value v, std::string_view hint, std::string_view target) {
  const std::string name = target.empty() ? body_.new_name(hint) : std::string(target);
  body_.line(name + " = " + v.text);
  v.text = name;
  v.plain = true;
  return v;
}

Value Formula::dense(Value start, std::vector<Value> scope, int operators, std::string_view reusable) {
  const Style& style = page_.style;
  Value v = std::move(start);
  std::string last_name(reusable);
  for (int at = 0; at < operators; ++at) {
    if (v.range.size > 6) v = tame(std::move(v));
    switch (draw_.weighted({16, 12, 16, 24, 8, 5, 8, 6, 8, 7, 1})) {
      case 0:
        v = activation(std::move(v));
        break;
      case 1:
        v = unary(std::move(v));
        break;
      case 2:
        v = scalar_step(std::move(v));
        break;
      case 3: {
        Value other = operand(v, scope);
        if (!other.shape.empty() && draw_.chance(25) && other.range.size <= 5) other = unary(std::move(other));
        v = binary(std::move(v), std::move(other));
        break;
      }
      case 4:
        v = gate(std::move(v), scope);
        ++at;
        break;
      case 5:
        v = clamp(std::move(v));
        break;
      case 6:
        v = masked(std::move(v), scope);
        ++at;
        break;
      case 7:
        v = power(std::move(v));
        break;
      case 8:
        v = normalised(std::move(v));
        at += 2;
        break;
      case 9:
        v = against_own(std::move(v));
        at += 1;
        break;
      default:
        v = scanned(std::move(v));
    }
    if (v.plain || (at + 1 < operators && !draw_.chance(style.statement))) continue;
    if (v.text.size() < 160 && at + 1 >= operators && draw_.chance(50)) continue;
    const bool again = !last_name.empty() && draw_.chance(style.reassign);
    v = settle(std::move(v), draw_.chance(70) ? "tmp" : "out", again ? last_name : std::string());
    if (again) std::erase_if(scope, [&](const Value& old) { return old.text == last_name; });
    last_name = v.text;
    if (draw_.chance(50)) scope.push_back(v);
    if (v.fresh && draw_.chance(style.augmented) &&
        std::none_of(scope.begin(), scope.end(), [&](const Value& one) { return one.text == v.text; })) {
      const Value other = operand(v, scope);
      if (v.range.size + std::max(0, other.range.size) <= 6) {
        const bool add = draw_.chance(60);
        page_.idioms.note("form:augmented_assignment");
        body_.line(v.text + (add ? " += " : " *= ") + other.text);
        v.range = {
            .size = add ? std::max(v.range.size, other.range.size) + 1 : v.range.size + std::max(0, other.range.size),
            .varied = v.range.varied};
      }
    }
    if (v.text.size() > 400) v = settle(std::move(v));
  }
  return v;
}

}  // namespace tritonrl::teacher
