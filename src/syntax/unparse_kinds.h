#pragma once

#include <string_view>

namespace tritonrl::syntax {

// Every class of nodes that stands in a tree of Python 3.11.
// clang-format off
#define TRITONRL_SYNTAX_KINDS(X)                                                                                  \
  X(Module) X(FunctionDef) X(AsyncFunctionDef) X(ClassDef) X(Return) X(Delete) X(Assign) X(AugAssign)             \
  X(AnnAssign) X(For) X(AsyncFor) X(While) X(If) X(With) X(AsyncWith) X(Match) X(Raise) X(Try) X(TryStar)         \
  X(Assert) X(Import) X(ImportFrom) X(Global) X(Nonlocal) X(Expr) X(Pass) X(Break) X(Continue) X(BoolOp)          \
  X(NamedExpr) X(BinOp) X(UnaryOp) X(Lambda) X(IfExp) X(Dict) X(Set) X(ListComp) X(SetComp) X(DictComp)           \
  X(GeneratorExp) X(Await) X(Yield) X(YieldFrom) X(Compare) X(Call) X(FormattedValue) X(JoinedStr) X(Constant)    \
  X(Attribute) X(Subscript) X(Starred) X(Name) X(List) X(Tuple) X(Slice) X(comprehension) X(ExceptHandler)        \
  X(arguments) X(arg) X(keyword) X(alias) X(withitem) X(match_case) X(MatchValue) X(MatchSingleton)               \
  X(MatchSequence) X(MatchMapping) X(MatchClass) X(MatchStar) X(MatchAs) X(MatchOr) X(And) X(Or) X(Add) X(Sub)    \
  X(Mult) X(MatMult) X(Div) X(Mod) X(Pow) X(LShift) X(RShift) X(BitOr) X(BitXor) X(BitAnd) X(FloorDiv)            \
  X(Invert) X(Not) X(UAdd) X(USub) X(Eq) X(NotEq) X(Lt) X(LtE) X(Gt) X(GtE) X(Is) X(IsNot) X(In) X(NotIn)         \
  X(Load) X(Store) X(Del)
// clang-format on

enum class SyntaxKind : unsigned char {
#define TRITONRL_SYNTAX_KIND(name) k##name,
  TRITONRL_SYNTAX_KINDS(TRITONRL_SYNTAX_KIND)
#undef TRITONRL_SYNTAX_KIND
      kUnknown
};

// Of a node's `kind`; kUnknown: Python has none of that name.
SyntaxKind syntax_kind(std::string_view name);
std::string_view syntax_name(SyntaxKind kind);

}  // namespace tritonrl::syntax
