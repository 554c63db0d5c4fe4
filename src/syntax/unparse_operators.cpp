#include "base/check.h"
#include "syntax/unparse_kinds.h"
#include "syntax/unparse_writer.h"

namespace tritonrl::syntax {
namespace {

constexpr Binding next(Binding binding) {
  return binding == Binding::kAtom ? binding : static_cast<Binding>(static_cast<int>(binding) + 1);
}

std::string_view comparison(std::string_view kind) {
  switch (syntax_kind(kind)) {
    case SyntaxKind::kEq:
      return " == ";
    case SyntaxKind::kNotEq:
      return " != ";
    case SyntaxKind::kLt:
      return " < ";
    case SyntaxKind::kLtE:
      return " <= ";
    case SyntaxKind::kGt:
      return " > ";
    case SyntaxKind::kGtE:
      return " >= ";
    case SyntaxKind::kIs:
      return " is ";
    case SyntaxKind::kIsNot:
      return " is not ";
    case SyntaxKind::kIn:
      return " in ";
    default:
      TRL_CHECK(kind == "NotIn", "a comparison of Python");
      return " not in ";
  }
}

}  // namespace

BinaryOperator binary_operator(std::string_view kind) {
  switch (syntax_kind(kind)) {
    case SyntaxKind::kAdd:
      return {"+", Binding::kSum};
    case SyntaxKind::kSub:
      return {"-", Binding::kSum};
    case SyntaxKind::kMult:
      return {"*", Binding::kTerm};
    case SyntaxKind::kMatMult:
      return {"@", Binding::kTerm};
    case SyntaxKind::kDiv:
      return {"/", Binding::kTerm};
    case SyntaxKind::kMod:
      return {"%", Binding::kTerm};
    case SyntaxKind::kFloorDiv:
      return {"//", Binding::kTerm};
    case SyntaxKind::kLShift:
      return {"<<", Binding::kShift};
    case SyntaxKind::kRShift:
      return {">>", Binding::kShift};
    case SyntaxKind::kBitOr:
      return {"|", Binding::kBitOr};
    case SyntaxKind::kBitXor:
      return {"^", Binding::kBitXor};
    case SyntaxKind::kBitAnd:
      return {"&", Binding::kBitAnd};
    default:
      TRL_CHECK(kind == "Pow", "an operator of Python");
      return {"**", Binding::kPower};
  }
}

void UnparseWriter::binary(const SyntaxNode& node, Binding place) {
  const BinaryOperator op = binary_operator(node.node("op")->kind);
  const bool enclosed = place > op.binding, to_the_right = op.binding == Binding::kPower;
  open_if(enclosed);
  expression(node.node("left"), to_the_right ? next(op.binding) : op.binding);
  ((out_ += ' ') += op.sign) += ' ';
  expression(node.node("right"), to_the_right ? op.binding : next(op.binding));
  close_if(enclosed);
}

void UnparseWriter::unary(const SyntaxNode& node, Binding place) {
  const SyntaxKind kind = syntax_kind(node.node("op")->kind);
  const Binding own = kind == SyntaxKind::kNot ? Binding::kNot : Binding::kFactor;
  const bool enclosed = place > own;
  open_if(enclosed);
  out_ += kind == SyntaxKind::kNot ? "not " : kind == SyntaxKind::kUSub ? "-" : kind == SyntaxKind::kInvert ? "~" : "+";
  expression(node.node("operand"), own);
  close_if(enclosed);
}

// Each value is asked to bind tighter than the one before, as Python's own unparse has it.
void UnparseWriter::boolean(const SyntaxNode& node, Binding place) {
  const bool conjunction = node.node("op")->is("And");
  Binding binding = conjunction ? Binding::kAnd : Binding::kOr;
  const bool enclosed = place > binding;
  open_if(enclosed);
  const Nodes& values = node.nodes("values");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) out_ += conjunction ? " and " : " or ";
    binding = next(binding);
    expression(values[i], binding);
  }
  close_if(enclosed);
}

void UnparseWriter::compare(const SyntaxNode& node, Binding place) {
  const bool enclosed = place > Binding::kCompare;
  open_if(enclosed);
  expression(node.node("left"), Binding::kBitOr);
  const Nodes &ops = node.nodes("ops"), &comparators = node.nodes("comparators");
  TRL_CHECK(ops.size() == comparators.size(), "a comparison has an operand an operator");
  for (std::size_t i = 0; i < ops.size(); ++i) {
    out_ += comparison(ops[i]->kind);
    expression(comparators[i], Binding::kBitOr);
  }
  close_if(enclosed);
}

void UnparseWriter::conditional(const SyntaxNode& node, Binding place) {
  const bool enclosed = place > Binding::kTest;
  open_if(enclosed);
  expression(node.node("body"), Binding::kOr);
  out_ += " if ";
  expression(node.node("test"), Binding::kOr);
  out_ += " else ";
  expression(node.node("orelse"), Binding::kTest);
  close_if(enclosed);
}

void UnparseWriter::lambda(const SyntaxNode& node, Binding place) {
  const bool enclosed = place > Binding::kTest;
  open_if(enclosed);
  out_ += "lambda ";
  const std::size_t before = out_.size();
  if (Node parameters = node.node("args")) arguments(*parameters);
  if (out_.size() == before) out_.pop_back();
  out_ += ": ";
  expression(node.node("body"), Binding::kTest);
  close_if(enclosed);
}

void UnparseWriter::keyword_form(const SyntaxNode& node, std::string_view word, Binding own, Binding place) {
  const bool enclosed = place > own;
  open_if(enclosed);
  out_ += word;
  if (Node value = node.node("value")) {
    out_ += ' ';
    expression(value, Binding::kAtom);
  }
  close_if(enclosed);
}

}  // namespace tritonrl::syntax
