#include "teacher/families/taken_branches.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "teacher/families/unneeded.h"
#include "teacher/reader/imports.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxArena;
using syntax::SyntaxNode;
using Node = const SyntaxNode*;
using Nodes = std::vector<Node>;

template <std::size_t N>
bool is_any(const SyntaxNode& node, const std::array<std::string_view, N>& kinds) {
  return std::ranges::any_of(kinds, [&](std::string_view kind) { return node.is(kind); });
}

bool is_function(const SyntaxNode& node) {
  return node.is("FunctionDef") || node.is("AsyncFunctionDef");
}

// What ends a list of statements.
bool leaves(const SyntaxNode& statement) {
  return is_any(statement, std::to_array<std::string_view>({"Return", "Raise", "Continue", "Break"}));
}

std::optional<bool> truth_of(const Fact& fact) {
  using Kind = Fact::Kind;
  if (fact.kind == Kind::kNone) return false;
  if (fact.kind == Kind::kModule) return true;
  if (!fact.constant) return std::nullopt;
  if (fact.kind == Kind::kBool || fact.kind == Kind::kInt) return fact.integer != 0;
  if (fact.kind == Kind::kFloat) return fact.number != 0;
  if (fact.kind == Kind::kText) return !fact.text.empty();
  return std::nullopt;
}

// Of one function: the names whose values may be others for other inputs.
class OpenNames {
 public:
  // `settled`: whether an expression's value follows from the configuration, where these names are open. `outer`: of
  // the function that this one stands in.
  template <typename Settled>
  OpenNames(const SyntaxNode& function, const OpenNames* outer, const Facts& facts, const Settled& settled)
      : outer_(outer) {
    if (function.text("name") != "__init__") {
      for (const char* kind : {"posonlyargs", "args", "kwonlyargs"}) {
        for (const Node one : function.node("args")->nodes(kind)) parameters_.insert(one->text("arg"));
      }
    }
    for (std::size_t before = 1; before != names_.size();) {  // until nothing is added
      before = names_.size();
      walk(function, [&](const SyntaxNode& node) { note(node, facts, settled); });
      if (names_.empty()) break;
    }
  }

  bool contains(const SyntaxNode& name, const Facts& facts) const {
    if (names_.contains(name.text("id")) || (outer_ != nullptr && outer_->contains(name, facts))) return true;
    const Fact* fact = facts.of(&name);  // a number that a caller gives may be a size
    return parameters_.contains(name.text("id")) &&
           (fact == nullptr || fact->is_number() || fact->kind == Fact::Kind::kList);
  }

 private:
  // What was never evaluated is taken for what never will be; whether a tensor is None is settled.
  static bool may_be_number(const Fact* fact) {
    using Kind = Fact::Kind;
    return fact != nullptr && fact->kind != Kind::kTensor && fact->kind != Kind::kModule && fact->kind != Kind::kNone;
  }

  template <typename Settled>
  void note(const SyntaxNode& node, const Facts& facts, const Settled& settled) {
    const bool loop = node.is("For") || node.is("comprehension");
    const bool stores = loop || is_any(node, std::to_array<std::string_view>({"Assign", "AugAssign", "NamedExpr"}));
    if (!stores) return;
    const Node value = node.node(loop ? "iter" : "value");
    if (value == nullptr || (!loop && (!may_be_number(facts.of(value)) || settled(*value, *this)))) return;
    const auto open = [&](const SyntaxNode& part) {
      if (part.is("Name") && part.node("ctx")->is("Store")) names_.insert(part.text("id"));
    };
    for (const Node target : node.nodes("targets")) walk(*target, open);
    if (node.node("target") != nullptr) walk(*node.node("target"), open);
  }

  const OpenNames* outer_;
  std::set<std::string_view> names_, parameters_;
};

class TakenBranches {
 public:
  TakenBranches(const SyntaxNode& module, const Facts& facts, SyntaxArena& arena)
      : imports_(module), facts_(facts), arena_(arena) {
    for (const Node one : module.nodes("body")) {
      if (is_function(*one)) functions_[one->text("name")] = one;
    }
  }

