#include "teacher/families/heavy.h"
#include "teacher/families/modules.h"

namespace tritonrl::teacher {

namespace {

class FusionWriter : ForwardWriter {
 public:
  using ForwardWriter::ForwardWriter;

  void write() {
    const Heavy heavy = static_cast<Heavy>(draw_.weighted({9, 4, 2, 2, 9, 4, 1, 5, 4}));
    const Letters shape = heavy_input_shape(draw_, heavy);
    const bool product = heavy <= Heavy::kBmm;
    const char out = product ? 'Y' : 'O';
    page_.idioms.note("template:fusion");
    Letters result_shape = shape;
    result_shape[product ? shape.size() - 1 : 1] = out;
    page_.sizes.need(shape);
    page_.sizes.need(result_shape);
    if (!product) page_.sizes.multiple('O', draw_.of({1, 2, 4}));
    if (!product) page_.sizes.multiple('C', draw_.of({1, 2}));
    if (heavy >= Heavy::kTransposed1d)
      page_.sizes.leave_room(heavy == Heavy::kTransposed3d ? 8 : heavy == Heavy::kTransposed2d ? 4 : 2);
    page_.sizes.fix();
    name_ = page_.input("x", shape, InputKind::kNormal);
    Value v{.text = name_, .shape = shape, .range = input_range(page_), .plain = true};
    if (draw_.chance(15)) v = keep(formula_.dense(v, {v}, draw_.between(1, 3)));
    v = keep(apply_heavy(body_, heavy, v, out));
    const bool second = draw_.chance(12);
    int count = draw_.of({1, 2, 2, 3, 3, 4, 5, 6, 8});
    for (int at = 0; at < count; ++at) {
      if (second && at == count / 2 && v.shape.size() == result_shape.size() && heavy != Heavy::kBmm) {
        Value settled = formula_.plain(std::move(v), "out");
        v = keep(apply_heavy(body_, heavy, settled, out));
      }
      v = step(std::move(v));
    }
    body_.line("return " + v.text);
  }

 private:
  // A statement, in the way that this file is written.
  Value keep(Value v) {
    if (v.plain || !draw_.chance(page_.style.statement + 30)) return v;
    const bool again = draw_.chance(page_.style.reassign + 30);
    if (!again) name_ = body_.new_name("out");
    saved_name_ = saved_name_ == name_ ? "" : saved_name_;
    return formula_.settle(std::move(v), "out", name_);
  }

  Value step(Value v) {
    const bool image = v.shape.size() >= 4 || (v.shape.size() == 3 && v.shape[1] != 'T');
    if (v.range.size > 6) return keep(formula_.tame(std::move(v)));
    if (page_.surface.real) {
      const bool lean = v.shape.size() > 2 && v.shape.back() == '1';
      const bool grows = v.shape.find('1') != Letters::npos && wide_.size() == v.shape.size() && v.shape != wide_;
      if (lean && draw_.chance(30)) return keep(squeezed(std::move(v)));
      if (grows && draw_.chance(25)) return keep(spread(std::move(v)));
      if (draw_.chance(5)) return keep(peoples_step(formula_.plain(std::move(v), "out")));
    }
    switch (draw_.weighted({20, 16, 12, 6, 6, 3, 8, image ? 6 : 0, 6, 5, 3, 2, 4})) {
      case 0:
        return keep(formula_.activation(std::move(v)));
      case 1:
        return keep(formula_.scalar_step(std::move(v)));
      case 2:
        return keep(formula_.binary(v, formula_.parameter(v.shape)));
      case 3:
        return keep(formula_.gate(std::move(v), {}));
      case 4:
        return keep(formula_.clamp(std::move(v)));
      case 5:
        return keep(formula_.unary(std::move(v)));
      case 6:
        return keep(norm(std::move(v), image));
      case 7:
        return keep(pool(std::move(v)));
      case 8:
        return keep(residual(std::move(v)));
      case 9:
        return keep(formula_.normalised(std::move(v)));
      case 10:
        return keep(formula_.against_own(std::move(v)));
      case 11:
        return dropout(std::move(v));
      default:
        return keep(reduction(std::move(v)));
    }
  }

