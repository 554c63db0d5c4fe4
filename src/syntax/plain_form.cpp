#include "syntax/plain_form.h"

#include <set>

#include "syntax/parse.h"
#include "syntax/unparse.h"

namespace tritonrl::syntax {
namespace {

using Node = const SyntaxNode*;
using Nodes = std::vector<Node>;

template <class Visit>
void for_each_child(const SyntaxNode& node, Visit&& visit) {
  for (const auto& [name, value] : node.fields) {
    if (const auto* one = std::get_if<Node>(&value); one != nullptr && *one != nullptr) visit(**one);
    if (const auto* list = std::get_if<Nodes>(&value)) {
      for (const Node child : *list) {
        if (child != nullptr) visit(*child);
      }
    }
  }
}

bool is_function(const SyntaxNode& node) {
  return node.is("FunctionDef") || node.is("AsyncFunctionDef");
}

bool is_docstring(const SyntaxNode& statement) {
  const Node value = statement.is("Expr") ? statement.node("value") : nullptr;
  return value != nullptr && value->is("Constant") && std::holds_alternative<std::string>(*value->field("value"));
}

bool is_name(Node node, std::string_view id) {
  return node != nullptr && node->is("Name") && node->text("id") == id;
}

// if __name__ == "__main__":
bool is_main_guard(const SyntaxNode& statement) {
  const Node test = statement.is("If") && statement.nodes("orelse").empty() ? statement.node("test") : nullptr;
  return test != nullptr && test->is("Compare") && is_name(test->node("left"), "__name__");
}

// Compilers of scripts read annotations.
bool compiles_scripts(const SyntaxNode& node) {
  if (node.is("Attribute") && (node.text("attr") == "script" || node.text("attr") == "script_method")) return true;
  bool found = false;
  for_each_child(node, [&](const SyntaxNode& child) { found = found || compiles_scripts(child); });
  return found;
}

// nn.Module, or what is called like one of its kind.
bool derives_from_module(const SyntaxNode& definition) {
  for (const Node base : definition.nodes("bases")) {
    const std::string_view name = base->is("Attribute") ? base->text("attr") : base->text("id");
    if (name.ends_with("Module")) return true;
  }
  return false;
}

std::string_view first_parameter(const SyntaxNode& function) {
  const Node arguments = function.node("args");
  for (const char* kind : {"posonlyargs", "args"}) {
    if (!arguments->nodes(kind).empty()) return arguments->nodes(kind).front()->text("arg");
  }
  return "";
}

void add_names(const SyntaxNode& node, std::set<std::string_view>& out) {
  if (node.is("Name")) out.insert(node.text("id"));
  if (node.is("Constant")) {  // __all__, and annotations in quotes
    if (const auto* text = std::get_if<std::string>(node.field("value"))) out.insert(*text);
  }
  for_each_child(node, [&](const SyntaxNode& child) { add_names(child, out); });
}

class PlainForm {
 public:
  PlainForm(SyntaxArena& arena, bool keeps_annotations) : arena_(arena), keeps_annotations_(keeps_annotations) {}

  // Where a node stands.
  struct Place {
    std::string_view owner;     // the class whose method it is in
    std::string_view self;      // that method's first parameter
    bool keeps_fields = false;  // directly in a class whose annotations are read
    bool in_class_body = false;
  };

  Node plain(const SyntaxNode& node, Place place) {
    if (is_super_of_own(node, place)) return arena_.call(node.node("func"), {});
    SyntaxNode& out = arena_.copy(node);
    const bool defines = is_function(node) || node.is("ClassDef");
    Place inside = place;
    if (node.is("ClassDef")) {
      inside = {
          .owner = node.text("name"),
          .keeps_fields = keeps_annotations_ || !node.nodes("decorator_list").empty() || !derives_from_module(node),
          .in_class_body = true};
    } else if (is_function(node)) {
      inside = {};
      if (place.in_class_body) inside = {.owner = place.owner, .self = first_parameter(node)};
    } else if (node.is("Lambda")) {
      inside = {};
    }
    const bool bare = is_function(node) && !keeps_annotations_ && node.nodes("decorator_list").empty();
    for (auto& [name, value] : out.fields) {
      if (auto* one = std::get_if<Node>(&value); one != nullptr && *one != nullptr) {
        if (bare && name == "returns") {
          value = NoneValue();
        } else {
          *one = bare && name == "args" ? parameters(**one, inside) : plain(**one, inside);
        }
      } else if (auto* list = std::get_if<Nodes>(&value)) {
        if (name == "body" && (defines || node.is("Module")) && !list->empty() && is_docstring(*list->front()))
          list->erase(list->begin());
        Nodes kept;
        for (const Node child : *list) {
          if (child == nullptr) {
            kept.push_back(child);
          } else if (const Node made = child->is("AnnAssign") ? assignment(*child, inside) : plain(*child, inside)) {
            kept.push_back(made);
          }
        }
        if (kept.empty() && name == "body" && !node.is("Module")) kept.push_back(SyntaxArena::bare("Pass"));
        *list = std::move(kept);
      }
    }
    return &out;
  }

