#include "teacher/facts/leaf_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "syntax/unparse.h"

namespace tritonrl::teacher {

using syntax::SyntaxNode;
using text::LeafFact;

namespace {

constexpr std::size_t kMostName = 40;  // of an expression
constexpr std::size_t kMostItems = 4;  // of a list that is told

bool is_target(const SyntaxNode& node) {
  return node.node("ctx") != nullptr && node.node("ctx")->is("Store");
}

std::string python_text(const std::string& text) {
  SyntaxNode constant;
  constant.kind = "Constant";
  constant.fields.emplace_back("value", text);
  return syntax::unparse(constant);
}

// What the class of a layer does not tell, and its kernel depends on.
std::vector<std::string> notes_of(const Fact& layer) {
  std::vector<std::string> out;
  const bool convolution = layer.text.starts_with("Conv");
  const auto held = [&](std::string_view name, Fact::Kind kind) {
    const Fact* fact = layer.attribute(name);
    return fact != nullptr && fact->kind == kind ? fact : nullptr;
  };
  for (const std::string_view name : {"weight", "bias", "running_mean"}) {
    if (held(name, Fact::Kind::kNone)) out.push_back(std::string(name) + "=None");
  }
  const Fact* weight = held("weight", Fact::Kind::kTensor);
  const Fact* groups = held("groups", Fact::Kind::kInt);
  if (convolution && weight != nullptr && weight->shape.size() > 1 && groups != nullptr && groups->constant &&
      groups->integer > 1) {
    const std::int64_t channels =
        layer.text.starts_with("ConvTranspose") ? weight->shape[1] : weight->shape[0] / groups->integer;
    out.emplace_back(channels <= kNarrowGroup ? "narrow groups" : "wide groups");
  }
  if (layer.text.ends_with("Norm") && weight != nullptr && weight->shape.size() > 1)
    out.push_back(std::to_string(weight->shape.size()) + " dims");
  if (layer.text.find("Pool") != std::string::npos) {
    for (const std::string_view name : {"kernel_size", "stride", "padding", "dilation", "output_size"}) {
      if (held(name, Fact::Kind::kList)) out.push_back(std::string(name) + "=tuple");
    }
    const Fact* ceil = held("ceil_mode", Fact::Kind::kBool);
    if (ceil != nullptr && ceil->constant && ceil->integer != 0) out.emplace_back("ceil_mode");
  }
  return out;
}

// None: nothing that a prompt should tell.
std::optional<LeafFact> told_of(const Fact& fact) {
  using enum Fact::Kind;
  LeafFact out;
  switch (fact.kind) {
    case kTensor:
      out.type = program::to_string(fact.dtype);
      out.shape = fact.shape;
      return out;
    case kInt:
      out.kind = LeafFact::Kind::kInt;
      if (fact.constant) out.value = std::to_string(fact.integer);
      return out;
    case kFloat:
      out.kind = LeafFact::Kind::kFloat;
      return out;
    case kBool:
      out.kind = LeafFact::Kind::kBool;
      if (fact.constant) out.value = fact.integer != 0 ? "True" : "False";
      return out;
    case kText:
      out.kind = LeafFact::Kind::kText;
      if (fact.constant && fact.text.size() <= kMostName) out.value = python_text(fact.text);
      return out;
    case kNone:
      out.kind = LeafFact::Kind::kNone;
      return out;
    case kList:
      if (fact.items.empty() || fact.items.size() > kMostItems) return std::nullopt;
      for (const Fact& item : fact.items) {
        if (item.kind != kInt || !item.constant) return std::nullopt;
        out.value += (out.value.empty() ? "(" : ", ") + std::to_string(item.integer);
      }
      out.kind = LeafFact::Kind::kList;
      out.value += fact.items.size() == 1 ? ",)" : ")";
      return out;
    case kModule:
      out.kind = LeafFact::Kind::kModule;
      out.type = fact.text;
      out.notes = notes_of(fact);
      if (out.type.empty()) return std::nullopt;
      return out;
    case kUnknown:
    case kOther:
      break;
  }
  return std::nullopt;
}

class FunctionFacts {
 public:
  FunctionFacts(std::string function, const Facts& facts, std::vector<LeafFact>& out)
      : function_(std::move(function)), facts_(facts), out_(out) {}

  void add(const SyntaxNode& function) {
    for (const char* list : {"posonlyargs", "args", "kwonlyargs"}) {
      for (const SyntaxNode* argument : function.node("args")->nodes(list)) {
        if (argument->text("arg") != "self") arguments_.insert(argument->text("arg"));
      }
    }
    for (const SyntaxNode* statement : function.nodes("body")) visit(*statement);
  }