  // Dimensions of one element go.
  Value squeezed(Value v) {
    page_.idioms.note("operator:squeeze");
    v.text = bracketed(v);
    while (v.shape.size() > 2 && v.shape.back() == '1') {
      v.text += draw_.chance(80) ? ".squeeze(-1)" : ".squeeze(" + std::to_string(v.shape.size() - 1) + ")";
      v.shape.pop_back();
    }
    v.plain = v.fresh = false;
    return v;
  }

  // A parameter is spread over what was reduced.
  Value spread(Value v) {
    const std::size_t at = static_cast<std::size_t>(draw_.below(static_cast<int>(wide_.size()) - 1)) + 1;
    const bool follows = wide_[at] >= 'a' && wide_[at] <= 'z';  // from other sizes: no size of a parameter
    if (v.shape[at] != '1' || wide_[at] == '1' || follows) return formula_.activation(std::move(v));
    page_.idioms.note("operator:add");
    Letters shape(wide_.size(), '1');
    shape[at] = wide_[at];
    const std::string sizes = page_.shape_text(page_.model, draw_.chance(50) ? shape : Letters(shape.substr(at)));
    const std::string filled(draw_.word({"randn", "ones", "randn"}));
    v.text = bracketed(v) + " " + std::string(draw_.word({"+", "+", "-", "*"})) + " " +
             page_.attribute(page_.model, "bias", "nn.Parameter(torch." + filled + "(" + sizes + "))");
    v.shape[at] = wide_[at];
    v.range = {.size = v.range.size + 2};
    v.plain = false;
    v.fresh = true;
    return v;
  }

  // What people write now and then: a bound that is a tensor, a value that meets itself, a pool over rows.
  Value peoples_step(Value v) {
    Value result = v;
    result.plain = false;
    result.fresh = true;
    const bool rows = v.shape.size() == 2 && v.shape[1] != '1' && page_.sizes[v.shape[1]] >= 4;
    switch (draw_.weighted({3, 1, rows ? 3 : 0})) {
      case 0: {
        const int middle = (v.range.low() + v.range.high()) / 2;
        if (v.range.high() - v.range.low() < 8) return formula_.scalar_step(std::move(v));
        const bool least = draw_.chance(50);
        const std::string_view bound = middle < -3  ? "-0.5"
                                       : middle > 6 ? draw_.word({"1.0", "0.8"})
                                                    : draw_.word({"0.0", "0.1", "0.5"});
        page_.idioms.note(least ? "operator:minimum" : "operator:maximum");
        const std::string name(least ? draw_.word({"torch.min", "torch.minimum"})
                                     : draw_.word({"torch.max", "torch.maximum"}));
        const std::string value = draw_.chance(50) ? std::string(bound) : formula_.number(bound, "bound");
        result.text = name + "(" + v.text + ", torch.tensor(" + value;
        if (draw_.chance(75)) result.text += ", device=" + v.text + ".device";
        if (draw_.chance(25)) result.text += ", dtype=" + v.text + ".dtype";
        result.text += "))";
        return result;
      }
      case 1:
        page_.idioms.note("operator:add");
        result.text = v.text + " + " + v.text;
        result.range.size += 1;
        result.range.from *= 2;
        result.range.to *= 2;
        return result;
      default: {
        const bool most = draw_.chance(50);
        const int kernel = draw_.of({2, 2, 4});
        page_.idioms.note(most ? "operator:max_pool" : "operator:avg_pool");
        result.range.exact = false;
        result.shape[1] = derived_letter(page_.sizes, page_.sizes[v.shape[1]] / kernel);
        const std::string made = std::string(most ? "nn.MaxPool1d(" : "nn.AvgPool1d(") +
                                 std::string(draw_.chance(60) ? "kernel_size=" : "") +
                                 page_.constructor_number(page_.model, std::to_string(kernel), "kernel") + ")";
        result.text = page_.attribute(page_.model, "pool", made) + "(" + v.text + ".unsqueeze(1)).squeeze(1)";
        return result;
      }
    }
  }