 private:
  static bool is_super_of_own(const SyntaxNode& node, const Place& place) {
    if (place.self.empty() || !node.is("Call") || !is_name(node.node("func"), "super")) return false;
    const Nodes& arguments = node.nodes("args");
    return arguments.size() == 2 && is_name(arguments[0], place.owner) && is_name(arguments[1], place.self);
  }

  Node parameters(const SyntaxNode& arguments, const Place& place) {
    SyntaxNode& out = arena_.copy(arguments);
    const auto bare = [&](Node one) -> Node {
      SyntaxNode& parameter = arena_.copy(*one);
      for (auto& [name, value] : parameter.fields) {
        if (name == "annotation") value = NoneValue();
      }
      return &parameter;
    };
    for (auto& [name, value] : out.fields) {
      const bool defaults = name == "defaults" || name == "kw_defaults";
      if (auto* one = std::get_if<Node>(&value); one != nullptr && *one != nullptr) *one = bare(*one);
      if (auto* list = std::get_if<Nodes>(&value)) {
        for (Node& child : *list) {
          if (child != nullptr) child = defaults ? plain(*child, place) : bare(child);
        }
      }
    }
    return &out;
  }

  // None: it says nothing but a type.
  Node assignment(const SyntaxNode& annotated, const Place& place) {
    if (keeps_annotations_ || place.keeps_fields) return plain(annotated, place);
    const Node value = annotated.node("value");
    if (value == nullptr) return nullptr;
    return arena_.assign(annotated.node("target"), plain(*value, place));
  }

  SyntaxArena& arena_;
  const bool keeps_annotations_;
};

bool has_annotations(const SyntaxNode& node) {
  if (node.node("annotation") != nullptr || node.node("returns") != nullptr) return true;
  bool found = false;
  for_each_child(node, [&](const SyntaxNode& child) { found = found || has_annotations(child); });
  return found;
}

// Without the names of imports that are in none of `used`; null: nothing is left of it.
Node used_imports(const SyntaxNode& statement, const std::set<std::string_view>& used, SyntaxArena& arena) {
  Nodes kept;
  for (const Node alias : statement.nodes("names")) {
    const std::string_view as = alias->text("asname"), name = alias->text("name");
    const std::string_view bound = !as.empty() ? as : statement.is("Import") ? name.substr(0, name.find('.')) : name;
    if (bound == "*" || used.contains(bound)) kept.push_back(alias);
  }
  if (kept.empty()) return nullptr;
  SyntaxNode& out = arena.copy(statement);
  for (auto& [name, value] : out.fields) {
    if (name == "names") value = kept;
  }
  return &out;
}

}  // namespace

const SyntaxNode* plain_form(const SyntaxNode& module, SyntaxArena& arena) {
  const Node plain = PlainForm(arena, compiles_scripts(module)).plain(module, {});
  Nodes statements;
  for (const Node statement : plain->nodes("body")) {
    if (!is_main_guard(*statement)) statements.push_back(statement);
  }
  std::set<std::string_view> used;
  for (const Node statement : statements) {
    add_names(*statement, used);
    if (has_annotations(*statement)) used.insert("annotations");  // from __future__
  }
  Nodes kept;
  for (const Node statement : statements) {
    const bool imports = statement->is("Import") || statement->is("ImportFrom");
    if (const Node one = imports ? used_imports(*statement, used, arena) : statement) kept.push_back(one);
  }
  return arena.module(std::move(kept));
}

std::optional<std::string> plain_text(std::string_view text) {
  SyntaxArena arena;
  const Parsed parsed = parse(text, arena);
  if (parsed.module == nullptr) return std::nullopt;
  return unparse(*plain_form(*parsed.module, arena));
}

}  // namespace tritonrl::syntax
