#include "syntax/unparse_kinds.h"
#include "syntax/unparse_literals.h"
#include "syntax/unparse_writer.h"

namespace tritonrl::syntax {
namespace {

// The text of a body's first statement if it is one that documents.
const SyntaxNode* docstring_of(const std::vector<const SyntaxNode*>& body) {
  if (body.empty() || !body.front()->is("Expr")) return nullptr;
  const SyntaxNode* value = body.front()->node("value");
  if (value == nullptr || !value->is("Constant")) return nullptr;
  const SyntaxValue* held = value->field("value");
  return held != nullptr && std::holds_alternative<std::string>(*held) ? value : nullptr;
}

}  // namespace

void UnparseWriter::any(const SyntaxNode& node) {
  if (node.is("Module")) return documented_body(node.nodes("body"));
  if (!statement(node)) expression(&node);
}

bool UnparseWriter::statement(const SyntaxNode& node) {
  switch (syntax_kind(node.kind)) {
    case SyntaxKind::kFunctionDef:
      return function(node, "def "), true;
    case SyntaxKind::kAsyncFunctionDef:
      return function(node, "async def "), true;
    case SyntaxKind::kClassDef:
      return class_definition(node), true;
    case SyntaxKind::kReturn:
      fill("return");
      if (Node value = node.node("value")) {
        out_ += ' ';
        expression(value);
      }
      return true;
    case SyntaxKind::kDelete:
      fill("del ");
      return comma_list(node.nodes("targets")), true;
    case SyntaxKind::kAssign:
      return assign(node), true;
    case SyntaxKind::kAugAssign:
      fill("");
      expression(node.node("target"));
      out_ += ' ';
      (out_ += binary_operator(node.node("op")->kind).sign) += "= ";
      return expression(node.node("value")), true;
    case SyntaxKind::kAnnAssign:
      return annotated_assign(node), true;
    case SyntaxKind::kFor:
      return for_loop(node, "for "), true;
    case SyntaxKind::kAsyncFor:
      return for_loop(node, "async for "), true;
    case SyntaxKind::kWhile:
      fill("while ");
      expression(node.node("test"));
      block(node.nodes("body"));
      return else_block(node, "orelse", "else"), true;
    case SyntaxKind::kIf:
      return if_chain(node), true;
    case SyntaxKind::kWith:
      return with(node, "with "), true;
    case SyntaxKind::kAsyncWith:
      return with(node, "async with "), true;
    case SyntaxKind::kMatch:
      return match(node), true;
    case SyntaxKind::kRaise:
      fill("raise");
      if (Node exception = node.node("exc")) {
        out_ += ' ';
        expression(exception);
      }
      if (Node cause = node.node("cause")) {
        out_ += " from ";
        expression(cause);
      }
      return true;
    case SyntaxKind::kTry:
      return try_block(node, /*star=*/false), true;
    case SyntaxKind::kTryStar:
      return try_block(node, /*star=*/true), true;
    case SyntaxKind::kAssert:
      fill("assert ");
      expression(node.node("test"));
      if (Node message = node.node("msg")) {
        out_ += ", ";
        expression(message);
      }
      return true;
    case SyntaxKind::kImport:
      fill("import ");
      return comma_list(node.nodes("names")), true;
    case SyntaxKind::kImportFrom:
      return import_from(node), true;
    case SyntaxKind::kGlobal:
      return words("global ", node), true;
    case SyntaxKind::kNonlocal:
      return words("nonlocal ", node), true;
    case SyntaxKind::kExpr:
      fill("");
      return expression(node.node("value"), Binding::kYield), true;
    case SyntaxKind::kPass:
      return fill("pass"), true;
    case SyntaxKind::kBreak:
      return fill("break"), true;
    case SyntaxKind::kContinue:
      return fill("continue"), true;
    default:
      return false;
  }
}

void UnparseWriter::fill(std::string_view text) {
  blank_line();
  out_.append(static_cast<std::size_t>(indent_) * 4, ' ');
  out_ += text;
}

void UnparseWriter::blank_line() {
  if (out_.size() != begin_) out_ += '\n';
}

void UnparseWriter::block(const Nodes& body) {
  out_ += ':';
  ++indent_;
  for (Node node : body) any(*node);
  --indent_;
}

void UnparseWriter::documented_body(const Nodes& body) {
  Node text = docstring_of(body);
  if (text != nullptr) docstring(*text);
  for (std::size_t i = text != nullptr ? 1 : 0; i < body.size(); ++i) any(*body[i]);
}

void UnparseWriter::else_block(const SyntaxNode& node, std::string_view field, std::string_view word) {
  const Nodes& body = node.nodes(field);
  if (body.empty()) return;
  fill(word);
  block(body);
}

void UnparseWriter::decorators(const SyntaxNode& node) {
  blank_line();
  for (Node decorator : node.nodes("decorator_list")) {
    fill("@");
    expression(decorator);
  }
}

void UnparseWriter::function(const SyntaxNode& node, std::string_view word) {
  decorators(node);
  fill(word);
  (out_ += node.text("name")) += '(';
  if (Node parameters = node.node("args")) arguments(*parameters);
  out_ += ')';
  if (Node returns = node.node("returns")) {
    out_ += " -> ";
    expression(returns);
  }
  out_ += ':';
  ++indent_;
  documented_body(node.nodes("body"));
  --indent_;
}

void UnparseWriter::class_definition(const SyntaxNode& node) {
  decorators(node);
  fill("class ");
  out_ += node.text("name");
  const Nodes &bases = node.nodes("bases"), &keywords = node.nodes("keywords");
  if (!bases.empty() || !keywords.empty()) call_arguments(bases, keywords);
  out_ += ':';
  ++indent_;
  documented_body(node.nodes("body"));
  --indent_;
}

void UnparseWriter::for_loop(const SyntaxNode& node, std::string_view word) {
  fill(word);
  expression(node.node("target"), Binding::kTuple);
  out_ += " in ";
  expression(node.node("iter"));
  block(node.nodes("body"));
  else_block(node, "orelse", "else");
}

void UnparseWriter::if_chain(const SyntaxNode& node) {
  Node branch = &node;
  for (std::string_view word = "if ";; word = "elif ") {
    fill(word);
    expression(branch->node("test"));
    block(branch->nodes("body"));
    const Nodes& rest = branch->nodes("orelse");
    if (rest.size() != 1 || !rest.front()->is("If")) break;
    branch = rest.front();
  }
  else_block(*branch, "orelse", "else");
}

void UnparseWriter::with(const SyntaxNode& node, std::string_view word) {
  fill(word);
  comma_list(node.nodes("items"));
  block(node.nodes("body"));
}

void UnparseWriter::try_block(const SyntaxNode& node, bool star) {
  fill("try");
  block(node.nodes("body"));
  for (Node handler : node.nodes("handlers")) {
    fill(star ? "except*" : "except");
    if (Node type = handler->node("type")) {
      out_ += ' ';
      expression(type);
    }
    if (const std::string_view name = handler->text("name"); !name.empty()) (out_ += " as ") += name;
    block(handler->nodes("body"));
  }
  else_block(node, "orelse", "else");
  else_block(node, "finalbody", "finally");
}

void UnparseWriter::import_from(const SyntaxNode& node) {
  fill("from ");
  const SyntaxValue* level = node.field("level");
  if (level != nullptr && std::holds_alternative<std::int64_t>(*level))
    out_.append(static_cast<std::size_t>(std::get<std::int64_t>(*level)), '.');
  (out_ += node.text("module")) += " import ";
  comma_list(node.nodes("names"));
}

void UnparseWriter::assign(const SyntaxNode& node) {
  fill("");
  for (Node target : node.nodes("targets")) {
    expression(target, Binding::kTuple);
    out_ += " = ";
  }
  expression(node.node("value"));
  if (const std::string_view comment = node.text("type_comment"); !comment.empty()) (out_ += " # type: ") += comment;
}

void UnparseWriter::annotated_assign(const SyntaxNode& node) {
  fill("");
  Node target = node.node("target");
  const SyntaxValue* simple = node.field("simple");
  const bool bare = simple != nullptr && *simple == SyntaxValue(std::int64_t{0}) && target->is("Name");
  open_if(bare);
  expression(target);
  close_if(bare);
  out_ += ": ";
  expression(node.node("annotation"));
  if (Node value = node.node("value")) {
    out_ += " = ";
    expression(value);
  }
}

void UnparseWriter::words(std::string_view word, const SyntaxNode& node) {
  fill(word);
  const SyntaxValue* names = node.field("names");
  const auto* texts = names == nullptr ? nullptr : std::get_if<std::vector<std::string>>(names);
  if (texts == nullptr) return;
  for (std::size_t i = 0; i < texts->size(); ++i) (out_ += i == 0 ? "" : ", ") += (*texts)[i];
}

void UnparseWriter::docstring(const SyntaxNode& node) {
  fill("");
  if (node.text("kind") == "u") out_ += 'u';
  append_quoted(node.text("value"), {std::begin(kLongQuotes), std::end(kLongQuotes)}, out_);
}

}  // namespace tritonrl::syntax
