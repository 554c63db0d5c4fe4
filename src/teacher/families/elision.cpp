#include "teacher/families/elision.h"

#include <algorithm>
#include <string>

#include "syntax/unparse.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;
using Node = const SyntaxNode*;
using Nodes = std::vector<Node>;

bool is_ellipsis(const SyntaxNode* node) {
  if (node == nullptr || !node->is("Constant")) return false;
  const auto* other = std::get_if<syntax::OtherConstant>(node->field("value"));
  return other != nullptr && other->kind == "ellipsis";
}

Node ellipsis(syntax::SyntaxArena& arena) {
  return arena.filled("Constant", "value", syntax::SyntaxValue(syntax::OtherConstant{"ellipsis", "..."}), "kind",
                      syntax::SyntaxValue(syntax::NoneValue{}));
}

bool has_one_line(const SyntaxNode& statement) {
  return statement.is("Assign") || statement.is("AugAssign") || statement.is("Return");
}

// What a statement begins with; empty: one that is not elided.
std::string beginning_of(const SyntaxNode& statement) {
  std::string out(statement.kind);
  const auto add = [&](const SyntaxNode* part) {
    out += ' ';
    if (part != nullptr) syntax::unparse_to(*part, out);
  };
  if (statement.is("Assign")) {
    for (const Node target : statement.nodes("targets")) add(target);
  } else if (statement.is("AugAssign")) {
    add(statement.node("target"));
    out += statement.node("op")->kind;
  } else if (statement.is("Return")) {
    if (statement.node("value") == nullptr) return "";
  } else if (statement.is("If") || statement.is("While")) {
    add(statement.node("test"));
  } else if (statement.is("For")) {
    add(statement.node("target"));
    add(statement.node("iter"));
  } else if (statement.is("With")) {
    for (const Node item : statement.nodes("items")) {
      add(item->node("context_expr"));
      add(item->node("optional_vars"));
    }
  } else {
    return "";
  }
  return out;
}

// The module's statement that begins so; nullptr: there is none, or there are several.
Node only_one(const Nodes& of_module, const std::string& beginning) {
  Node out = nullptr;
  if (beginning.empty()) return out;
  for (const Node one : of_module) {
    if (beginning_of(*one) != beginning) continue;
    if (out != nullptr) return nullptr;
    out = one;
  }
  return out;
}

SyntaxNode& with_field(const SyntaxNode& node, std::string_view field, syntax::SyntaxValue value,
                       syntax::SyntaxArena& arena) {
  SyntaxNode& out = arena.copy(node);
  const auto place = std::ranges::find(out.fields, field, [](const auto& one) { return one.first; });
  if (place != out.fields.end()) place->second = std::move(value);
  return out;
}

// Both blocks of a statement that has some.
template <typename Change>
Node with_blocks(const SyntaxNode& statement, const SyntaxNode& of_module, const Change& change,
                 syntax::SyntaxArena& arena) {
  Node out = &statement;
  for (const char* field : {"body", "orelse"}) {
    const Nodes& given = out->nodes(field);
    if (!given.empty()) out = &with_field(*out, field, change(given, of_module.nodes(field)), arena);
  }
  return out;
}

Nodes elided_block(const Nodes& given, const Nodes& of_module, syntax::SyntaxArena& arena) {
  const auto inside = [&](const Nodes& inner, const Nodes& of_same) { return elided_block(inner, of_same, arena); };
  Nodes out;
  for (const Node one : given) {
    const Node same = only_one(of_module, beginning_of(*one));
    if (same == nullptr) {
      out.push_back(one);
    } else if (syntax::unparse(*same) != syntax::unparse(*one)) {
      out.push_back(has_one_line(*one) ? one : with_blocks(*one, *same, inside, arena));
    } else if (has_one_line(*one)) {
      const Node value = one->node("value");
      const bool plain = value->is("Name") || value->is("Constant");
      out.push_back(plain ? one : &with_field(*one, "value", ellipsis(arena), arena));
    } else {
      SyntaxNode& begun = with_field(*one, "body", Nodes{arena.filled("Expr", "value", ellipsis(arena))}, arena);
      out.push_back(one->nodes("orelse").empty() ? &begun : &with_field(begun, "orelse", Nodes{}, arena));
    }
  }
  return out;
}

bool is_elided(const SyntaxNode& statement) {
  if (has_one_line(statement)) return is_ellipsis(statement.node("value"));
  const Nodes& body = statement.nodes("body");
  return body.size() == 1 && body[0]->is("Expr") && is_ellipsis(body[0]->node("value"));
}

// The module's statements of one block, and how far an answer has come in them.
class Block {
 public:
  explicit Block(const Nodes& statements) : statements_(statements) {
    for (const Node one : statements) beginnings_.push_back(beginning_of(*one));
  }

  // The one that begins so; of several the first behind those that were taken. nullptr: there is none.
  Node take(const std::string& beginning) {
    if (beginning.empty()) return nullptr;
    const auto count = std::ranges::count(beginnings_, beginning);
    const std::size_t from = count > 1 ? behind_ : 0;
    for (std::size_t i = from; i < beginnings_.size(); ++i) {
      if (beginnings_[i] == beginning) return taken(i);
    }
    return nullptr;
  }
  // A statement that is written out may be the module's, too.
  void pass(const std::string& text) {
    for (std::size_t i = behind_; i < statements_.size(); ++i) {
      if (syntax::unparse(*statements_[i]) == text) return void(taken(i));
    }
  }

 private:
  Node taken(std::size_t i) {
    behind_ = i + 1;
    return statements_[i];
  }

  const Nodes& statements_;
  std::vector<std::string> beginnings_;
  std::size_t behind_ = 0;  // the last that was taken
};

Nodes whole_block(const Nodes& given, const Nodes& of_module, syntax::SyntaxArena& arena) {
  const auto inside = [&](const Nodes& inner, const Nodes& of_same) { return whole_block(inner, of_same, arena); };
  Block block(of_module);
  Nodes out;
  for (const Node one : given) {
    const bool begun = is_elided(*one), compound = !has_one_line(*one) && !one->nodes("body").empty();
    const Node same = begun || compound ? block.take(beginning_of(*one)) : nullptr;
    if (same == nullptr) {
      block.pass(syntax::unparse(*one));
      out.push_back(one);
    } else {
      out.push_back(begun ? same : with_blocks(*one, *same, inside, arena));
    }
  }
  return out;
}

}  // namespace

const SyntaxNode* elided(const SyntaxNode& function, const SyntaxNode& of_module, syntax::SyntaxArena& arena) {
  return &with_field(function, "body", elided_block(function.nodes("body"), of_module.nodes("body"), arena), arena);
}

const SyntaxNode* without_elisions(const SyntaxNode& function, const SyntaxNode& of_module,
                                   syntax::SyntaxArena& arena) {
  return &with_field(function, "body", whole_block(function.nodes("body"), of_module.nodes("body"), arena), arena);
}

}  // namespace tritonrl::teacher