  Value norm(Value v, bool image) {
    const std::string dims = std::to_string(v.shape.size() - 2);
    Value result{.text = {}, .shape = v.shape, .range = {.size = 3}, .fresh = true};
    if (v.range.size > 4) v = formula_.tame(std::move(v));
    // A variance of a few numbers only is a bad divisor.
    const std::int64_t count = page_.sizes.product(v.shape) / page_.sizes[v.shape[1]];
    if (!v.range.varied || (image && count / page_.sizes['B'] < 4) || count < 8)
      return formula_.activation(std::move(v));
    if (!image) {
      const bool batch = v.shape.size() == 2 && draw_.chance(40);
      page_.idioms.note(batch ? "operator:batch_norm" : "operator:layer_norm");
      if (v.shape.size() == 2 && !batch && draw_.chance(30)) return group_norm(std::move(v));
      const std::string size = page_.size_text(page_.model, v.shape.back());
      const std::string kind = batch ? "nn.BatchNorm1d(" : "nn.LayerNorm(";
      result.text = page_.attribute(page_.model, batch ? "bn" : "norm", kind + size + ")") + "(" + v.text + ")";
      return result;
    }
    switch (draw_.weighted({5, 4, 2, 1})) {
      case 0: {
        page_.idioms.note("operator:batch_norm");
        const std::string size = page_.size_text(page_.model, v.shape[1]);
        result.text =
            page_.attribute(page_.model, "bn", "nn.BatchNorm" + dims + "d(" + size + ")") + "(" + v.text + ")";
        return result;
      }
      case 1:
        return group_norm(std::move(v));
      case 2: {
        page_.idioms.note("operator:instance_norm");
        const std::string size = page_.size_text(page_.model, v.shape[1]);
        result.text =
            page_.attribute(page_.model, "norm",
                            "nn.InstanceNorm" + dims + "d(" + size + (draw_.chance(25) ? ", affine=True)" : ")")) +
            "(" + v.text + ")";
        for (std::size_t at = 2; at < v.shape.size(); ++at)
          if (page_.sizes[v.shape[at]] < 2) return formula_.activation(std::move(v));
        return result;
      }
      default: {
        page_.idioms.note("operator:layer_norm");
        std::string sizes;
        for (std::size_t at = 1; at < v.shape.size(); ++at)
          sizes += (at > 1 ? ", " : "") + std::to_string(page_.sizes[v.shape[at]]);
        result.text = page_.attribute(page_.model, "norm", "nn.LayerNorm([" + sizes + "])") + "(" + v.text + ")";
        return result;
      }
    }
  }

  Value group_norm(Value v) {
    const int channels = page_.sizes[v.shape[1]];
    const int groups = channels % 4 == 0 && draw_.chance(50) ? 4 : channels % 2 == 0 ? 2 : 1;
    if (channels / groups < 4 && v.shape.size() == 2) return formula_.activation(std::move(v));
    page_.idioms.note("operator:group_norm");
    const std::string number = page_.constructor_number(page_.model, std::to_string(groups), "groups");
    const std::string size = page_.size_text(page_.model, v.shape[1]);
    return {
        .text = page_.attribute(page_.model, "norm", "nn.GroupNorm(" + number + ", " + size + ")") + "(" + v.text + ")",
        .shape = v.shape,
        .range = {.size = 3},
        .fresh = true};
  }

  Value pool(Value v) {
    const std::size_t dims = v.shape.size() - 2;
    const std::string suffix = std::to_string(dims) + "d";
    int least = 1 << 20;
    for (std::size_t at = 2; at < v.shape.size(); ++at) least = std::min(least, page_.sizes[v.shape[at]]);
    Value result = v;
    result.plain = false;
    result.fresh = true;
    result.range.exact = false;
    const bool adaptive = draw_.chance(30) || least < 3;
    const bool most = draw_.chance(55);
    const std::string kind = most ? "Max" : "Avg";
    if (adaptive) {
      const std::string one = draw_.chance(60) || dims == 1 ? "1" : dims == 2 ? "(1, 1)" : "(1, 1, 1)";
      page_.idioms.note(most ? "operator:adaptive_max_pool" : "operator:adaptive_avg_pool");
      for (std::size_t at = 2; at < v.shape.size(); ++at) result.shape[at] = '1';
      if (draw_.chance(page_.style.module_form + 20)) {
        result.text = page_.attribute(page_.model, "pool", "nn.Adaptive" + kind + "Pool" + suffix + "(" + one + ")") +
                      "(" + v.text + ")";
      } else {
        result.text = page_.functional(most ? "adaptive_max_pool" + suffix : "adaptive_avg_pool" + suffix) + "(" +
                      v.text + ", " + one + ")";
      }
      return result;
    }
    const int kernel = draw_.of({2, 2, 2, 3});
    const int stride = kernel == 3 ? draw_.of({1, 2, 3}) : 2;
    const int padding = kernel == 3 && draw_.chance(30) ? 1 : 0;
    page_.idioms.note(most ? "operator:max_pool" : "operator:avg_pool");
    for (std::size_t at = 2; at < v.shape.size(); ++at)
      result.shape[at] = derived_letter(page_.sizes, (page_.sizes[v.shape[at]] + 2 * padding - kernel) / stride + 1);
    if (draw_.chance(page_.style.module_form + 20)) {
      std::string inside = page_.constructor_number(page_.model, std::to_string(kernel), "kernel");
      if (stride != kernel || draw_.chance(30)) inside += ", stride=" + std::to_string(stride);
      if (padding != 0) inside += ", padding=1";
      result.text = page_.attribute(page_.model, "pool", "nn." + kind + "Pool" + suffix + "(" + inside + ")") + "(" +
                    v.text + ")";
    } else {
      std::string inside = (draw_.chance(40) ? "kernel_size=" : "") + std::to_string(kernel);
      if (stride != kernel || draw_.chance(30)) inside += ", stride=" + std::to_string(stride);
      if (padding != 0) inside += ", padding=1";
      result.text =
          page_.functional(most ? "max_pool" + suffix : "avg_pool" + suffix) + "(" + v.text + ", " + inside + ")";
    }
    return result;
  }

