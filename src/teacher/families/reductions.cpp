#include <algorithm>
#include <bit>

#include "teacher/families/formula.h"

namespace tritonrl::teacher {

std::string Formula::dim_text(const Letters& shape, const std::vector<int>& axes, bool keyword) {
  const int rank = static_cast<int>(shape.size());
  const bool negative = draw_.chance(page_.style.negative_dim);
  std::string text;
  for (const int axis : axes) {
    if (!text.empty()) text += ", ";
    text += std::to_string(negative ? axis - rank : axis);
  }
  if (axes.size() > 1) text = draw_.chance(70) ? "(" + text + ")" : "[" + text + "]";
  return (keyword ? "dim=" : "") + text;
}

std::vector<int> Formula::some_axes(const Letters& shape, bool most_common_only) {
  const int rank = static_cast<int>(shape.size());
  std::vector<std::vector<int>> choices;
  const auto offer = [&](std::vector<int> axes, int weight) {
    for (const int axis : axes)
      if (shape[static_cast<std::size_t>(axis)] == '1') return;
    for (; weight > 0; --weight) choices.push_back(axes);
  };
  offer({rank - 1}, 5);
  if (rank >= 2) offer({1}, rank >= 3 ? 4 : 1);
  if (rank >= 4) offer({2, 3}, 5);
  if (!most_common_only) {
    if (rank >= 3) offer({1, 2}, 1);
    if (rank >= 4) offer({1, 2, 3}, 1);
    if (rank >= 5) offer({2, 3, 4}, 4);
    if (rank >= 2) offer({0}, 1);
    if (rank >= 3) offer({rank - 2}, 2);
    if (rank >= 4) offer({0, 2, 3}, 1);
  }
  if (choices.empty()) return {};
  return draw_.one_of(choices);
}

Value Formula::reduce(std::string_view op, const Value& v, const std::vector<int>& axes, bool keep) {
  if (op == "norm" && axes.size() > 2) op = "mean";  // a norm of three dimensions is none
  if (op == "amin" && (v.range.cut || (v.range.nonnegative && v.range.low() <= 0))) op = "amax";  // of a relu: zero
  page_.idioms.note("operator:" + std::string(op));
  const Style& style = page_.style;
  Value result{.text = {}, .shape = {}, .range = v.range, .fresh = true};
  result.range.exact = false;
  std::int64_t count = 1;
  for (std::size_t at = 0; at < v.shape.size(); ++at) {
    const bool gone = std::find(axes.begin(), axes.end(), static_cast<int>(at)) != axes.end();
    if (gone) count *= page_.sizes[v.shape[at]];
    if (!gone) result.shape += v.shape[at];
    if (gone && keep) result.shape += '1';
  }
  const int log = std::bit_width(static_cast<std::uint64_t>(count)) - 1;
  const bool one = axes.size() == 1;
  const bool keyword = draw_.chance(style.keyword);
  std::string inside = dim_text(v.shape, axes, keyword);
  const std::string keepdim = keep ? (keyword || draw_.chance(60) ? ", keepdim=True" : ", True") : "";
  std::string name(op), tail;
  if (op == "amax" || op == "amin") {
    if (one && draw_.chance(60)) {
      name = op == "amax" ? "max" : "min";
      tail = draw_.chance(55) ? "[0]" : ".values";
    }
    inside += keepdim;
  } else if (op == "var" || op == "std") {
    inside = dim_text(v.shape, axes, true) + (keep ? ", keepdim=True" : "");
    if (draw_.chance(60)) inside += draw_.chance(85) ? ", unbiased=False" : ", correction=0";
  } else if (op == "norm") {
    inside = dim_text(v.shape, axes, true) + (keep ? ", keepdim=True" : "");
    if (draw_.chance(40)) inside.insert(0, "p=2, ");
  } else if (op == "logsumexp" || op == "prod") {
    inside += keepdim;
  } else {
    inside += keepdim;
  }
  if (draw_.chance(style.method_form + 30)) {
    result.text = bracketed(v) + "." + name + "(" + inside + ")" + tail;
  } else {
    result.text = "torch." + name + "(" + v.text + ", " + inside + ")" + tail;
  }
  result.range.varied = v.range.varied;
  const int low = v.range.low(), high = v.range.high(), middle = (low + high) / 2, spread = (high - low) / 4 + 1;
  const int times = static_cast<int>(std::min<std::int64_t>(count, 2000));
  if (op == "sum")
    result.range.from = middle * times - spread * (log + 1), result.range.to = middle * times + spread * (log + 1);
  if (op == "mean") result.range.from = middle - spread, result.range.to = middle + spread;
  if (op == "amax") result.range.from = high - spread, result.range.to = high + 5;
  if (op == "amin") result.range.from = low - 5, result.range.to = low + spread;
  if (op == "sum") result.range.size += v.range.nonnegative ? log + 1 : log / 2 + 1;
  if (op == "sum" && v.range.floor != Range::kNone) result.range.floor = v.range.floor;
  if (op == "var")
    result.range = {.size = 2 * std::max(0, v.range.size),
                    .nonnegative = true,
                    .floor = v.range.varied && count >= 4 ? -9 : Range::kNone};
  if (op == "std")
    result.range = {
        .size = v.range.size, .nonnegative = true, .floor = v.range.varied && count >= 4 ? -5 : Range::kNone};
  if (op == "norm")
    result.range = {.size = v.range.size + log / 2 + 1,
                    .nonnegative = true,
                    .floor = v.range.varied && count >= 4 ? -3 : Range::kNone};
  if (op == "logsumexp")
    result.range = {.size = std::max(3, v.range.size) + 1, .from = high + 2 * log - 5, .to = high + 7 * log + 5};
  if (op == "norm") result.range.from = spread * (log + 1), result.range.to = 2 * spread * (log + 2);
  return result;
}

Value Formula::normalised(Value v) {
  const std::vector<int> axes = some_axes(v.shape);
  if (axes.empty()) return activation(std::move(v));
  const Style& style = page_.style;
  const bool one = axes.size() == 1;
  const int form = draw_.weighted({one ? 5 : 0, one ? 2 : 0, 4, 3, 2, 2, one ? 2 : 0, 2, 1});
  const std::string eps(draw_.word({"1e-5", "1e-5", "1e-6", "1e-3", "1e-4"}));
  if (form >= 2) v = plain(std::move(v));
  Value result{.text = {}, .shape = v.shape, .range = {.size = 3, .varied = v.range.varied}, .fresh = true};
  const auto mean_of = [&](Value of) {
    of.range.size = std::min(of.range.size, 8);
    return reduce("mean", of, axes, true);
  };
  switch (form) {
    case 0:
    case 1: {
      const bool log = form == 1;
      page_.idioms.note(log ? "operator:log_softmax" : "operator:softmax");
      const std::string name = log ? "log_softmax" : "softmax";
      if (body_.owner != nullptr && draw_.chance(style.module_form / 2)) {
        const std::string attribute =
            page_.attribute(*body_.owner, name,
                            std::string(log ? "nn.LogSoftmax(" : "nn.Softmax(") + dim_text(v.shape, axes, true) + ")");
        result.text = attribute + "(" + v.text + ")";
      } else {
        const std::string dim = dim_text(v.shape, axes, draw_.chance(style.keyword));
        result.text = call_form(name, name, name, v, dim);
      }
      result.range = log ? Range{.size = std::max(4, v.range.size + 1), .from = -40, .to = -8}
                         : Range{.size = 0, .nonnegative = true, .varied = v.range.varied, .to = 3};
      return result;
    }
    case 2: {  // (x - mean) / sqrt(var + eps)
      page_.idioms.note("form:standardised_by_hand");
      const Value mean = plain(mean_of(v), "mean");
      Value variance;
      if (draw_.chance(50)) {
        variance = reduce("var", v, axes, true);
      } else {
        Value square{.text = "(" + v.text + " - " + mean.text + ")", .shape = v.shape, .range = v.range};
        square.text += draw_.chance(70) ? " ** 2" : ".pow(2)";
        page_.idioms.note("operator:sub");
        variance = mean_of(square);
      }
      variance = draw_.chance(60) ? plain(std::move(variance), "var") : variance;
      const std::string small_number = number(eps, "eps");
      const std::string centered = "(" + v.text + " - " + mean.text + ")";
      if (draw_.chance(60)) {
        result.text = centered + " / " +
                      (draw_.chance(75) ? "torch.sqrt(" + variance.text + " + " + small_number + ")"
                                        : "(" + variance.text + " + " + small_number + ").sqrt()");
      } else {
        result.text = centered + " * " +
                      (draw_.chance(75) ? "torch.rsqrt(" + variance.text + " + " + small_number + ")"
                                        : "(" + variance.text + " + " + small_number + ") ** -0.5");
      }
      page_.idioms.note("operator:sqrt");
      break;
    }
    case 3: {  // x * rsqrt(mean(x ** 2) + eps)
      page_.idioms.note("form:rms_by_hand");
      Value square = named_unary("square", v, false);
      square.range.size = std::min(square.range.size, 6);
      const Value mean = mean_of(square);
      const std::string small_number = number(eps, "eps");
      const std::string inner = "(" + mean.text + " + " + small_number + ")";
      switch (draw_.below(3)) {
        case 0:
          result.text = v.text + " * torch.rsqrt" + inner;
          break;
        case 1:
          result.text = v.text + " / torch.sqrt" + inner;
          break;
        default: {
          const Value root = settle(
              {.text = inner + ".sqrt()", .shape = mean.shape, .range = {.size = 3, .nonnegative = true, .floor = -6}},
              "scale");
          result.text = v.text + " / " + root.text;
        }
      }
      break;
    }
    case 4: {  // x / (norm + eps)
      page_.idioms.note("form:unit_length_by_hand");
      const Value norm = axes.size() <= 2 && draw_.chance(65) ? reduce("norm", v, axes, true)
                                                              : reduce("sum", named_unary("abs", v, false), axes, true);
      result.text = v.text + " / (" + norm.text + " + " + number(eps, "eps") + ")";
      result.range.size = 0;
      break;
    }
    case 5: {  // (x - mean) / (std + eps)
      if (!v.range.varied) return against_own(std::move(v));
      page_.idioms.note("form:standardised_by_hand");
      const Value mean = mean_of(v);
      const Value deviation = reduce("std", v, axes, true);
      result.text = "(" + v.text + " - " + mean.text + ") / (" + deviation.text + " + " + number(eps, "eps") + ")";
      break;
    }
    case 6: {  // softmax by hand
      page_.idioms.note("form:softmax_by_hand");
      const Value top = reduce("amax", v, axes, true);
      const std::string exponent = v.text + " - " + top.text;
      Value raised{.text = draw_.chance(70) ? "torch.exp(" + exponent + ")" : "(" + exponent + ").exp()",
                   .shape = v.shape,
                   .range = {.size = 0, .nonnegative = true}};
      raised = settle(std::move(raised), draw_.chance(50) ? "tmp" : "p");
      const Value total = reduce("sum", raised, axes, true);
      result.text = raised.text + " / " + bracketed(total);
      result.range = {.size = 0, .nonnegative = true};
      break;
    }
    case 7: {  // by function
      const bool last = axes.size() == 1 && axes[0] == static_cast<int>(v.shape.size()) - 1 && body_.owner != nullptr;
      if (!last) {
        // A short vector may be almost zero.
        if (page_.sizes[v.shape[static_cast<std::size_t>(axes[0])]] < 8) return against_own(std::move(v));
        page_.idioms.note("operator:normalize");
        const std::string dim = dim_text(v.shape, {axes[0]}, true);
        result.text =
            page_.functional("normalize") + "(" + v.text + ", " + (draw_.chance(50) ? "p=2, " : "") + dim + ")";
        result.range.size = 0;
      } else if (draw_.chance(80)) {
        page_.idioms.note("operator:layer_norm");
        const std::string size = page_.size_text(*body_.owner, v.shape.back());
        const std::string attribute = page_.attribute(*body_.owner, "norm", "nn.LayerNorm(" + size + ")");
        result.text = attribute + "(" + v.text + ")";
      } else {
        page_.idioms.note("operator:layer_norm");
        result.text = page_.functional("layer_norm") + "(" + v.text + ", (" + v.text + ".shape[-1],))";
      }
      break;
    }
    default: {  // (x - min) / (max - min + eps)
      page_.idioms.note("form:min_max_by_hand");
      const Value low = plain(reduce("amin", v, axes, true));
      const Value high = reduce("amax", v, axes, true);
      result.text = "(" + v.text + " - " + low.text + ") / (" + high.text + " - " + low.text + " + " +
                    number("1e-3", "eps") + ")";
      result.range = {.size = 0, .nonnegative = true};
    }
  }
  return result;
}

Value Formula::against_own(Value v) {
  const std::vector<int> axes = some_axes(v.shape);
  if (axes.empty()) return unary(std::move(v));
  v = plain(std::move(v));
  const std::string_view op = draw_.word({"mean", "mean", "mean", "sum", "amax", "amin", "std", "norm", "logsumexp"});
  Value inner = v;
  if (op == "std" && !v.range.varied) return scalar_step(std::move(v));
  if (draw_.chance(30)) inner = unary(inner);
  if (inner.range.size > 5) inner = v;
  const bool keep = draw_.chance(75) || axes.size() > 1;
  Value own = reduce(op, inner, axes, keep);
  if (!keep) {
    own.shape.insert(static_cast<std::size_t>(axes[0]), 1, '1');
    own.text = bracketed(own) + ".unsqueeze(" + std::to_string(axes[0]) + ")";
    page_.idioms.note("form:unsqueezed");
  }
  own = tame(std::move(own));
  if (draw_.chance(40)) own = named_unary("sigmoid", std::move(own), false);
  if (draw_.chance(30)) own = plain(std::move(own), op == "mean" ? "mean" : "tmp");
  return binary(std::move(v), std::move(own));
}

Value Formula::scanned(Value v) {
  if (v.range.size > 3) v = small(std::move(v));
  page_.idioms.note("operator:cumsum");
  const int rank = static_cast<int>(v.shape.size());
  const int axis = draw_.chance(60) ? rank - 1 : draw_.below(rank);
  if (v.shape[static_cast<std::size_t>(axis)] == '1') return v;
  const std::string dim = dim_text(v.shape, {axis}, draw_.chance(page_.style.keyword));
  v.text = call_form("cumsum", "", "cumsum", v, dim);
  v.range = {.size = v.range.size + 5, .varied = v.range.varied};
  v.plain = false;
  v.fresh = true;
  return tame(std::move(v));
}

Value Formula::reduced(Value v) {
  std::vector<int> axes = some_axes(v.shape);
  if (axes.empty()) return v;
  if (v.range.size > 5) v = tame(std::move(v));
  std::string_view op = draw_.word({"mean", "mean", "sum", "sum", "amax", "amin", "norm", "logsumexp", "var", "std"});
  if ((op == "std" || op == "var") && !v.range.varied) op = "mean";
  return reduce(op, v, axes, draw_.chance(30));
}

Value Formula::whole(Value v) {
  if (v.range.size > 4) v = tame(std::move(v));
  const std::string_view op = draw_.word({"mean", "mean", "mean", "mean", "sum", "sum"});
  page_.idioms.note("operator:" + std::string(op));
  page_.idioms.note("form:full_reduction");
  v.text =
      draw_.chance(50) ? bracketed(v) + "." + std::string(op) + "()" : "torch." + std::string(op) + "(" + v.text + ")";
  v.range.size = op == "sum" ? v.range.size + 8 : v.range.size;
  v.shape.clear();
  return computed(std::move(v));
}

}  // namespace tritonrl::teacher
