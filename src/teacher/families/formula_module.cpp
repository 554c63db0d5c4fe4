#include "teacher/families/formula.h"
#include "teacher/families/modules.h"

namespace tritonrl::teacher {

namespace {

// A shape that broadcasts against the main one, or the same.
Letters related_shape(Draw& draw, const Letters& shape) {
  Letters result = shape;
  switch (draw.weighted({6, 2, 2})) {
    case 0:
      return result;
    case 1:
      result[static_cast<std::size_t>(draw.below(static_cast<int>(shape.size())))] = '1';
      return result;
    default:
      return shape.size() > 1 ? shape.substr(1) : shape;
  }
}

}  // namespace

Value through_helper(Page& page, const Value& v, bool method) {
  Draw& draw = page.draw;
  page.idioms.note(method ? "form:helper_method" : "form:helper_function");
  NameSet names;
  std::string lines, text;
  NameSet& place = method ? page.model.names : page.file_names;
  const std::string name = draw_name(draw, page.style,
                                     draw.word({"transform", "compute", "helper", "scale_fn", "apply_fn", "mix",
                                                "squash", "_inner", "step_fn", "prepare", "score"}),
                                     NameRole::kFunction, place);
  const std::string argument = draw_name(draw, page.style, "x", NameRole::kLocal, method ? page.model.names : names);
  Body inner{.page = page,
             .owner = method ? &page.model : nullptr,
             .lines = lines,
             .indent = method ? 8 : 4,
             .names = method ? page.model.names : names};
  Formula formula(inner);
  Value start = v;
  start.text = argument;
  start.plain = true;
  Value result = formula.dense(start, {start}, draw.between(2, 6), argument);
  const std::string hint = page.style.hints ? ": torch.Tensor" : "";
  text = method ? "\n    def " + name + "(self, " + argument + hint + "):\n"
                : "\n\ndef " + name + "(" + argument + hint + "):\n";
  text += lines;
  add_line(text, inner.indent, "return " + result.text);
  (method ? page.model.methods : page.top) += text;
  result.text = (method ? "self." + name : name) + "(" + v.text + ")";
  return computed(std::move(result));
}

void write_formula_module(Page& page) {
  Draw& draw = page.draw;
  page.idioms.note("template:formula");
  const Letters shape(
      draw.word({"BD", "BD", "BTD", "BTD", "BCHW", "BCHW", "BCL", "BN", "BNN", "BKHW", "BCPHW", "BTK", "L"}));
  page.sizes.need(shape);
  page.sizes.fix();
  std::vector<Value> scope;
  const int count = draw.of({1, 1, 2, 2, 3, 4});
  for (int at = 0; at < count; ++at) {
    const Letters own = at == 0 ? shape : related_shape(draw, shape);
    const InputKind kind = draw.chance(75) ? InputKind::kNormal : InputKind::kUniform;
    const std::string name = page.input(at == 0 ? "x" : "y", own, kind);
    scope.push_back({.text = name, .shape = own, .range = input_range(page, kind), .plain = true});
  }
  Body body{.page = page, .owner = &page.model, .lines = page.model.forward, .indent = 8, .names = page.model.names};
  Formula formula(body);
  Value v = scope.front();
  if (draw.chance(18)) v = through_helper(page, v, draw.chance(50));
  const int operators = draw.of({2, 3, 3, 4, 5, 6, 7, 8, 10});
  v = formula.dense(std::move(v), scope, operators, draw.chance(50) ? scope.front().text : std::string());
  for (std::size_t at = 1; at < scope.size(); ++at)
    if (page.model.forward.find(scope[at].text) == std::string::npos &&
        v.text.find(scope[at].text) == std::string::npos) {
      Value other = draw.chance(50) ? scope[at] : formula.unary(scope[at]);
      v = formula.tame(std::move(v));
      v = formula.binary(std::move(v), std::move(other));
    }
  if (draw.chance(22)) v = formula.reduced(std::move(v));
  if (draw.chance(16) && !v.shape.empty()) {
    v = formula.whole(std::move(v));
    if (draw.chance(25)) v = formula.scalar_step(std::move(v));
  }
  if (draw.chance(10) && count > 1) {
    Value second = formula.dense(scope.back(), scope, draw.between(1, 4));
    body.line("return " + v.text + ", " + second.text);
    page.idioms.note("form:two_results");
    return;
  }
  if (!v.plain && draw.chance(35)) v = formula.settle(std::move(v), "out");
  body.line("return " + v.text);
}

}  // namespace tritonrl::teacher