 private:
  void tell(const std::string& name, const Fact* fact, bool computed) {
    if (fact == nullptr) return;
    std::optional<LeafFact> leaf = told_of(*fact);
    if (!leaf || (computed && leaf->kind != LeafFact::Kind::kTensor)) return;
    leaf->function = function_;
    leaf->name = name;
    leaf->computed = computed;
    const std::string key = name + " " + leaf->type + " " + leaf->value + " " + shape_key(leaf->shape);
    std::string& last = last_[name];
    if (last == key) return;
    last = key;
    out_.push_back(std::move(*leaf));
  }

  static std::string shape_key(const std::vector<std::int64_t>& shape) {
    std::string out;
    for (const std::int64_t size : shape) out += size == 1 ? "1 " : "n ";
    return out;
  }

  void visit(const SyntaxNode& node) {
    if (node.is("FunctionDef") || node.is("ClassDef") || node.is("Lambda")) return;
    if (node.is("Assign") || node.is("AnnAssign") || node.is("AugAssign")) {
      const SyntaxNode* value = node.node("value");
      if (value != nullptr) visit_value(*value);
      const Fact* fact = value == nullptr ? nullptr : facts_.of(value);
      if (node.is("AugAssign")) fact = facts_.of(node.node("target"));
      for (const SyntaxNode* target : node.nodes("targets")) store(*target, fact);
      if (node.node("target") != nullptr) store(*node.node("target"), fact);
      return;
    }
    if (node.is("Name")) {
      if (!is_target(node) && arguments_.contains(node.text("id")) && told_arguments_.insert(node.text("id")).second)
        tell(std::string(node.text("id")), facts_.of(&node), false);
      return;
    }
    if (node.is("Attribute") && is_of_self(node)) return attribute(node);
    if (node.is("Call") && is_module_call(node)) {
      for_children(node);
      const std::string text = syntax::unparse(node);
      if (text.size() <= kMostName) tell(text, facts_.of(&node), true);
      return;
    }
    for_children(node);
  }

  // The whole of an assignment has a name already.
  void visit_value(const SyntaxNode& value) { value.is("Call") ? for_children(value) : visit(value); }

  void for_children(const SyntaxNode& node) {
    for (const auto& [name, value] : node.fields) {
      if (const auto* child = std::get_if<const SyntaxNode*>(&value)) {
        if (*child != nullptr) visit(**child);
      } else if (const auto* children = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
        for (const SyntaxNode* each : *children) {
          if (each != nullptr) visit(*each);
        }
      }
    }
  }

  void store(const SyntaxNode& target, const Fact* fact) {
    if (target.is("Name")) {
      told_arguments_.insert(target.text("id"));  // from here on it is another value
      return tell(std::string(target.text("id")), fact, true);
    }
    if (!target.is("Tuple") || fact == nullptr || fact->kind != Fact::Kind::kList) return;
    const std::vector<const SyntaxNode*>& targets = target.nodes("elts");
    for (std::size_t i = 0; i < targets.size() && i < fact->items.size(); ++i) store(*targets[i], &fact->items[i]);
  }

  static bool is_of_self(const SyntaxNode& node) {
    const SyntaxNode* base = &node;
    while (base->is("Attribute")) base = base->node("value");
    return base->is("Name") && base->text("id") == "self";
  }

  // The longest part of it that is a value.
  void attribute(const SyntaxNode& node) {
    if (is_target(node) || !node.is("Attribute")) return;
    const Fact* fact = facts_.of(&node);
    if (fact != nullptr && fact->kind != Fact::Kind::kOther && fact->kind != Fact::Kind::kUnknown)
      return tell(syntax::unparse(node), fact, false);
    attribute(*node.node("value"));
  }

  bool is_module_call(const SyntaxNode& call) const {
    const Fact* callee = facts_.of(call.node("func"));
    return callee != nullptr && callee->kind == Fact::Kind::kModule;
  }

  std::string function_;
  const Facts& facts_;
  std::vector<LeafFact>& out_;
  std::set<std::string_view> arguments_, told_arguments_;
  std::map<std::string, std::string> last_;
};

}  // namespace

std::vector<LeafFact> leaf_facts(const SyntaxNode& module, const Facts& facts, std::string_view entry_point) {
  std::vector<LeafFact> out;
  for (const SyntaxNode* statement : module.nodes("body")) {
    const std::string name(statement->text("name"));
    if (statement->is("FunctionDef") && name != "get_inputs" && name != "get_init_inputs") {
      std::vector<LeafFact> own;
      FunctionFacts(name, facts, own).add(*statement);
      // one without tensors serves constructors
      if (std::ranges::any_of(own, [](const LeafFact& one) { return one.kind == LeafFact::Kind::kTensor; }))
        out.insert(out.end(), own.begin(), own.end());
    }
    if (!statement->is("ClassDef")) continue;
    for (const SyntaxNode* member : statement->nodes("body")) {
      if (!member->is("FunctionDef") || member->text("name") == "__init__") continue;
      const bool asked_for = name == entry_point && member->text("name") == "forward";
      FunctionFacts(asked_for ? "" : name + "." + std::string(member->text("name")), facts, out).add(*member);
    }
  }
  return out;
}

}  // namespace tritonrl::teacher