  Value residual(Value v) {
    page_.idioms.note("form:residual");
    if (!saved_name_.empty() && saved_shape_ == v.shape && v.text != saved_name_) {
      return formula_.binary(std::move(v),
                             {.text = saved_name_, .shape = saved_shape_, .range = {.size = 3}, .plain = true});
    }
    const std::string name = body_.new_name("residual");
    if (draw_.chance(30)) {
      body_.line(name + " = " + v.text + std::string(v.plain ? draw_.word({"", ".clone()", ".clone().detach()"}) : ""));
      saved_name_ = name;
      saved_shape_ = v.shape;
      if (!v.plain) {
        v.text = name;
        v.plain = true;
      }
      v.fresh = false;
      return formula_.activation(std::move(v));
    }
    v = formula_.plain(std::move(v), "out");
    saved_name_ = v.text;
    saved_shape_ = v.shape;
    v = formula_.activation(std::move(v));
    name_ = body_.new_name("out");
    v = formula_.settle(std::move(v), "out", name_);
    v = formula_.scalar_step(std::move(v));
    return formula_.binary(std::move(v),
                           {.text = saved_name_, .shape = saved_shape_, .range = {.size = 3}, .plain = true});
  }

  Value dropout(Value v) {
    page_.idioms.note("operator:dropout");
    v.text =
        page_.attribute(page_.model, "dropout", "nn.Dropout(" + std::string(draw_.word({"0.0", "p=0.0", "0"})) + ")") +
        "(" + v.text + ")";
    v.plain = false;
    v.fresh = false;
    return keep(std::move(v));
  }

  Value reduction(Value v) {
    if (v.shape.size() >= 3 && draw_.chance(40)) {
      page_.idioms.note("operator:flatten");
      int size = 1;
      for (std::size_t at = 1; at < v.shape.size(); ++at) size *= page_.sizes[v.shape[at]];
      v.text = draw_.chance(50)   ? "torch.flatten(" + v.text + ", 1)"
               : draw_.chance(50) ? bracketed(v) + ".flatten(1)"
                                  : bracketed(v) + ".flatten(start_dim=1)";
      v.shape = Letters(1, v.shape[0]) + derived_letter(page_.sizes, size);
      v.plain = v.fresh = false;
      return v;
    }
    const std::vector<int> axes = formula_.some_axes(v.shape);
    if (axes.empty()) return formula_.activation(std::move(v));
    std::string_view op = draw_.word({"mean", "mean", "sum", "amax", "amin", "logsumexp"});
    wide_ = v.shape;
    return formula_.tame(formula_.reduce(op, v, axes, draw_.chance(85) || v.shape.size() - axes.size() < 2));
  }

  std::string name_, saved_name_;
  Letters saved_shape_;
  Letters wide_;  // before the last reduction
};

}  // namespace

void write_fusion(Page& page) {
  FusionWriter(page).write();
}

}  // namespace tritonrl::teacher
