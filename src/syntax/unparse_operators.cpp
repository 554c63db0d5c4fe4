#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "syntax/unparse_kinds.h"
#include "syntax/unparse_writer.h"

namespace tritonrl::syntax {
namespace {

constexpr Binding next(Binding binding) {
  return binding == Binding::kAtom ? binding : static_cast<Binding>(static_cast<int>(binding) + 1);
}

struct OperatorRow {
  SyntaxKind kind;
  BinaryOperator op;
};
constexpr OperatorRow kOperators[] = {
    {SyntaxKind::kAdd, {"+", Binding::kSum}},
    {SyntaxKind::kSub, {"-", Binding::kSum}},
    {SyntaxKind::kMult, {"*", Binding::kTerm}},
    {SyntaxKind::kMatMult, {"@", Binding::kTerm}},
    {SyntaxKind::kDiv, {"/", Binding::kTerm}},
    {SyntaxKind::kMod, {"%", Binding::kTerm}},
    {SyntaxKind::kFloorDiv, {"//", Binding::kTerm}},
    {SyntaxKind::kLShift, {"<<", Binding::kShift}},
    {SyntaxKind::kRShift, {">>", Binding::kShift}},
    {SyntaxKind::kBitOr, {"|", Binding::kBitOr}},
    {SyntaxKind::kBitXor, {"^", Binding::kBitXor}},
    {SyntaxKind::kBitAnd, {"&", Binding::kBitAnd}},
    {SyntaxKind::kPow, {"**", Binding::kPower}},
    {SyntaxKind::kEq, {"==", Binding::kCompare}},
    {SyntaxKind::kNotEq, {"!=", Binding::kCompare}},
    {SyntaxKind::kLt, {"<", Binding::kCompare}},
    {SyntaxKind::kLtE, {"<=", Binding::kCompare}},
    {SyntaxKind::kGt, {">", Binding::kCompare}},
    {SyntaxKind::kGtE, {">=", Binding::kCompare}},
    {SyntaxKind::kIs, {"is", Binding::kCompare}},
    {SyntaxKind::kIsNot, {"is not", Binding::kCompare}},
    {SyntaxKind::kIn, {"in", Binding::kCompare}},
    {SyntaxKind::kNotIn, {"not in", Binding::kCompare}},
};

BinaryOperator operator_of(std::string_view name) {
  const auto* row = std::find_if(std::begin(kOperators), std::end(kOperators),
                                 [kind = syntax_kind(name)](const OperatorRow& each) { return each.kind == kind; });
  TRL_CHECK(row != std::end(kOperators), "an operator of Python");
  return row->op;
}

}  // namespace

BinaryOperator binary_operator(std::string_view kind) {
  const BinaryOperator op = operator_of(kind);
  TRL_CHECK(op.binding != Binding::kCompare, "an operator of Python");
  return op;
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
    const BinaryOperator op = operator_of(ops[i]->kind);
    TRL_CHECK(op.binding == Binding::kCompare, "a comparison of Python");
    ((out_ += ' ') += op.sign) += ' ';
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