  Node taken(const SyntaxNode& node) {
    if (node.fields.empty()) return &node;
    if (node.is("IfExp")) {
      if (const std::optional<bool> truth = truth_of_test(*node.node("test")))
        return taken(*node.node(*truth ? "body" : "orelse"));
    }
    const OpenNames* outer = open_;
    std::optional<OpenNames> own;
    if (is_function(node)) {
      own.emplace(node, outer, facts_,
                  [this](const SyntaxNode& value, const OpenNames& open) { return is_settled(value, &open, kDepth); });
      open_ = &*own;
    }
    // what does not change keeps its node, and so its facts
    SyntaxNode* out = nullptr;
    const auto change = [&](std::size_t i, syntax::SyntaxValue value) {
      if (out == nullptr) out = &arena_.copy(node);
      out->fields[i].second = std::move(value);
    };
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
      const auto& [field, value] = node.fields[i];
      if (const auto* child = std::get_if<Node>(&value); child != nullptr && *child != nullptr) {
        const Node made = taken(**child);
        if (made != *child) change(i, made);
      } else if (const auto* children = std::get_if<Nodes>(&value); children != nullptr && !children->empty()) {
        const bool block = field == "body" || field == "orelse" || field == "finalbody";
        Nodes made = block ? statements(*children, field == "body") : each(*children);
        if (made != *children) change(i, std::move(made));
      }
    }
    open_ = outer;
    return out == nullptr ? &node : out;
  }

 private:
  static constexpr int kDepth = 3;  // of functions that are looked into

  Nodes each(const Nodes& nodes) {
    Nodes out;
    for (const Node one : nodes) out.push_back(one == nullptr ? nullptr : taken(*one));
    return out;
  }

  Nodes statements(const Nodes& given, bool needs_one) {
    Nodes out;
    add(given, out);
    if (out.empty() && needs_one) out.push_back(arena_.filled("Pass"));
    return out;
  }

  // False: what follows is never reached.
  bool add(const Nodes& given, Nodes& out) {
    for (const Node one : given) {
      if (open_ != nullptr && one->is("Assert")) continue;
      if (open_ != nullptr && one->is("If")) {
        if (const std::optional<bool> truth = truth_of_test(*one->node("test"))) {
          if (!add(one->nodes(*truth ? "body" : "orelse"), out)) return false;
          continue;
        }
        if (only_raises(one->nodes("body"))) {
          if (!add(one->nodes("orelse"), out)) return false;
          continue;
        }
      }
      out.push_back(taken(*one));
      if (leaves(*one)) return false;
    }
    return true;
  }

  bool only_raises(const Nodes& body) const {
    return !body.empty() && body.back()->is("Raise") &&
           std::ranges::none_of(body, [&](const Node one) { return was_run(*one, facts_); });
  }

  std::optional<bool> truth_of_test(const SyntaxNode& test) const {
    if (open_ == nullptr) return std::nullopt;
    if (test.is("UnaryOp") && test.node("op")->is("Not")) {
      const std::optional<bool> truth = truth_of_test(*test.node("operand"));
      return truth ? std::optional(!*truth) : std::nullopt;
    }
    if (test.is("BoolOp")) {
      const bool any = test.node("op")->is("Or");
      bool known = true;
      for (const Node one : test.nodes("values")) {
        const std::optional<bool> truth = truth_of_test(*one);
        if (truth == any) return any;
        known = known && truth;
      }
      return known ? std::optional(!any) : std::nullopt;
    }
    const Fact* fact = facts_.of(&test);
    return fact != nullptr && is_settled(test, open_, kDepth) ? truth_of(*fact) : std::nullopt;
  }

  // Whether its value is the same whatever the sizes, types and values of tensors are.
  bool is_settled(const SyntaxNode& node, const OpenNames* open, int depth) const {
    if (node.is("Name")) return open == nullptr || !open->contains(node, facts_);
    if (node.is("Attribute")) {
      // of tensors, and the mode that a module is in
      static constexpr auto kOpen = std::to_array<std::string_view>(
          {"shape", "size", "numel", "device", "is_cuda", "dtype", "data", "T", "training"});
      return std::ranges::find(kOpen, node.text("attr")) == kOpen.end() && is_settled(*node.node("value"), open, depth);
    }
    if (node.is("Call")) return is_settled_call(node, open, depth);
    if (is_any(node, std::to_array<std::string_view>({"NamedExpr", "Await", "Yield", "YieldFrom", "Lambda", "ListComp",
                                                      "SetComp", "DictComp", "GeneratorExp"})))
      return false;
    for (const auto& [field, value] : node.fields) {
      if (const auto* child = std::get_if<Node>(&value)) {
        if (*child != nullptr && !is_settled(**child, open, depth)) return false;
      } else if (const auto* children = std::get_if<Nodes>(&value)) {
        for (const Node one : *children) {
          if (one != nullptr && !is_settled(*one, open, depth)) return false;
        }
      }
    }
    return true;
  }

  // Questions about classes and attributes, and functions of the file that ask nothing else.
  bool is_settled_call(const SyntaxNode& call, const OpenNames* open, int depth) const {
    const Node callee = call.node("func");
    const std::string path = imports_.path_of(callee);
    if (path.starts_with("torch.jit.") || path == "torch.is_grad_enabled") return true;
    for (const Node one : call.nodes("args")) {
      if (!is_settled(*one, open, depth)) return false;
    }
    if (!callee->is("Name") || !call.nodes("keywords").empty()) return false;
    const std::string_view name = callee->text("id");
    static constexpr auto kAsk =
        std::to_array<std::string_view>({"isinstance", "issubclass", "hasattr", "getattr", "callable"});
    if (std::ranges::find(kAsk, name) != kAsk.end()) return true;
    const auto found = functions_.find(name);
    if (found == functions_.end() || depth == 0) return false;
    const Nodes& body = found->second->nodes("body");
    return body.size() == 1 && body[0]->is("Return") && body[0]->node("value") != nullptr &&
           is_settled(*body[0]->node("value"), nullptr, depth - 1);
  }

  const Imports imports_;
  const Facts& facts_;
  SyntaxArena& arena_;
  std::map<std::string_view, Node> functions_;
  const OpenNames* open_ = nullptr;  // of the function that is being said
};

}  // namespace

const SyntaxNode* taken_branches(const SyntaxNode& module, const Facts& facts, std::string_view entry_point,
                                 SyntaxArena& arena) {
  return without_unneeded(module, *TakenBranches(module, facts, arena).taken(module), facts, entry_point, arena);
}

}  // namespace tritonrl::teacher
