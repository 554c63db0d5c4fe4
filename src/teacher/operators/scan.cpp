#include "teacher/operators/table.h"

// Running values along one dimension.
namespace tritonrl::teacher::operators {

std::vector<Operator> scan_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::string_view name, std::string_view parameters, std::vector<Recipe> recipes,
                          ResultType type = ResultType::kFirst) {
    all.push_back({.name = name,
                   .group = Group::kScan,
                   .parameters = parameters,
                   .rows = Rows::kDim,
                   .type = type,
                   .recipes = std::move(recipes)});
  };
  add("cumsum", "input, dim, *, dtype=None, out=None",
      {{"integral", "wide = input.to(tl.int64); cumsum(wide)"}, {"", "cumsum(input)"}}, ResultType::kPromoted);
  add("cumprod", "input, dim, *, dtype=None, out=None",
      {{"integral", "wide = input.to(tl.int64); cumprod(wide)"}, {"", "cumprod(input)"}}, ResultType::kPromoted);
  add("cummax", "input, dim, *, out=None", {{"", "cummax(input)"}});
  add("cummin", "input, dim, *, out=None", {{"", "cummin(input)"}});
  add("logcumsumexp", "input, dim, *, out=None", {});
  add("sort", "input, dim=-1, descending=False, stable=False, *, out=None", {});
  add("argsort", "input, dim=-1, descending=False, stable=False", {}, ResultType::kInt64);
  add("topk", "input, k, dim=-1, largest=True, sorted=True, *, out=None", {});
  add("median", "input, dim=None, keepdim=False, *, out=None", {});
  add("kthvalue", "input, k, dim=-1, keepdim=False, *, out=None", {});
  return all;
}

}  // namespace tritonrl::teacher::operators
