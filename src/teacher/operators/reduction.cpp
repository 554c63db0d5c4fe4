#include "teacher/operators/table.h"

// One value a row. Integers are summed and multiplied in 64 bits, as torch does.
namespace tritonrl::teacher::operators {

std::vector<Operator> reduction_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::string_view name, std::string_view parameters, std::vector<Recipe> recipes,
                          ResultType type = ResultType::kPromoted, double operations = 1) {
    all.push_back({.name = name,
                   .group = Group::kReduction,
                   .parameters = parameters,
                   .rows = Rows::kDim,
                   .type = type,
                   .recipes = std::move(recipes),
                   .operations = operations});
  };
  constexpr auto kFloat = ResultType::kFloat;
  add("sum", "input, dim=None, keepdim=False, *, dtype=None, out=None",
      {{"integral", "wide = input.to(tl.int64); sum(wide)"}, {"", "sum(input)"}});
  add("mean", "input, dim=None, keepdim=False, *, dtype=None, out=None", {{"", "total = sum(input); total / count"}},
      kFloat);
  add("prod", "input, dim=None, keepdim=False, *, dtype=None, out=None",
      {{"integral", "wide = input.to(tl.int64); prod(wide)"}, {"", "prod(input)"}});
  add("amax", "input, dim=None, keepdim=False, *, out=None", {{"", "max(input)"}}, ResultType::kFirst);
  add("amin", "input, dim=None, keepdim=False, *, out=None", {{"", "min(input)"}}, ResultType::kFirst);
  add("argmax", "input, dim=None, keepdim=False, *, out=None", {{"", "argmax(input)"}}, ResultType::kInt64);
  add("argmin", "input, dim=None, keepdim=False, *, out=None", {{"", "argmin(input)"}}, ResultType::kInt64);
  add("all", "input, dim=None, keepdim=False, *, out=None", {{"", "flag = input != 0; all(flag)"}}, ResultType::kBool);
  add("any", "input, dim=None, keepdim=False, *, out=None", {{"", "flag = input != 0; any(flag)"}}, ResultType::kBool);
  add("count_nonzero", "input, dim=None", {{"", "flag = (input != 0).to(tl.int64); sum(flag)"}}, ResultType::kInt64, 2);
  add("var", "input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None",
      {{"correction is None & unbiased",
        "total = sum(input); mean = total / count; diff = input - mean; square = diff * diff; spread = sum(square); "
        "spread / (count - 1)"},
       {"correction is None & not unbiased",
        "total = sum(input); mean = total / count; diff = input - mean; square = diff * diff; spread = sum(square); "
        "spread / count"},
       {"correction is not None",
        "total = sum(input); mean = total / count; diff = input - mean; square = diff * diff; spread = sum(square); "
        "spread / (count - correction)"}},
      kFloat, 4);
  add("std", "input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None",
      {{"correction is None & unbiased",
        "total = sum(input); mean = total / count; diff = input - mean; square = diff * diff; spread = sum(square); "
        "tl.sqrt(spread / (count - 1))"},
       {"correction is None & not unbiased",
        "total = sum(input); mean = total / count; diff = input - mean; square = diff * diff; spread = sum(square); "
        "tl.sqrt(spread / count)"},
       {"correction is not None",
        "total = sum(input); mean = total / count; diff = input - mean; square = diff * diff; spread = sum(square); "
        "tl.sqrt(spread / (count - correction))"}},
      kFloat, 4);
  // Pairs of two reductions; they stay in torch.
  add("var_mean", "input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None", {}, kFloat, 4);
  add("std_mean", "input, dim=None, unbiased=True, keepdim=False, *, correction=None, out=None", {}, kFloat, 4);
  add("norm", "input, p='fro', dim=None, keepdim=False, out=None, dtype=None",
      {{"p == 'fro'", "square = input * input; total = sum(square); tl.sqrt(total)"},
       {"p is None", "square = input * input; total = sum(square); tl.sqrt(total)"},
       {"p == 2", "square = input * input; total = sum(square); tl.sqrt(total)"},
       {"p == 1", "size = tl.abs(input); sum(size)"},
       {"p == inf", "size = tl.abs(input); max(size)"},
       {"p == -inf", "size = tl.abs(input); min(size)"},
       {"p == 0", "flag = (input != 0).to(tl.float32); sum(flag)"},
       {"p > 0", "power = libdevice.pow(tl.abs(input), p); total = sum(power); libdevice.pow(total, 1.0 / p)"}},
      kFloat, 2);
  add("logsumexp", "input, dim, keepdim=False, *, out=None",
      {{"", "high = max(input); diff = input - high; power = tl.exp(diff); total = sum(power); high + tl.log(total)"}},
      kFloat, 6);
  add("cosine_similarity", "x1, x2, dim=1, eps=1e-08",
      {{"",
        "product = x1 * x2; dot = sum(product); square1 = x1 * x1; length1 = sum(square1); square2 = x2 * x2; "
        "length2 = sum(square2); dot / (tl.maximum(tl.sqrt(length1), eps) * tl.maximum(tl.sqrt(length2), eps))"}},
      kFloat, 6);
  add("pairwise_distance", "x1, x2, p=2.0, eps=1e-06, keepdim=False",
      {{"p == 2", "diff = x1 - x2 + eps; square = diff * diff; total = sum(square); tl.sqrt(total)"},
       {"p == 1", "diff = tl.abs(x1 - x2 + eps); sum(diff)"},
       {"p > 0 & p != inf",
        "diff = tl.abs(x1 - x2 + eps); power = libdevice.pow(diff, p); total = sum(power); libdevice.pow(total, 1.0 / "
        "p)"}},
      kFloat, 4);
  all.back().rows = Rows::kLast;
  add("dist", "input, other, p=2",
      {{"p == 2", "diff = input - other; square = diff * diff; total = sum(square); tl.sqrt(total)"},
       {"p == 1", "diff = tl.abs(input - other); sum(diff)"}},
      kFloat, 3);
  all.back().rows = Rows::kAll;
  return all;
}

}  // namespace tritonrl::teacher::operators
