#include "teacher/families/restored_names.h"

#include <vector>

#include "teacher/families/identifiers.h"
#include "teacher/reader/imports.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;

class NameRestorer {
 public:
  enum class Place { kElsewhere, kClass, kConstructor };

  NameRestorer(const CountedNames& names, syntax::SyntaxArena& arena) : names_(names), arena_(arena) {}

  const SyntaxNode* copy(const SyntaxNode& node, Place place, bool own_keyword = false) {
    if (node.fields.empty()) return &node;
    SyntaxNode& out = arena_.copy(node);
    Place inner = place;
    if (node.is("ClassDef")) inner = Place::kClass;
    if (node.is("FunctionDef") && place != Place::kConstructor)  // one inside a constructor shares its names
      inner = place == Place::kClass && node.text("name") == "__init__" ? Place::kConstructor : Place::kElsewhere;
    if (inner == Place::kConstructor && inner != place) {
      arguments_.clear();
      walk(*node.node("args"), [&](const SyntaxNode& part) {
        if (part.is("arg")) arguments_.insert(part.text("arg"));
      });
    }
    const bool makes = node.is("Call") && makes_own(node.node("func"));
    if (const SyntaxNode* text = registered_text(node)) registered_.insert(text);
    for (auto& [field, value] : out.fields) {
      // what arguments are by default is the module's, whatever they are called
      const Place there = field == "defaults" || field == "kw_defaults" ? Place::kElsewhere : inner;
      if (auto* child = std::get_if<const SyntaxNode*>(&value)) {
        if (*child != nullptr) *child = copy(**child, there, makes);
      } else if (auto* children = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
        for (const SyntaxNode*& each : *children) {
          if (each != nullptr) each = copy(*each, there, makes);
        }
      } else if (auto* text = std::get_if<std::string>(&value)) {
        const auto found = names_.of.find(*text);
        if (found != names_.of.end() && is_restored(node, field, *text, place, own_keyword)) *text = found->second;
      }
    }
    return &out;
  }

 private:
  bool makes_own(const SyntaxNode* callee) const {
    if (callee->is("Name")) return names_.classes.contains(callee->text("id"));
    const SyntaxNode* of = callee->node("value");
    return callee->is("Attribute") && callee->text("attr") == "__init__" && of != nullptr && of->is("Call");
  }

  bool is_restored(const SyntaxNode& node, std::string_view field, std::string_view text, Place place,
                   bool own_keyword) const {
    if (node.is("Attribute")) return field == "attr";
    if (node.is("Constant")) return field == "value" && registered_.contains(&node);
    if (node.is("FunctionDef")) return field == "name" && place != Place::kElsewhere;
    if (node.is("keyword")) return field == "arg" && own_keyword;
    const bool variable = (node.is("Name") && field == "id") || (node.is("arg") && field == "arg");
    return variable && place != Place::kElsewhere && (arguments_.contains(text) || !names_.top.contains(text));
  }

  const CountedNames& names_;
  syntax::SyntaxArena& arena_;
  std::set<std::string_view> arguments_;    // of the constructor that is being copied
  std::set<const SyntaxNode*> registered_;  // texts that name attributes
};

}  // namespace

const SyntaxNode* with_restored_names(const SyntaxNode& answer, const CountedNames& names, syntax::SyntaxArena& arena) {
  return NameRestorer(names, arena).copy(answer, NameRestorer::Place::kElsewhere);
}

}  // namespace tritonrl::teacher
