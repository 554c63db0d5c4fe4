#include <algorithm>
#include <utility>

#include "syntax/unparse.h"
#include "teacher/reader/region_reader.h"

namespace tritonrl::teacher {

bool lists(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(", "), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 2, names.size()));
  }
  return false;
}

int RegionReader::read_recipe(const Bound& bound, const Recipe& recipe, bool shallow) {
  const Operator& op = *bound.op;
  const bool fresh = graph_.steps.empty();
  const std::size_t before = graph_.steps.size();
  const std::vector<RecipeStatement>& statements = statements_of(recipe);
  const auto uses = [&](std::string_view name) {
    for (const RecipeStatement& statement : statements) {
      for (const std::string& each : statement.names) {
        if (each == name) return true;
      }
    }
    return false;
  };

  std::vector<std::pair<std::string_view, int>> values;  // of names; the last one of a name holds
  const auto value_of = [&](std::string_view name) {
    for (std::size_t i = values.size(); i-- > 0;) {
      if (values[i].first == name) return values[i].second;
    }
    return -1;
  };
  values.reserve(bound.arguments.size() + statements.size());
  std::string said = std::string(op.name) + "(";
  std::vector<std::pair<std::string_view, int>> row_values;
  for (const Bound::Argument& argument : bound.arguments) {
    if (!uses(argument.parameter)) {  // dim, reduction, an exponent that chose the recipe
      if (argument.node == nullptr || argument.fact.is_tensor() || argument.parameter == "inplace") continue;
      said += (said.ends_with('(') ? "" : ", ") + syntax::unparse(*argument.node);
      continue;
    }
    int step = read_argument(bound, argument, shallow);
    if (step < 0) return -1;
    if (op.type == ResultType::kFloat && argument.fact.is_tensor() && !program::is_floating(argument.fact.dtype) &&
        !lists(op.row_parameters, argument.parameter)) {
      const std::string same = spoken_.size() > static_cast<std::size_t>(step) ? spoken(step) : "";
      step = graph_.pointwise("$0.to(tl.float32)", {step}, false);
      if (step < 0) return -1;
      say(step, same);
    }
    values.emplace_back(argument.parameter, step);
    if (lists(op.row_parameters, argument.parameter)) row_values.emplace_back(argument.parameter, step);
    const bool spelled = argument.node != nullptr || !argument.attribute.empty();
    if (!spelled) continue;
    spoken_.resize(graph_.steps.size());
    said += (said.ends_with('(') ? "" : ", ") + spoken_[static_cast<std::size_t>(step)];
  }
  if (values.empty()) return -1;

  std::optional<RowSpec> spec;
  if (op.rows != Rows::kNone) {
    const int reduced = value_of(bound.arguments.front().parameter);
    if (reduced < 0) return -1;
    spec = rows_of(bound, graph_.steps[static_cast<std::size_t>(reduced)].shape);
    bool needs = false;
    for (const RecipeStatement& statement : statements) {
      needs = needs || statement.kind != RecipeStatement::Kind::kExpression || uses("count") || uses("place");
    }
    if (!needs) spec.reset();  // batch norm with given statistics
    if (needs && !spec) return -1;
    if (spec && spec->form == RowSpec::Form::kGroups) {
      const Bound::Argument* groups = bound.find("num_groups");
      const int step = groups == nullptr ? -1 : read_argument(bound, *groups, true);
      if (step < 0) return -1;
      const Step& made = graph_.steps[static_cast<std::size_t>(step)];
      spec->groups =
          made.kind == Step::Kind::kLiteral ? made.text : "@" + graph_.leaves[static_cast<std::size_t>(made.leaf)].key;
    }
  }

  bool settled_rows = row_values.empty();
  int value = -1;
  for (const RecipeStatement& statement : statements) {
    std::vector<int> operands;
    operands.reserve(statement.names.size());
    for (const std::string& name : statement.names) {
      if (name == "count" || name == "place") {
        operands.push_back(graph_.number_step(name == "count" ? Step::Kind::kCount : Step::Kind::kPlace));
        continue;
      }
      operands.push_back(value_of(name));
      if (operands.back() < 0) return -1;
    }
    if (graph_.rows && !settled_rows) {
      for (const auto& [name, step] : row_values) {
        if (!graph_.settle_as_row(step)) return -1;
      }
      settled_rows = true;
    }
    switch (statement.kind) {
      case RecipeStatement::Kind::kReduce:
        value = graph_.reduce(statement.text, operands[0], *spec);
        break;
      case RecipeStatement::Kind::kScan:
        value = graph_.scan(statement.text, operands[0], *spec);
        break;
      case RecipeStatement::Kind::kExpression:
        if (statement.text == "$0") {
          value = operands[0];
        } else {
          value = graph_.pointwise(statement.text, std::move(operands), statement.truth);
        }
        break;
    }
    if (value < 0) return -1;
    if (!statement.target.empty()) values.emplace_back(statement.target, value);
  }

  const Bound::Argument* keeps = bound.find("keepdim");
  const Step& made = graph_.steps[static_cast<std::size_t>(value)];
  if (spec && made.domain == Domain::kRow && made.settled) {
    const bool kept = keeps != nullptr && keeps->fact.kind == Fact::Kind::kBool && keeps->fact.integer != 0;
    if (!kept) value = graph_.drop_rows(value, before);
    if (value < 0) return -1;
  }
  graph_.operators.emplace_back(op.name);
  if (op.then == "reduction") {
    const Bound::Argument* how = bound.find("reduction");
    if (how == nullptr || how->fact.kind != Fact::Kind::kText || !how->fact.constant) return -1;
    if (how->fact.text != "none") {
      const std::string inner = said + ")";
      if (op.rows == Rows::kNone || !graph_.rows) {
        say_operator(value, inner);
        value = reduce_all(value, how->fact.text);
      } else {
        // Rows first, then everything: the second reduction starts from the first one's result.
        auto region = std::make_shared<InnerRegion>();
        say_operator(value, inner);
        region->spoken = plan_of(value);
        plan_lines_.clear();
        region->output = value;
        region->graph = graph_;
        if (!region->graph.finish({value})) return -1;
        if (!fresh || !names_.empty()) return -1;
        Leaf leaf;
        leaf.key = inner;
        leaf.fact = Fact::tensor(program::DType::kFloat32, region->graph.steps[static_cast<std::size_t>(value)].shape);
        leaf.inner = region;
        std::vector<std::string> operators = graph_.operators;
        graph_ = Graph();
        graph_.operators = std::move(operators);
        spoken_.clear();
        value = graph_.leaf_step(graph_.add_leaf(std::move(leaf)));
        say(value, "_");
        value = reduce_all(value, how->fact.text);
      }
      if (value < 0) return -1;
      const bool nested = plan_lines_.empty();
      said = std::string(how->fact.text) + "(" + (nested ? inner : plan_lines_.back().name);
    }
  }
  say_operator(value, said + ")");
  return value;
}

