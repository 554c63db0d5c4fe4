#include <algorithm>

#include "teacher/reader/rewriter.h"

namespace tritonrl::teacher {

using syntax::same_word;
using syntax::SyntaxNode;

namespace {

bool is_plain(const SyntaxNode& node) {
  if (node.is("Name") || node.is("Constant")) return true;
  return node.is("Attribute") && is_plain(*node.node("value"));
}

bool is_expression(const SyntaxNode& node) {
  return node.is("BinOp") || node.is("UnaryOp") || node.is("Compare") || node.is("Call") || node.is("Subscript") ||
         node.is("Attribute");
}

// What is evaluated later, not at all, or many times: nothing of it can be computed before.
bool is_apart(const SyntaxNode& node) {
  return node.is("IfExp") || node.is("BoolOp") || node.is("ListComp") || node.is("GeneratorExp") ||
         node.is("SetComp") || node.is("DictComp");
}

}  // namespace

Rewriter::Node Rewriter::expression(Node node, Before before) {
  if (node == nullptr || node->is("Lambda") || node->is("JoinedStr")) return node;
  if (is_expression(*node)) {
    const Fact* fact = facts_.of(node);
    if (fact != nullptr && fact->is_tensor()) {
      RegionReader reader(context_);
      const int step = reader.read_operator(*node);
      if (step >= 0) {
        const std::vector<RegionOutput> outputs = {{step, fact->dtype}};
        if (reader.graph().finish({step})) {
          if (const Node call =
                  region_call(std::move(reader.graph()), outputs, reader.plan_of(step), node->line, before))
            return call;
        }
      }
      if (stays_in_torch(*node, reader)) ++left_in_torch_;
    } else if (fact != nullptr && fact->kind == Fact::Kind::kList && stays_in_torch(*node, RegionReader(context_))) {
      ++left_in_torch_;  // torch.max(x, 1): values and places
    }
  }
  return children(*node, is_apart(*node) ? nullptr : before);
}

// Whether the expression, which gives a tensor, makes torch compute. What the table does not know is assumed to.
bool Rewriter::stays_in_torch(const SyntaxNode& expression, const RegionReader& reader) const {
  if (const Bound* bound = reader.bind(expression)) return bound->op->computes;
  if (!expression.is("Call")) return false;
  const SyntaxNode* callee = expression.node("func");
  if (imports_.path_of(callee).starts_with("torch.")) return true;
  if (callee->is("Name")) return callee->text("id") == "sum" && !defines(callee->text("id"));
  const Fact* fact = facts_.of(callee);
  if (fact != nullptr && fact->kind == Fact::Kind::kModule) return computes_itself(fact) && !defines(fact->text);
  const Fact* receiver = callee->is("Attribute") ? facts_.of(callee->node("value")) : nullptr;
  return receiver != nullptr && receiver->is_tensor();
}

bool Rewriter::defines(std::string_view name) const {
  const Nodes& statements = module_.nodes("body");
  return std::any_of(statements.begin(), statements.end(),
                     [&](Node statement) { return statement->text("name") == name; });
}

Rewriter::Node Rewriter::children(const SyntaxNode& node, Before before) {
  return with_children(&node, [&](std::string_view name, Node child) {
    const bool kept = same_word(name, "ctx") || same_word(name, "op") || same_word(name, "ops") ||
                      same_word(name, "annotation") || same_word(name, "targets") || same_word(name, "target") ||
                      same_word(name, "generators");
    return kept ? child : expression(child, before);
  });
}

Rewriter::Node Rewriter::argument(const Leaf& leaf, Before before) {
  Node value = nullptr;
  if (leaf.inner) {
    const InnerRegion& inner = *leaf.inner;
    value = region_call(inner.graph, {{inner.output, leaf.fact.dtype}}, inner.spoken, 0, before);
    if (value == nullptr) return nullptr;
  } else if (leaf.node == nullptr) {  // a class of its own
    value = leaf.path.empty() ? arena_.name("x") : arena_.dotted("self." + leaf.path);
    return value;
  } else {
    value = expression(leaf.node, before);
    if (leaf.unbiased) value = without_bias(value, facts_.of(leaf.node->node("func"))->text);
    for (std::size_t from = 0; from < leaf.path.size();) {
      const std::size_t end = std::min(leaf.path.find('.', from), leaf.path.size());
      value = arena_.attribute(value, leaf.path.substr(from, end - from));
      from = end + 1;
    }
  }
  if (is_plain(*value) || before == nullptr) return value;
  const std::string name = fresh_name("t", temporaries_);
  before->push_back(arena_.assign(arena_.name_target(name), value));
  return arena_.name(name);
}

// self.conv(x) as the function that the layer would call, but for the bias.
Rewriter::Node Rewriter::without_bias(Node call, std::string_view layer) {
  const bool transposed = layer.find("Transpose") != std::string_view::npos;
  const Node module = call->node("func");
  Nodes arguments = {call->nodes("args").front(), arena_.attribute(module, "weight"), arena_.none(),
                     arena_.attribute(module, "stride"), arena_.attribute(module, "padding")};
  if (transposed) arguments.push_back(arena_.attribute(module, "output_padding"));
  const std::pair<Node, Node> last = {arena_.attribute(module, "groups"), arena_.attribute(module, "dilation")};
  arguments.push_back(transposed ? last.first : last.second);
  arguments.push_back(transposed ? last.second : last.first);
  std::string function = transposed ? "torch.conv_transpose" : "torch.conv";
  for (const char c : layer) {
    if (c >= '1' && c <= '3') function += {c, 'd'};
  }
  return arena_.call(arena_.dotted(function), std::move(arguments));
}

Rewriter::Node Rewriter::region_call(Graph graph, const std::vector<RegionOutput>& outputs, const std::string& plan,
                                     int line, Before before) {
  if (options_.left_out.contains(line)) return nullptr;
  // x.float() of what is float32 already: a kernel would copy it.
  const bool only_casts = !graph.operators.empty() &&
                          std::ranges::all_of(graph.operators, [](const std::string& name) { return name == "to"; });
  if (only_casts && graph.leaves.size() == 1 && graph.leaves[0].fact.dtype == outputs.back().dtype) return nullptr;
  // a bias alone: a pass of torch's for one of ours
  const auto unbiased = std::ranges::count(graph.leaves, true, &Leaf::unbiased);
  if (unbiased > 0 && unbiased == static_cast<std::ptrdiff_t>(graph.operators.size())) return nullptr;
  const Schedule* chosen = options_.regions == nullptr ? nullptr : options_.regions->of(plan);
  if (options_.regions != nullptr && chosen == nullptr) return nullptr;
  name_leaves(graph);
  Schedule own(options_.variant);
  own.constant_divisors = options_.beyond_plans;
  const std::optional<RegionText> text = region_text(graph, outputs, chosen == nullptr ? own : *chosen);
  if (!text) return nullptr;
  if (const std::string word = chosen == nullptr ? "" : not_taken(*chosen, text->taken); !word.empty()) {
    options_.regions->refused(
        plan, word + " cannot be had by a region of kind " + text->kind + " here, which has " + to_text(text->taken));
    return nullptr;
  }
  const std::size_t hoisted = before == nullptr ? 0 : before->size();
  const int temporaries = temporaries_;
  Nodes arguments;
  // Inner regions first: kernels are numbered in the order in which they run.
  for (const Leaf& leaf : graph.leaves) {
    const Node made = argument(leaf, before);
    if (made == nullptr) {
      if (before != nullptr) before->resize(hoisted);
      temporaries_ = temporaries;
      return nullptr;
    }
    arguments.push_back(made);
  }
  const std::optional<int> number = add_kernel(*text, plan, graph, line);
  if (!number) {
    if (before != nullptr) before->resize(hoisted);
    temporaries_ = temporaries;
    return nullptr;
  }
  return arena_.call(arena_.name("fused" + std::to_string(*number)), arguments);
}

}  // namespace tritonrl::teacher
