#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

enum class Group : std::uint8_t {
  kPointwise,
  kReduction,
  kNormalisation,
  kLoss,
  kScan,
  kPooling,
  kMovement,
  kHeavy,
  kOther,  // dropout, embedding, creation
};

// What the reductions of a recipe run over.
enum class Rows : std::uint8_t {
  kNone,     // it has none
  kDim,      // the parameters `dim` (one, several, None: all) and `keepdim`
  kLast,     // the last so many dimensions as `normalized_shape` is long; the last one where there is no such parameter
  kSpatial,  // all but the first two: instance norm
  kGroups,   // of each sample, the channels of a group and all positions: group norm, `num_groups`
  kPerChannel,  // all but dimension 1: batch norm
  kClasses,     // dimension 1, or the only one: cross entropy, nll
  kAll,
};

enum class ResultType : std::uint8_t {
  kPromoted,  // of torch's promotion over the tensors and numbers
  kFloat,     // the same, and integers become float32 (their values before the recipe too): sigmoid, div, mean
  kBool,
  kInt64,
  kFirst,  // of the first tensor
};

// How the value of the operator is computed in Triton, one statement a kernel line:
//   "m = max(input); d = input - m; e = tl.exp(d); s = sum(e); e / s"
// The names are the operator's parameters and what was assigned before; the last statement is the value. A statement is
// one expression in Python's normal form over names, numbers, `tl.` and `libdevice.` functions, or exactly one of
//   sum(v) max(v) min(v) prod(v) any(v) all(v) argmax(v) argmin(v)   over the rows
//   cumsum(v) cumprod(v) cummax(v) cummin(v)                         along the rows
// Free names: `count` (how many elements a row has), `place` (index of the element in its row). Every use of an operand
// is a plain name. A parameter that is None, a text or a list never stands in the recipe that its condition chooses.
// Casts are written `name.to(tl.int64)`; one to a short float goes back to float32, in which kernels compute.
struct Recipe {
  // Conditions that must all hold, joined by " & ": "approximate == 'tanh'", "weight is None", "p == 2", "training",
  // "not training", "p > 0", "input is number", "other is float" (a tensor or a number); `ndim` is the rank of the
  // first tensor, `integral` holds where torch computes in integers or booleans. A value that is not known fulfils
  // neither a condition nor its opposite. Empty: always.
  std::string_view when;
  std::string_view text;
};

// What an entry of program/operators/ says for the teacher.
struct Operator {
  std::string_view name;  // one name whatever the spelling
  Group group = Group::kPointwise;
  // As torch declares them, in order, with the defaults of the function: "input, negative_slope=0.01, inplace=False".
  // Tensor parameters that may be missing: "weight=None". Behind a lone "*" they are given by keyword only; "*dims"
  // takes one list or as many arguments as there are.
  std::string_view parameters;
  Rows rows = Rows::kNone;
  ResultType type = ResultType::kPromoted;
  // The first whose conditions hold; none holds: the operator stays in torch. Heavy operators, pooling and movement
  // have none: kernels/source_kernel.h writes what it can of them.
  std::vector<Recipe> recipes = {};
  // "reduction": the value is reduced over everything as the parameter `reduction` says ('mean', 'sum', 'none',
  // 'batchmean': the sum over the size of dimension 0), in a region of its own. Empty: no.
  std::string_view then = {};
  bool computes = true;  // its result is a tensor of its own with new values; else it moves, makes or looks at some
  bool exact = false;    // one rounding or none: whoever computes it gets the same
  std::string_view channel_parameters = {};  // "weight, bias": of shape (C,), they stand against dimension 1
  std::string_view row_parameters = {};      // "target": of the shape of the rows' results, one value a row
};

// All operators, in the table's order.
std::span<const Operator> all_operators();
const Operator* find_operator(std::string_view name);

// An operator found in a program text, with what stands for its parameters.
struct Bound {
  const Operator* op = nullptr;
  struct Argument {
    std::string_view parameter;
    const syntax::SyntaxNode* node = nullptr;  // the expression that was given; null: the default, or of a module
    std::string attribute;  // of a module: where its value is, below the module: "negative_slope", "weight"
    Fact fact;              // of the value: kNone for None; of a dtype kOther with its name as text, "float32"
    std::vector<const syntax::SyntaxNode*> nodes;  // of "*dims" given as several arguments; `node` is then null
  };
  std::vector<Argument> arguments = {};        // one a parameter, in their order
  const syntax::SyntaxNode* module = nullptr;  // of a module: the expression that is called ("self.act")
  bool in_place = false;                       // x.f_(), x += y; parameters `inplace` are arguments as others are
  bool pair = false;  // max, min, with `dim`, cummax, cummin, …: values and indices, of which `op` is the values

  const Argument* find(std::string_view parameter) const;
};

// Binds an expression's arguments to an operator's parameters. None: it is no operator of the table, or is called in a
// way that the table does not describe (a starred argument, an unknown keyword, out=, an argument of unknown kind).
//   function  torch.f(x, ...), F.f(x, ...): `path` is the resolved name, "torch.nn.functional.gelu"
//   method    x.f(...)                    : `path` is ".f", the receiver is the first argument; f_ is f
//   sign      a + b, -a, a > b, a @ b     : `node` is BinOp, UnaryOp, Compare (one comparison), AugAssign
//   module    self.act(x)                 : the fact of the callee is a module of torch.nn
// torch.max and min with two tensors are maximum and minimum; with `dim` they give pairs and are amax and amin: `item`
// 0 is asked for by whoever subscripts them. x.float(), .to(dtype), .type_as(y), .double() are casts.
std::optional<Bound> bind_call(const syntax::SyntaxNode& call, std::string_view path, const Facts& facts);
std::optional<Bound> bind_module(const syntax::SyntaxNode& call, const Facts& facts);
std::optional<Bound> bind_sign(const syntax::SyntaxNode& expression, const Facts& facts);
//   attribute x.T, x.mT, x.data          : views that are spelt as attributes
std::optional<Bound> bind_attribute(const syntax::SyntaxNode& attribute, const Facts& facts);

// The tensor that x[1, :, None, ..., mask_of_known_sizes] gives. Unknown: not told by the sizes, or not understood.
Fact subscript_fact(const syntax::SyntaxNode& subscript, const Facts& facts);

// The recipe that holds for these arguments; null: none.
const Recipe* choose_recipe(const Bound& bound);

// The type of the result; several for operators that give tuples (chunk, split, max with dim). Empty: not known. For
// all operators of the table, movement, pooling and heavy ones included.
std::vector<Fact> result_facts(const Bound& bound);

}  // namespace tritonrl::teacher