int RegionReader::reduce_all(int value, std::string_view how) {
  if (how != "sum" && how != "mean" && how != "batchmean") return -1;
  if (graph_.steps[static_cast<std::size_t>(value)].shape.empty()) return value;
  int out = graph_.reduce("sum", value, {.form = RowSpec::Form::kAll});
  if (out < 0) return -1;
  if (how == "batchmean") out = graph_.pointwise("$0 / $1", {out, graph_.number_step(Step::Kind::kBatch)}, false);
  if (how == "mean") out = graph_.pointwise("$0 / $1", {out, graph_.number_step(Step::Kind::kCount)}, false);
  return out < 0 ? -1 : graph_.drop_rows(out, static_cast<std::size_t>(out));
}

bool RegionReader::add_whole(const Bound& bound, const Bound::Argument& argument, const syntax::SyntaxNode* node,
                             std::string* said) {
  const bool own = node != nullptr && own_fact_.is_tensor();  // the operand of read_module
  if (node != nullptr && depends_on_assigned(*node)) return false;
  Leaf leaf{.node = own ? nullptr : node != nullptr ? node : bound.module};
  leaf.fact = argument.fact;
  if (node == nullptr) {
    leaf.path = argument.attribute;
    leaf.key =
        (bound.module == nullptr ? std::string("self") : syntax::unparse(*bound.module)) + "." + argument.attribute;
  } else {
    leaf.key = syntax::unparse(*node);
    if (const Fact* fact = context_.facts.of(node)) leaf.fact = *fact;
  }
  leaf.whole = true;
  if (leaf.fact.is_tensor()) *said += (said->ends_with('(') ? "" : ", ") + leaf.key;
  const std::size_t before = graph_.leaves.size();
  // The same tensor twice would be one name for two operands.
  return graph_.add_leaf(std::move(leaf)) == static_cast<int>(before);
}

int RegionReader::read_source(const Bound& bound) {
  const std::vector<Fact> facts = result_facts(bound);
  if (facts.size() != 1 || !facts[0].is_tensor() || graph_.source >= 0 || graph_.rows) return -1;
  const std::vector<std::string_view> parameters = source_parameters(bound);
  std::vector<NamedArgument> names;
  for (const std::string_view parameter : parameters) {
    names.push_back({parameter, std::string(parameter) + std::to_string(names.size())});
  }
  if (names.empty() || !source_kernel(bound, names, context_.options.variant)) return -1;
  std::string said = std::string(bound.op->name) + "(";
  std::string_view previous;
  for (const std::string_view parameter : parameters) {
    const Bound::Argument* argument = bound.find(parameter);
    if (argument == nullptr) return -1;
    if (std::exchange(previous, parameter) == parameter) continue;  // all of its tensors came with the first
    for (const syntax::SyntaxNode* node : argument->nodes) {
      if (!add_whole(bound, *argument, node, &said)) return -1;
    }
    const bool given =
        argument->node != nullptr || !argument->attribute.empty();  // else a default: the writer spells it
    if (argument->fact.kind == Fact::Kind::kNone || !given || !argument->nodes.empty()) continue;
    if (!add_whole(bound, *argument, argument->node, &said)) return -1;
  }
  const int step = graph_.add_source(bound, facts[0].shape);
  if (step < 0) return -1;
  graph_.operators.emplace_back(bound.op->name);
  say_operator(step, said + ")");
  return step;
}

}  // namespace tritonrl::teacher
