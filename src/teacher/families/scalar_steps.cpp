#include <algorithm>

#include "teacher/families/formula.h"
#include "teacher/families/unary_table.h"

namespace tritonrl::teacher {

Value Formula::scalar_step(Value v) {
  const int op = draw_.weighted({3, 2, 4, 2, 1});
  const std::string value = factor();
  page_.idioms.note(op == 0              ? "operator:add"
                    : op == 1 || op == 4 ? "operator:sub"
                    : op == 2            ? "operator:mul"
                                         : "operator:div");
  static constexpr std::string_view kSigns[] = {"+", "-", "*", "/", "-"};
  static constexpr std::string_view kFunctions[] = {"add", "sub", "mul", "div", ""};
  const std::string text =
      number(op == 3 && value.starts_with("0.0") ? "0.5" : value, op == 0 || op == 1 ? "shift" : "scale");
  const Range before = v.range;
  if (op == 4) {
    v.text = std::string(draw_.word({"1.0", "1", "2.0", "1.0"})) + " - " + bracketed(v);
  } else if (draw_.chance(12)) {
    v.text = draw_.chance(65) ? "torch." + std::string(kFunctions[op]) + "(" + v.text + ", " + text + ")"
                              : bracketed(v) + "." + std::string(kFunctions[op]) + "(" + text + ")";
  } else if ((op == 0 || op == 2) && draw_.chance(35)) {
    v.text = text + " " + std::string(kSigns[op]) + " " + bracketed(v);
  } else {
    v.text = bracketed(v) + " " + std::string(kSigns[op]) + " " + text;
  }
  v.range = {.size = before.size + (op == 2 || op == 3           ? 1
                                    : op == 0 && before.size > 2 ? 0
                                                                 : 1),
             .varied = before.varied};
  const int tenths = tenths_of(value);
  if (op == 0 || op == 1)
    v.range.from = before.low() + (op == 0 ? tenths : -tenths),
    v.range.to = before.high() + (op == 0 ? tenths : -tenths);
  if (op == 2) v.range.from = before.low() * tenths / 10, v.range.to = before.high() * tenths / 10;
  if (op == 3)
    v.range.from = before.low() * 10 / std::max(1, tenths), v.range.to = before.high() * 10 / std::max(1, tenths);
  if (op == 4) v.range.from = 10 - before.high(), v.range.to = 10 - before.low();
  if (op == 0 && before.nonnegative) v.range.nonnegative = true, v.range.floor = before.floor;
  if (op >= 2 && op <= 3 && before.nonnegative)
    v.range.nonnegative = true, v.range.floor = before.floor == Range::kNone ? before.floor : before.floor - 4;
  return computed(std::move(v));
}

Value Formula::power(Value v) {
  page_.idioms.note("operator:pow");
  if (v.range.size > 2) v = small(std::move(v));
  const bool positive = v.range.positive();
  const std::string exponent(positive ? draw_.word({"2", "0.5", "3", "1.5", "-0.5", "2.0", "-1", "0.75"})
                                      : draw_.word({"2", "3", "2.0", "2", "4"}));
  const std::string given = exponent.front() == '-' || exponent.size() == 1 ? exponent : number(exponent, "gamma");
  switch (draw_.weighted({5, page_.style.method_form / 10 + 1, 2})) {
    case 0:
      v.text = bracketed(v) + " ** " + given;
      break;
    case 1:
      v.text = bracketed(v) + ".pow(" + given + ")";
      break;
    default:
      v.text = "torch.pow(" + v.text + ", " + given + ")";
  }
  const bool even = exponent.starts_with('2') || exponent == "4";
  const int size = std::max(v.range.size, 0), floor = v.range.floor;
  v.range = {.size = positive && exponent.front() == '-'  ? std::max(0, -floor)
                     : exponent == "4" || exponent == "3" ? 4 * size
                                                          : 2 * size,
             .nonnegative = positive || even,
             .floor = Range::kNone,
             .varied = v.range.varied};
  return computed(std::move(v));
}

Value Formula::clamp(Value v) {
  page_.idioms.note("operator:clamp");
  // Bounds that cut something off, and not everything.
  const int low_end = v.range.low(), high_end = v.range.high(), middle = (low_end + high_end) / 2;
  std::string low, high;
  for (const std::string_view one : {"0.0", "-1.0", "-0.5", "0", "-1", "-2.0", "-3.0", "0.1", "1.0"}) {
    const int tenths = one.front() == '-' ? -tenths_of(one.substr(1)) : tenths_of(one);
    if (tenths <= middle && (low.empty() || draw_.chance(35))) low = one;
  }
  for (const std::string_view one : {"6.0", "1.0", "1", "0.5", "2.0", "3.0", "0.8"})
    if (tenths_of(one) > middle + 1 && (high.empty() || draw_.chance(35))) high = one;
  const bool narrow = high_end - low_end < 4;  // about one number already
  if (narrow || (low.empty() && high.empty())) return tame(scalar_step(std::move(v)));
  const int form = low.empty() ? 2 : high.empty() ? 1 : draw_.weighted({5, 2, 2});
  std::string arguments;
  const bool keyword = draw_.chance(page_.style.keyword);
  if (form != 2) arguments = (keyword || form == 1 ? "min=" : "") + number(low, "bound");
  if (form != 1)
    arguments +=
        (arguments.empty() ? "" : ", ") + std::string(keyword || form == 2 ? "max=" : "") + number(high, "bound");
  std::string_view name = "clamp";
  if (page_.idioms.held_out_idioms_allowed() && draw_.chance(30)) name = "clip", page_.idioms.note("spelling:clip");
  const Range before = v.range;
  v.text = call_form(name, "", name, v, arguments);
  v.range = {.size = form == 0 ? 3 : std::max(3, before.size),
             .nonnegative = form != 2 && low.front() != '-',
             .varied = false,
             .cut = true,
             .from = low_end,
             .to = high_end};
  if (form != 2)
    v.range.from = std::max(low_end, low.front() == '-' ? -tenths_of(std::string_view(low).substr(1)) : tenths_of(low));
  if (form != 1) v.range.to = std::min(high_end, tenths_of(high));
  return computed(std::move(v));
}

}  // namespace tritonrl::teacher
