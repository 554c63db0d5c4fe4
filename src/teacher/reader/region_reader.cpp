#include "teacher/reader/region_reader.h"

#include <algorithm>

#include "syntax/unparse.h"

namespace tritonrl::teacher {

using syntax::SyntaxNode;

namespace {

bool fits_kernel(program::DType dtype) {
  using enum program::DType;
  switch (dtype) {
    case kFloat32:
    case kFloat16:
    case kBFloat16:
    case kInt64:
    case kInt32:
    case kInt16:
    case kInt8:
    case kUInt8:
    case kBool:
      return true;
    default:
      return false;
  }
}

bool is_number_constant(const SyntaxNode& node) {
  const syntax::SyntaxValue* value = node.is("Constant") ? node.field("value") : nullptr;
  return value != nullptr && (std::holds_alternative<std::int64_t>(*value) || std::holds_alternative<double>(*value));
}

std::string number_text(double value) {
  SyntaxNode constant;
  constant.kind = "Constant";
  constant.fields.emplace_back("value", value);
  return syntax::unparse(constant);
}

bool is_literal(const SyntaxNode& node) {
  if (node.is("UnaryOp") && node.node("op") != nullptr && node.node("op")->is("USub")) {
    return is_number_constant(*node.node("operand"));
  }
  return is_number_constant(node);
}

}  // namespace

void RegionReader::say(int step, std::string text) {
  spoken_.resize(graph_.steps.size());
  spoken_[static_cast<std::size_t>(step)] = std::move(text);
}

void RegionReader::say_operator(int step, std::string text) {
  if (context_.options.plan == PlanForm::kNested) return say(step, std::move(text));
  const auto unnamed = std::ranges::count(plan_lines_, false, &PlanLine::named);
  std::string name = "_" + std::to_string(unnamed + 1);
  say(step, name);
  plan_lines_.push_back({step, false, std::move(name), std::move(text)});
}

std::string RegionReader::plan_lines(int returned) const {
  std::string out;
  for (std::size_t i = 0; i < plan_lines_.size(); ++i) {
    const PlanLine& line = plan_lines_[i];
    const bool last = i + 1 == plan_lines_.size() && line.step == returned;
    out += (out.empty() ? "" : "\n") + (last ? "" : line.name + " = ") + line.text;
  }
  return out;
}

std::string RegionReader::plan_of(int step) const {
  return context_.options.plan == PlanForm::kNested ? spoken(step) : plan_lines(step);
}

void RegionReader::assign(std::string_view name, int step) {
  names_.insert_or_assign(std::string(name), step);
  if (!plan_lines_.empty() && plan_lines_.back().step == step && !plan_lines_.back().named) {
    plan_lines_.back().named = true;
    plan_lines_.back().name = name;
  } else if (context_.options.plan == PlanForm::kLines) {
    plan_lines_.push_back({step, true, std::string(name), spoken(step)});
  }
  say(step, std::string(name));
}

int RegionReader::assigned(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? -1 : found->second;
}

bool RegionReader::depends_on_assigned(const SyntaxNode& expression) const {
  bool depends = false;
  walk(expression, [&](const SyntaxNode& node) { depends = depends || (node.is("Name") && assigns(node.text("id"))); });
  return depends;
}

const Bound* RegionReader::bind(const SyntaxNode& expression) const {
  const auto found = context_.bounds.find(&expression);
  if (found != context_.bounds.end()) return found->second ? &*found->second : nullptr;
  const std::optional<Bound>& made = context_.bounds[&expression] = bind_anew(expression);
  return made ? &*made : nullptr;
}

std::optional<Bound> RegionReader::bind_anew(const SyntaxNode& expression) const {
  const Facts& facts = context_.facts;
  if (expression.is("BinOp") || expression.is("UnaryOp") || expression.is("Compare") || expression.is("AugAssign")) {
    return bind_sign(expression, facts);
  }
  if (expression.is("Attribute") || expression.is("Subscript")) {
    // torch.max(x, dim).values, x.max(1)[0]
    const SyntaxNode* base = expression.node("value");
    if (base == nullptr || !base->is("Call")) return std::nullopt;
    const SyntaxNode* place = expression.is("Subscript") ? expression.node("slice") : nullptr;
    const syntax::SyntaxValue* constant = place != nullptr && place->is("Constant") ? place->field("value") : nullptr;
    const bool first = constant != nullptr && *constant == syntax::SyntaxValue(std::int64_t{0});
    if (!first && expression.text("attr") != "values") return std::nullopt;
    const Bound* bound = bind(*base);
    if (bound == nullptr || (bound->op->name != "amax" && bound->op->name != "amin")) return std::nullopt;
    const Fact* whole = facts.of(base);
    return whole != nullptr && whole->is_tensor() ? std::nullopt : std::optional(*bound);
  }
  if (!expression.is("Call")) return std::nullopt;
  const SyntaxNode* callee = expression.node("func");
  if (callee == nullptr) return std::nullopt;
  if (const Fact* fact = facts.of(callee); fact != nullptr && fact->kind == Fact::Kind::kModule) {
    return bind_module(expression, facts);
  }
  if (const std::string path = context_.imports.path_of(callee); !path.empty()) {
    return bind_call(expression, path, facts);
  }
  // A function of torch that a run found under another name: self.act = F.gelu.
  if (const Fact* fact = facts.of(callee);
      fact != nullptr && fact->kind == Fact::Kind::kOther && fact->text.starts_with("torch.")) {
    return bind_call(expression, fact->text, facts);
  }
  if (!callee->is("Attribute")) return std::nullopt;
  const Fact* receiver = facts.of(callee->node("value"));
  if (receiver == nullptr || !receiver->is_tensor()) return std::nullopt;
  return bind_call(expression, "." + std::string(callee->text("attr")), facts);
}

int RegionReader::read(const SyntaxNode& expression) {
  if (expression.is("Name")) {
    if (const int step = assigned(expression.text("id")); step >= 0) return step;
  }
  if (is_literal(expression)) {
    const int step = graph_.literal(syntax::unparse(expression));
    say(step, graph_.steps[static_cast<std::size_t>(step)].text);
    return step;
  }
  if (const SyntaxNode* number = number_inside(expression)) return makes_real(expression, *number) ? -1 : read(*number);
  const Fact* fact = context_.facts.of(&expression);
  if (fact == nullptr) return -1;
  const bool cut = context_.options.cuts != nullptr && context_.options.cuts->contains(&expression);
  if (fact->is_tensor() && !cut) {
    if (const int step = read_operator(expression); step >= 0) return step;
  }
  return read_leaf(expression);
}

// torch.tensor(1.5): it lies on the host, so the number itself is passed.
const SyntaxNode* RegionReader::number_inside(const SyntaxNode& expression) const {
  if (!expression.is("Call") || expression.nodes("args").size() != 1) return nullptr;
  const std::string path = context_.imports.path_of(expression.node("func"));
  if (path != "torch.tensor" && path != "torch.as_tensor" && path != "torch.scalar_tensor") return nullptr;
  const SyntaxNode* given = expression.nodes("args")[0];
  if (is_literal(*given)) return given;
  const Fact* fact = context_.facts.of(given);
  return fact != nullptr && (fact->kind == Fact::Kind::kInt || fact->kind == Fact::Kind::kFloat) ? given : nullptr;
}

// torch.tensor(3, dtype=torch.float32): the number itself would be another value in a kernel.
bool RegionReader::makes_real(const SyntaxNode& expression, const SyntaxNode& number) const {
  const Fact* made = context_.facts.of(&expression);
  const Fact* given = context_.facts.of(&number);
  return made != nullptr && program::is_floating(made->dtype) && given != nullptr && given->kind == Fact::Kind::kInt;
}

// Whether evaluating it changes a tensor that others read: it must happen where it stands.
bool RegionReader::must_change(const SyntaxNode& expression) const {
  if (context_.visible_changes.empty()) return false;
  bool found = false;
  walk(expression, [&](const SyntaxNode& node) { found = found || context_.visible_changes.contains(&node); });
  return found;
}

int RegionReader::read_leaf(const SyntaxNode& expression, bool channel) {
  if (expression.is("Name")) {
    if (const int step = assigned(expression.text("id")); step >= 0) return channel ? -1 : step;
  }
  if (is_literal(expression)) return read(expression);
  if (const SyntaxNode* number = number_inside(expression))
    return makes_real(expression, *number) ? -1 : read_leaf(*number);
  const Fact* fact = context_.facts.of(&expression);
  if (fact == nullptr || expression.is("Starred")) return -1;
  const bool number = fact->kind == Fact::Kind::kInt || fact->kind == Fact::Kind::kFloat;
  if (!number && !(fact->is_tensor() && fits_kernel(fact->dtype))) return -1;
  if (depends_on_assigned(expression) || must_change(expression)) return -1;
  Leaf leaf{.node = &expression};
  leaf.key = syntax::unparse(expression);
  leaf.channel = channel;
  leaf.fact = *fact;
  const std::string said = leaf.key;
  const int step = graph_.leaf_step(graph_.add_leaf(std::move(leaf)));
  say(step, said);
  return step;
}

int RegionReader::read_operator(const SyntaxNode& expression, std::string_view target) {
  const SyntaxNode* noted = &expression;
  if (expression.is("AugAssign")) {
    noted = expression.node("target");
    if (!noted->is("Name") || !(assigns(noted->text("id")) || context_.owned.contains(noted->text("id")))) return -1;
  }
  const Fact* fact = context_.facts.of(noted);
  if (fact == nullptr || !fact->is_tensor() || !fits_kernel(fact->dtype)) return -1;
  const Bound* bound = bind(expression);
  if (bound == nullptr || context_.visible_changes.contains(&expression)) return -1;
  if (context_.options.beyond_plans && context_.options.policy == KernelPolicy::kKernelBench) {
    if (const int step = read_unbiased(expression, *bound); step >= 0) return step;
  }
  const Graph::Mark before = graph_.mark();
  const std::size_t lines_before = plan_lines_.size();
  for (const bool shallow : {false, true}) {
    const int step = read_bound(*bound, shallow, target);
    if (step >= 0) {
      const Step& made = graph_.steps[static_cast<std::size_t>(step)];
      if (made.shape == fact->shape) return step;
    }
    graph_.back_to(before);
    spoken_.resize(graph_.steps.size());
    plan_lines_.resize(std::min(plan_lines_.size(), lines_before));
  }
  return -1;
}

bool RegionReader::changes_another(const Bound& bound, std::string_view target) const {
  const SyntaxNode* changed = bound.arguments.empty() ? nullptr : bound.arguments.front().node;
  const bool named = changed != nullptr && changed->is("Name");
  if (bound.in_place && (!named || changed->text("id") != target)) return true;
  const Bound::Argument* flag = bound.find("inplace");
  if (!bound.in_place && (flag == nullptr || flag->fact.integer == 0)) return false;
  return named && context_.aliased.contains(changed->text("id"));
}

int RegionReader::read_bound(const Bound& bound, bool shallow, std::string_view target) {
  if (changes_another(bound, target) || (context_.options.exact && !bound.op->exact)) return -1;
  if (updates_what_is_read(bound)) return -1;
  if (const Recipe* recipe = choose_recipe(bound)) return read_recipe(bound, *recipe, shallow);
  if (context_.options.policy == KernelPolicy::kStrict) return read_source(bound);
  return -1;
}

// A layer's convolution as what torch makes of it without the bias, and the bias.
int RegionReader::read_unbiased(const SyntaxNode& call, const Bound& bound) {
  const Bound::Argument* bias = bound.find("bias");
  const Fact* fact = context_.facts.of(&call);
  if (!bound.op->name.starts_with("conv") || bound.module == nullptr || bias == nullptr || bias->attribute.empty() ||
      !bias->fact.is_tensor() || fact == nullptr || bias->fact.dtype != fact->dtype) {
    return -1;
  }
  // without a batch channels are another dimension; an output_size is worth no words of ours
  const Fact &input = bound.arguments.front().fact, weight = bound.find("weight")->fact;
  const bool plain = call.nodes("args").size() == 1 && call.nodes("keywords").empty();
  if (!plain || input.shape.size() != weight.shape.size() || depends_on_assigned(call) || must_change(call)) return -1;
  const SyntaxNode& operand = *call.nodes("args").front();
  Leaf leaf{.node = &call, .key = syntax::unparse(call) + " without bias", .fact = *fact, .unbiased = true};
  const int convolved = graph_.leaf_step(graph_.add_leaf(std::move(leaf)));
  const int added = read_attribute(bound, *bias, true);
  const int step = added < 0 ? -1 : graph_.pointwise("$0 + $1", {convolved, added}, false);
  if (step < 0) return -1;
  graph_.operators.emplace_back("add");
  const std::string layer = syntax::unparse(*bound.module);
  say_operator(step, "add(" + std::string(bound.op->name) + "(" + syntax::unparse(operand) + ", " + layer +
                         ".weight), " + layer + ".bias)");
  return step;
}

int RegionReader::read_argument(const Bound& bound, const Bound::Argument& argument, bool shallow) {
  if (argument.node != nullptr && own_operand_ >= 0) return own_operand_;
  const bool channel = argument.fact.is_tensor() && argument.fact.shape.size() == 1 &&
                       lists(bound.op->channel_parameters, argument.parameter);
  if (argument.node != nullptr && channel) return read_leaf(*argument.node, true);
  if (argument.node != nullptr) return shallow ? read_leaf(*argument.node) : read(*argument.node);
  const Fact& fact = argument.fact;
  if (argument.attribute.empty()) {  // a default
    if (fact.kind == Fact::Kind::kInt) return graph_.literal(std::to_string(fact.integer));
    if (fact.kind == Fact::Kind::kFloat) return graph_.literal(number_text(fact.number));
    return -1;
  }
  return read_attribute(bound, argument, channel);
}

// Of a module: its weight, its slope.
int RegionReader::read_attribute(const Bound& bound, const Bound::Argument& argument, bool channel) {
  const Fact& fact = argument.fact;
  const bool number = fact.kind == Fact::Kind::kInt || fact.kind == Fact::Kind::kFloat;
  if (!number && !(fact.is_tensor() && fits_kernel(fact.dtype))) return -1;
  if (bound.module != nullptr && depends_on_assigned(*bound.module)) return -1;
  Leaf leaf{.node = bound.module, .path = argument.attribute};
  leaf.key =
      (bound.module == nullptr ? std::string("self") : syntax::unparse(*bound.module)) + "." + argument.attribute;
  leaf.fact = fact;
  leaf.channel = channel;
  const std::string said = leaf.key;
  const int step = graph_.leaf_step(graph_.add_leaf(std::move(leaf)));
  say(step, said);
  return step;
}

std::optional<RowSpec> RegionReader::rows_of(const Bound& bound, const Shape& shape) const {
  const int rank = static_cast<int>(shape.size());
  RowSpec spec;
  const auto run = [&](int first, int last) -> std::optional<RowSpec> {
    if (first < 0 || last >= rank || first > last) return std::nullopt;
    spec.first = first;
    spec.last = last;
    if (first == 0 && last == rank - 1) spec = {.form = RowSpec::Form::kAll};
    return spec;
  };
  switch (bound.op->rows) {
    case Rows::kNone:
      return std::nullopt;
    case Rows::kAll:
      return RowSpec{.form = RowSpec::Form::kAll};
    case Rows::kSpatial:
      return run(2, rank - 1);
    case Rows::kClasses:
      return rank == 1 ? run(0, 0) : run(1, 1);
    case Rows::kPerChannel:
      if (rank < 2) return std::nullopt;
      return RowSpec{.form = RowSpec::Form::kAround, .first = 1, .last = 1};
    case Rows::kGroups:
      return RowSpec{.form = RowSpec::Form::kGroups};
    case Rows::kLast: {
      const Bound::Argument* given = bound.find("normalized_shape");
      const bool several = given != nullptr && given->fact.kind == Fact::Kind::kList;
      const int length = several ? static_cast<int>(given->fact.items.size()) : 1;
      spec.trailing = length;
      return run(rank - length, rank - 1);
    }
    case Rows::kDim:
      break;
  }
  const Bound::Argument* given = bound.find("dim");
  if (given == nullptr || given->fact.kind == Fact::Kind::kNone) return RowSpec{.form = RowSpec::Form::kAll};
  std::vector<int> axes;
  const auto take = [&](const Fact& fact) {
    if (fact.kind != Fact::Kind::kInt || !fact.constant) return false;
    axes.push_back(static_cast<int>(fact.integer < 0 ? fact.integer + rank : fact.integer));
    return axes.back() >= 0 && axes.back() < rank;
  };
  if (given->fact.kind == Fact::Kind::kList) {
    for (const Fact& fact : given->fact.items) {
      if (!take(fact)) return std::nullopt;
    }
    if (axes.empty()) return RowSpec{.form = RowSpec::Form::kAll};
  } else if (!take(given->fact)) {
    return std::nullopt;
  } else {
    spec.written = static_cast<int>(given->fact.integer);
  }
  std::sort(axes.begin(), axes.end());
  const int first = axes.front(), last = axes.back();
  if (last - first + 1 == static_cast<int>(axes.size())) {
    if (axes.size() > 1) spec.written = 0;
    return run(first, last);
  }
  // All but some neighbours in the middle?
  std::vector<int> kept;
  for (int i = 0; i < rank; ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) kept.push_back(i);
  }
  if (kept.empty() || kept.back() - kept.front() + 1 != static_cast<int>(kept.size())) return std::nullopt;
  return RowSpec{.form = RowSpec::Form::kAround, .first = kept.front(), .last = kept.back()};
}

}  // namespace tritonrl::teacher
