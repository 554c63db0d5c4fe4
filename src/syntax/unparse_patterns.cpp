#include "syntax/unparse_kinds.h"
#include "syntax/unparse_writer.h"

namespace tritonrl::syntax {

void UnparseWriter::match(const SyntaxNode& node) {
  fill("match ");
  expression(node.node("subject"));
  out_ += ':';
  ++indent_;
  for (Node branch : node.nodes("cases")) {
    fill("case ");
    expression(branch->node("pattern"));
    if (Node guard = branch->node("guard")) {
      out_ += " if ";
      expression(guard);
    }
    block(branch->nodes("body"));
  }
  --indent_;
}

bool UnparseWriter::pattern(const SyntaxNode& node, Binding place) {
  const Nodes& patterns = node.nodes("patterns");
  switch (syntax_kind(node.kind)) {
    case SyntaxKind::kMatchValue:
      expression(node.node("value"));
      return true;
    case SyntaxKind::kMatchSingleton:
      constant_value(*node.field("value"));
      return true;
    case SyntaxKind::kMatchSequence:
      out_ += '[';
      comma_list(patterns);
      out_ += ']';
      return true;
    case SyntaxKind::kMatchStar:
      out_ += '*';
      out_ += node.text("name").empty() ? "_" : node.text("name");
      return true;
    case SyntaxKind::kMatchMapping: {
      const Nodes& keys = node.nodes("keys");
      out_ += '{';
      for (std::size_t i = 0; i < keys.size() && i < patterns.size(); ++i) {
        if (i != 0) out_ += ", ";
        expression(keys[i]);
        out_ += ": ";
        expression(patterns[i]);
      }
      if (const std::string_view rest = node.text("rest"); !rest.empty())
        ((out_ += keys.empty() ? "" : ", ") += "**") += rest;
      out_ += '}';
      return true;
    }
    case SyntaxKind::kMatchClass: {
      expression(node.node("cls"), Binding::kAtom);
      out_ += '(';
      comma_list(patterns);
      const SyntaxValue* names = node.field("kwd_attrs");
      const auto* words = names == nullptr ? nullptr : std::get_if<std::vector<std::string>>(names);
      const Nodes& named = node.nodes("kwd_patterns");
      for (std::size_t i = 0; words != nullptr && i < words->size() && i < named.size(); ++i) {
        if (i != 0 || !patterns.empty()) out_ += ", ";
        (out_ += (*words)[i]) += '=';
        expression(named[i]);
      }
      out_ += ')';
      return true;
    }
    case SyntaxKind::kMatchAs: {
      const std::string_view name = node.text("name");
      Node inner = node.node("pattern");
      const bool enclosed = inner != nullptr && !name.empty() && place > Binding::kTest;
      open_if(enclosed);
      if (inner != nullptr && !name.empty()) {
        expression(inner, Binding::kBitOr);
        out_ += " as ";
      }
      out_ += name.empty() ? "_" : name;
      close_if(enclosed);
      return true;
    }
    case SyntaxKind::kMatchOr: {
      const bool enclosed = place > Binding::kBitOr;
      open_if(enclosed);
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        if (i != 0) out_ += " | ";
        expression(patterns[i], Binding::kBitXor);
      }
      close_if(enclosed);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace tritonrl::syntax
