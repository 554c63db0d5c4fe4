#include "teacher/families/unneeded.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "teacher/reader/imports.h"

namespace tritonrl::teacher {

using syntax::SyntaxArena;
using syntax::SyntaxNode;

namespace {

using Node = const SyntaxNode*;
using Nodes = std::vector<Node>;

// What a text names, definitions apart.
struct Named {
  std::set<std::string_view> names;
  std::set<std::string_view> members;  // attributes that are read, and texts, by which getattr may ask for them

  explicit Named(const SyntaxNode& module) {
    walk(module, [&](const SyntaxNode& node) {
      if (node.is("Name")) names.insert(node.text("id"));
      if (node.is("Constant")) members.insert(node.text("value"));
      if (node.is("Attribute") && !node.node("ctx")->is("Store")) members.insert(node.text("attr"));
      if (node.is("AugAssign") && node.node("target")->is("Attribute"))
        members.insert(node.node("target")->text("attr"));  // it is read, too
    });
  }
  bool contains(std::string_view name) const { return names.contains(name) || members.contains(name); }
};

class Unneeded {
 public:
  Unneeded(const SyntaxNode& module, const Facts& facts, std::string_view entry_point, SyntaxArena& arena)
      : imports_(module), facts_(facts), entry_point_(entry_point), arena_(arena) {}

  Node pruned(Node module) {
    for (bool changed = true; changed;) {
      changed = false;
      named_ = Named(*module);
      asks_by_name_ = named_->contains("getattr") || named_->contains("__dict__") || named_->contains("vars");
      module = without(*module, changed);
    }
    return module;
  }

 private:
  Node without(const SyntaxNode& node, bool& changed) {
    SyntaxNode& out = arena_.copy(node);
    for (auto& [field, value] : out.fields) {
      auto* statements = field == "body" ? std::get_if<Nodes>(&value) : nullptr;
      if (statements == nullptr) continue;
      Nodes kept;
      for (const Node one : *statements) {
        if (goes(*one, node)) {
          changed = true;
        } else {
          kept.push_back(one->is("ClassDef") || (one->text("name") == "__init__" && is_plain_module(node))
                             ? without(*one, changed)
                             : one);
        }
      }
      if (kept.empty()) kept.push_back(arena_.filled("Pass"));
      *statements = std::move(kept);
    }
    return &out;
  }

  bool goes(const SyntaxNode& statement, const SyntaxNode& place) const {
    if (statement.is("ClassDef"))
      return place.is("Module") && statement.text("name") != entry_point_ && unnamed(statement);
    if (statement.is("FunctionDef")) {
      const std::string_view name = statement.text("name");
      if (place.is("Module")) return name != "get_inputs" && name != "get_init_inputs" && unnamed(statement);
      return place.is("ClassDef") && name != "forward" && !name.starts_with("__") && !asks_by_name_ &&
             unnamed(statement) && !was_run(statement, facts_);
    }
    return place.is("FunctionDef") && stores_for_nobody(statement);
  }

  // Of others somebody else may read what they store.
  bool is_plain_module(const SyntaxNode& place) const {
    return place.is("ClassDef") && place.nodes("bases").size() == 1 &&
           imports_.path_of(place.nodes("bases")[0]) == "torch.nn.Module";
  }

  bool unnamed(const SyntaxNode& definition) const {
    static constexpr auto kHarmless = std::to_array<std::string_view>({"staticmethod", "classmethod", "property"});
    for (const Node one : definition.nodes("decorator_list")) {
      if (!one->is("Name") || std::ranges::find(kHarmless, one->text("id")) == kHarmless.end()) return false;
    }
    return !named_->contains(definition.text("name"));
  }

  // self.flag = flag, which nothing reads.
  bool stores_for_nobody(const SyntaxNode& statement) const {
    if (!statement.is("Assign") || statement.nodes("targets").size() != 1 || asks_by_name_) return false;
    const Node target = statement.nodes("targets")[0], value = statement.node("value");
    if (!target->is("Attribute") || !target->node("value")->is("Name") || target->node("value")->text("id") != "self")
      return false;
    const Fact* fact = facts_.of(value);
    const bool plain = value->is("Constant") ||
                       (value->is("Name") && fact != nullptr &&
                        (fact->is_number() || fact->kind == Fact::Kind::kText || fact->kind == Fact::Kind::kNone));
    return plain && !named_->members.contains(target->text("attr"));
  }

  const Imports imports_;
  const Facts& facts_;
  const std::string_view entry_point_;
  SyntaxArena& arena_;
  std::optional<Named> named_;
  bool asks_by_name_ = false;
};

}  // namespace

bool was_run(const SyntaxNode& node, const Facts& facts) {
  bool found = false;
  walk(node, [&](const SyntaxNode& part) { found = found || facts.of(&part) != nullptr; });
  return found;
}

const SyntaxNode* without_unneeded(const SyntaxNode& original, const SyntaxNode& module, const Facts& facts,
                                   std::string_view entry_point, SyntaxArena& arena) {
  return Unneeded(original, facts, entry_point, arena).pruned(&module);
}

}  // namespace tritonrl::teacher
