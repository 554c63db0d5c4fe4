#include "teacher/families/first_values.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "teacher/families/identifiers.h"
#include "teacher/reader/imports.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;
using Node = const SyntaxNode*;
using Nodes = std::vector<Node>;
using Words = std::set<std::string_view>;

template <std::size_t N>
bool is_any(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

// Whose values a parameter or its like is reached by: self.scale, layer.weight, tensor.data.
bool is_tensor_of_module(const SyntaxNode& node) {
  bool found = false;
  walk(node, [&](const SyntaxNode& part) {
    const bool named =
        part.is("Attribute") && is_any(part.text("attr"), std::to_array<std::string_view>({"data", "weight", "bias"}));
    found = found || named || (part.is("Name") && part.text("id") == "self");
  });
  return found;
}

// What a part names: variables, attributes, and texts, by which getattr may ask.
Words named_in(const SyntaxNode& part) {
  Words out;
  walk(part, [&](const SyntaxNode& node) {
    if (node.is("Name")) out.insert(node.text("id"));
    if (node.is("Attribute")) out.insert(node.text("attr"));
    if (node.is("Constant")) out.insert(node.text("value"));
  });
  return out;
}

Words read_in(const SyntaxNode& part) {
  Words out;
  walk(part, [&](const SyntaxNode& node) {
    if (node.is("Name") && !is_stored(node)) out.insert(node.text("id"));
  });
  return out;
}

class FirstValues {
 public:
  explicit FirstValues(const SyntaxNode& module) : imports_(module), module_(module) {
    walk(module, [&](const SyntaxNode& node) {
      if (!node.is("FunctionDef")) return;
      functions_[node.text("name")].push_back(&node);
      effects_[node.text("name")] = Effect::kNone;
    });
    in_function_ = true;
    find_effects();
    in_function_ = false;
  }

  std::set<Node> parts() {
    walk(module_, [&](const SyntaxNode& node) {
      if (node.is("FunctionDef")) look(node.nodes("body"), node, node.text("name") == "__init__");
    });
    if (!parts_.empty()) add_unnamed();
    return std::move(parts_);
  }

 private:
  // What one does beside giving a value back.
  enum class Effect { kNone, kFirstValues, kOther };

  void look(const Nodes& statements, const SyntaxNode& function, bool constructor) {
    for (const Node one : statements) {
      if (one->is("FunctionDef") || one->is("ClassDef") || parts_.contains(one)) continue;
      if (effect_of(*one) == Effect::kFirstValues && (constructor || calls_init(*one)) &&
          keeps_to_itself(*one, function)) {
        parts_.insert(one);
        continue;
      }
      for (const char* field : {"body", "orelse", "finalbody"}) look(one->nodes(field), function, constructor);
    }
  }

  // In a function that forward may call, torch.nn.init alone tells what is meant.
  bool calls_init(const SyntaxNode& statement) const {
    const Node call = statement.is("Expr") ? statement.node("value") : nullptr;
    return call != nullptr && call->is("Call") && imports_.path_of(call->node("func")).starts_with("torch.nn.init.");
  }

  // Nothing that it stores is read elsewhere in its function.
  static bool keeps_to_itself(const SyntaxNode& statement, const SyntaxNode& function) {
    Words stored;
    std::map<std::string_view, int> reads;
    walk(statement, [&](const SyntaxNode& node) {
      if (!node.is("Name")) return;
      if (is_stored(node)) {
        stored.insert(node.text("id"));
      } else {
        --reads[node.text("id")];
      }
    });
    walk(function, [&](const SyntaxNode& node) {
      if (node.is("Name") && !is_stored(node)) ++reads[node.text("id")];
    });
    return std::ranges::all_of(stored, [&](std::string_view name) { return reads[name] == 0; });
  }

  static Effect worse(Effect one, Effect other) { return std::max(one, other); }

  Effect effect_of(const Nodes& statements) {
    Effect out = Effect::kNone;
    for (const Node one : statements) out = worse(out, effect_of(*one));
    return out;
  }

  Effect effect_of(const SyntaxNode& statement) {
    static constexpr auto kKnown = std::to_array<std::string_view>(
        {"Expr", "Assign", "AugAssign", "AnnAssign", "If", "For", "While", "With", "Return", "Pass", "Assert", "Raise",
         "Break", "Continue", "Import", "ImportFrom", "FunctionDef"});
    if (!is_any(statement.kind, kKnown)) return Effect::kOther;
    Effect out = Effect::kNone;
    // of the whole statement at once: what stands inside it is looked at as well
    walk(statement, [&](const SyntaxNode& node) {
      if (out == Effect::kOther) return;
      if (node.is("Call")) out = worse(out, effect_of_call(node));
      if ((node.is("Attribute") || node.is("Subscript")) && is_stored(node)) out = worse(out, effect_of_store(node));
      static constexpr auto kOther = std::to_array<std::string_view>(
          {"Global", "Nonlocal", "Delete", "Try", "ClassDef", "Lambda", "Yield", "YieldFrom", "Await", "NamedExpr",
           "Match", "AsyncFor", "AsyncWith", "TryStar"});
      if (is_any(node.kind, kOther)) out = Effect::kOther;
    });
    return out;
  }

  static Effect effect_of_store(const SyntaxNode& target) {
    if (target.is("Attribute"))
      return is_any(target.text("attr"), std::to_array<std::string_view>({"data", "requires_grad"}))
                 ? Effect::kFirstValues
                 : Effect::kOther;
    bool tensor = false;
    walk(*target.node("value"), [&](const SyntaxNode& part) {
      tensor = tensor || (part.is("Attribute") &&
                          is_any(part.text("attr"), std::to_array<std::string_view>({"data", "weight", "bias"})));
    });
    return tensor ? Effect::kFirstValues : Effect::kOther;
  }

  Effect effect_of_call(const SyntaxNode& call) {
    const Node callee = call.node("func");
    const std::string path = imports_.path_of(callee);
    if (path.starts_with("torch.nn.init.")) return Effect::kFirstValues;
    if (path.starts_with("torch.manual_seed") || path.starts_with("torch.set_")) return Effect::kOther;
    if (path.starts_with("torch.") || path.starts_with("math.") || path.starts_with("numpy.") ||
        path.starts_with("warnings."))
      return Effect::kNone;
    if (callee->is("Name")) {
      const std::string_view name = callee->text("id");
      if (functions_.contains(name)) return effects_.at(name);
      static constexpr auto kPlain =
          std::to_array<std::string_view>({"isinstance", "hasattr",      "getattr",
                                           "len",        "range",        "enumerate",
                                           "zip",        "int",          "float",
                                           "print",      "max",          "min",
                                           "abs",        "list",         "tuple",
                                           "sum",        "type",         "any",
                                           "all",        "round",        "reversed",
                                           "sorted",     "bool",         "str",
                                           "ValueError", "RuntimeError", "NotImplementedError",
                                           "TypeError"});
      return is_any(name, kPlain) ? Effect::kNone : Effect::kOther;
    }
    return callee->is("Attribute") ? effect_of_method(call, *callee) : Effect::kOther;
  }

  Effect effect_of_method(const SyntaxNode& call, const SyntaxNode& callee) {
    const std::string_view name = callee.text("attr");
    static constexpr auto kMakes = std::to_array<std::string_view>(
        {"__init__", "__setattr__", "add_module", "append", "extend", "insert", "update", "pop", "remove", "setdefault",
         "add_param_group", "load_state_dict", "requires_grad_", "train", "eval", "to", "add"});
    if (is_any(name, kMakes) || name.starts_with("register_")) return Effect::kOther;
    if (name == "apply") {
      const Nodes& given = call.nodes("args");
      if (given.size() != 1 || !(given[0]->is("Name") || given[0]->is("Attribute"))) return Effect::kOther;
      const std::string_view function = given[0]->text(given[0]->is("Name") ? "id" : "attr");
      return functions_.contains(function) ? effects_.at(function) : Effect::kOther;
    }
    const Node of = callee.node("value");
    const bool inherited = of->is("Call") && of->node("func")->is("Name") && of->node("func")->text("id") == "super";
    if (functions_.contains(name) && !inherited) return effects_.at(name);
    if (name == "reset_parameters") return Effect::kFirstValues;
    if (name.ends_with("_") && !name.ends_with("__"))
      return is_tensor_of_module(*of) || in_function_ ? Effect::kFirstValues : Effect::kOther;
    return inherited ? Effect::kOther : Effect::kNone;  // a question of torch's, such as modules() or size()
  }

  // Of all functions of that name: whose method it is is not known.
  void find_effects() {
    for (bool changed = true; changed;) {  // they call each other
      changed = false;
      for (const auto& [name, bodies] : functions_) {
        Effect found = Effect::kNone;
        for (const Node one : bodies) found = worse(found, effect_of(one->nodes("body")));
        changed = changed || found != effects_[name];
        effects_[name] = found;
      }
    }
  }

  // Then what only those parts named: definitions, imports, and variables of the constructors.
  void add_unnamed() {
    const Words before = named_in(module_);
    for (std::size_t count = 0; count != parts_.size();) {
      count = parts_.size();
      syntax::SyntaxArena arena;
      const Words now = named_in(*without_parts(module_, parts_, arena));
      const auto gone = [&](std::string_view name) { return before.contains(name) && !now.contains(name); };
      const auto look_at = [&](const SyntaxNode& one) {
        if (one.is("FunctionDef") && gone(one.text("name")) && effects_.at(one.text("name")) != Effect::kOther)
          parts_.insert(&one);
        if (one.is("Import") || one.is("ImportFrom")) {
          const Nodes& names = one.nodes("names");
          if (std::ranges::all_of(names, [&](Node alias) {
                const std::string_view as = alias->text("asname");
                return gone(as.empty() ? alias->text("name") : as);
              }))
            parts_.insert(&one);
        }
      };
      for (const Node one : module_.nodes("body")) {
        look_at(*one);
        if (!one->is("ClassDef")) continue;
        for (const Node member : one->nodes("body")) {
          look_at(*member);
          if (member->is("FunctionDef") && member->text("name") == "__init__") add_unread(*member);
        }
      }
    }
  }

  // std = 0.02, which only those parts read.
  void add_unread(const SyntaxNode& constructor) {
    syntax::SyntaxArena arena;
    const Words before = read_in(constructor), now = read_in(*without_parts(constructor, parts_, arena));
    for (const Node one : constructor.nodes("body")) {
      if (!one->is("Assign") || one->nodes("targets").size() != 1 || !one->nodes("targets")[0]->is("Name")) continue;
      const std::string_view name = one->nodes("targets")[0]->text("id");
      if (before.contains(name) && !now.contains(name) && effect_of(*one) == Effect::kNone) parts_.insert(one);
    }
  }

  const Imports imports_;
  const SyntaxNode& module_;
  std::map<std::string_view, Nodes> functions_;
  std::map<std::string_view, Effect> effects_;
  bool in_function_ = false;  // where tensors come as arguments
  std::set<Node> parts_;
};

}  // namespace

std::set<const SyntaxNode*> first_values(const SyntaxNode& module) {
  return FirstValues(module).parts();
}

const SyntaxNode* without_parts(const SyntaxNode& module, const std::set<const SyntaxNode*>& parts,
                                syntax::SyntaxArena& arena) {
  SyntaxNode* out = nullptr;
  for (std::size_t i = 0; i < module.fields.size(); ++i) {
    const auto& [field, value] = module.fields[i];
    const auto* statements = std::get_if<Nodes>(&value);
    if (statements == nullptr || (field != "body" && field != "orelse" && field != "finalbody")) continue;
    Nodes kept;
    for (const Node one : *statements) {
      if (!parts.contains(one)) kept.push_back(without_parts(*one, parts, arena));
    }
    if (kept.empty() && !statements->empty() && field == "body") kept.push_back(arena.filled("Pass"));
    if (kept == *statements) continue;
    if (out == nullptr) out = &arena.copy(module);
    out->fields[i].second = std::move(kept);
  }
  return out == nullptr ? &module : out;
}

}  // namespace tritonrl::teacher
