#include "teacher/operators/bind.h"

#include <algorithm>

#include "teacher/operators/argument_facts.h"

namespace tritonrl::teacher::operators {
namespace {

using syntax::SyntaxNode;

std::string_view last_word(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

std::optional<Bound> finished(std::optional<Bound> bound) {
  if (!bound || !fits(*bound)) return std::nullopt;
  return bound;
}

std::optional<Bound> bind_as(std::string_view name, const Given& given, const Facts& facts) {
  const Operator* op = find_operator(name);
  return finished(bind_given(*op, parameters_of(*op), given, facts));
}

// The argument at this place, or of one of these keywords; null: not given.
const SyntaxNode* argument(const Given& given, std::size_t place, std::string_view keyword) {
  if (place < given.positional.size()) return given.positional[place];
  for (const auto& [name, node] : given.keywords) {
    if (name == keyword) return node;
  }
  return nullptr;
}

// max(x), max(x, y), max(x, dim, keepdim)
std::optional<Bound> bind_extreme(bool greatest, const Given& given, const Facts& facts) {
  const SyntaxNode* second = argument(given, 1, "other");
  if (second != nullptr && fact_of(*second, facts).is_tensor()) {
    return bind_as(greatest ? "maximum" : "minimum", given, facts);
  }
  std::optional<Bound> bound = bind_as(greatest ? "amax" : "amin", given, facts);
  if (!bound || !bound->arguments[0].fact.is_tensor()) return std::nullopt;
  const Fact& dim = bound->find("dim")->fact;
  bound->pair = argument(given, 1, "dim") != nullptr && dim.kind != Fact::Kind::kNone;
  if (bound->pair && dim.kind != Fact::Kind::kInt) return std::nullopt;
  return bound;
}

// x.to(dtype), x.to(y), x.to(device), x.to(device, dtype), with keywords
std::optional<Bound> bind_to(const Given& given, const Facts& facts) {
  const Operator* op = find_operator("to");
  std::optional<Bound> bound = bind_given(*op, parameters_of(*op), {{given.positional.front()}, {}}, facts);
  Bound::Argument& dtype = bound->arguments[1];
  const auto take = [&](const SyntaxNode* node) {
    const Fact fact = fact_of(*node, facts);
    if (fact.is_tensor()) {
      dtype.node = node;
      dtype.fact = dtype_fact(fact.dtype);
    } else if (const auto named = dtype_of(fact)) {
      dtype.node = node;
      dtype.fact = dtype_fact(*named);
    }
  };
  for (std::size_t i = 1; i < given.positional.size(); ++i) take(given.positional[i]);
  for (const auto& [name, node] : given.keywords) {
    if (name == "dtype" || name == "other") take(node);
    if (name == "dtype" && dtype.node == nullptr && fact_of(*node, facts).kind != Fact::Kind::kNone)
      return std::nullopt;
  }
  return bound;
}

// arange(end), arange(start, end), arange(start, end, step)
std::optional<Bound> bind_arange(const Given& given, const Facts& facts) {
  const Operator* op = find_operator("arange");
  static const std::vector<Parameter> kEnd =
      read_parameters("end, start=0, step=1, *, dtype=None, device=None, requires_grad=False");
  static const std::vector<Parameter> kStart =
      read_parameters("start, end, step=1, dtype=None, device=None, requires_grad=False");
  return finished(bind_given(*op, given.positional.size() == 1 ? kEnd : kStart, given, facts));
}

// randint(high, size), randint(low, high, size)
std::optional<Bound> bind_randint(const Given& given, const Facts& facts) {
  const Operator* op = find_operator("randint");
  static const std::vector<Parameter> kHigh =
      read_parameters("high, size, low=0, *, dtype=None, device=None, generator=None, requires_grad=False");
  const SyntaxNode* second = argument(given, 1, "size");
  const bool is_high = second != nullptr && fact_of(*second, facts).kind == Fact::Kind::kList;
  return finished(bind_given(*op, is_high ? kHigh : parameters_of(*op), given, facts));
}

void refuse(Bound& bound) {
  bound.op = nullptr;
}

Fact& fact_at(Bound& bound, std::string_view parameter) {
  for (Bound::Argument& argument : bound.arguments) {
    if (argument.parameter == parameter) return argument.fact;
  }
  static Fact none;
  return none;
}

void refine_cast(Bound& bound, std::string_view path) {
  Fact& dtype = fact_at(bound, "dtype");
  if (path == ".type_as") {
    dtype.is_tensor() ? void(dtype = dtype_fact(dtype.dtype)) : refuse(bound);
  } else if (path == ".type") {
    const auto named = dtype_of(dtype);
    named ? void(dtype = dtype_fact(*named)) : refuse(bound);
  } else if (const auto named = dtype_named(last_word(path))) {
    dtype = dtype_fact(*named);
  }
}

}  // namespace

Special bind_special(std::string_view path, const Given& given, const Facts& facts) {
  const std::string_view word = last_word(path);
  if (word == "max" || word == "min") return {true, bind_extreme(word == "max", given, facts)};
  if (path == ".to") return {true, bind_to(given, facts)};
  if (path == "torch.arange") return {true, bind_arange(given, facts)};
  if (path == "torch.randint") return {true, bind_randint(given, facts)};
  return {};
}

void refine(Bound& bound, std::string_view path) {
  const std::string_view name = bound.op->name;
  if (name == "to") {
    refine_cast(bound, path);
  } else if (name == "cross_entropy") {
    const Fact& target = fact_at(bound, "target");
    if (target.is_tensor() && program::is_floating(target.dtype)) bound.op = find_operator("cross_entropy_soft");
  } else if (name == "cummax" || name == "cummin" || name == "sort" || name == "topk" || name == "kthvalue") {
    bound.pair = true;
  } else if (name == "median") {
    bound.pair = fact_at(bound, "dim").kind != Fact::Kind::kNone;
  } else if (name == "std" || name == "var" || name == "std_mean" || name == "var_mean") {
    // std(unbiased): a flag in the place of the dimension.
    if (fact_at(bound, "dim").kind == Fact::Kind::kBool) refuse(bound);
  } else if (path == "torch.linalg.norm") {
    // With an order and no single dimension it is the norm of a matrix.
    if (fact_at(bound, "p").kind != Fact::Kind::kNone && fact_at(bound, "dim").kind != Fact::Kind::kInt) refuse(bound);
  } else if (name == "norm") {
    // 'nuc', and 'fro' of torch.norm is the norm of all elements.
    const Fact& p = fact_at(bound, "p");
    if (p.kind == Fact::Kind::kText && p.text != "fro") refuse(bound);
  } else if (name == "gaussian_nll_loss") {
    // torch widens a variance that lacks the last dimension.
    const Fact &input = fact_at(bound, "input"), &var = fact_at(bound, "var");
    if (!var.is_tensor() || !input.is_tensor() || var.shape.size() != input.shape.size()) refuse(bound);
  }
}

}  // namespace tritonrl::teacher::operators
