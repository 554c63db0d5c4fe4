#include <gtest/gtest.h>

#include "tests/teacher/operators/bound_expression.h"

namespace tritonrl::teacher {
namespace {

using program::DType;

Fact module_of(std::string_view name, std::vector<std::pair<std::string, Fact>> attributes) {
  Fact module{.kind = Fact::Kind::kModule};
  module.text = name;
  module.attributes = std::move(attributes);
  module.attributes.emplace_back("training", Fact::truth(true));
  return module;
}

const NamedFacts& names() {
  static const NamedFacts kNames{
      {"x", Fact::tensor(DType::kFloat32, {2, 3, 4})},
      {"y", Fact::tensor(DType::kFloat32, {4})},
      {"i", Fact::tensor(DType::kInt64, {2, 3, 4})},
      {"mask", Fact::tensor(DType::kBool, {2, 3, 4})},
      {"n", Fact::whole(4)},
      {"device", Fact{.kind = Fact::Kind::kOther}},
      {"act", module_of("LeakyReLU", {{"negative_slope", Fact::real(0.2)}, {"inplace", Fact::truth(false)}})},
      {"norm", module_of("BatchNorm1d", {{"weight", Fact::tensor(DType::kFloat32, {3})},
                                         {"bias", Fact::tensor(DType::kFloat32, {3})},
                                         {"running_mean", Fact::none()},
                                         {"running_var", Fact::none()},
                                         {"momentum", Fact::real(0.1)},
                                         {"eps", Fact::real(1e-5)}})},
      {"far", module_of("PairwiseDistance",
                        {{"norm", Fact::real(1.0)}, {"eps", Fact::real(1e-6)}, {"keepdim", Fact::truth(false)}})},
      {"half_told", module_of("ELU", {})},
      {"circular", module_of("Conv1d", {{"weight", Fact::tensor(DType::kFloat32, {3, 3, 1})},
                                        {"bias", Fact::none()},
                                        {"stride", Fact::list({Fact::whole(1)})},
                                        {"padding", Fact::list({Fact::whole(0)})},
                                        {"dilation", Fact::list({Fact::whole(1)})},
                                        {"groups", Fact::whole(1)},
                                        {"padding_mode", Fact::words("circular")}})},
  };
  return kNames;
}

// "name(parameter=value, …)": what was given and is no default; a tensor by its rank, "-" where it was not bound.
std::string bound(std::string_view text) {
  const BoundExpression expression(text, names());
  if (!expression.bound()) return "-";
  const Bound& found = *expression.bound();
  std::string out = std::string(found.op->name) + (found.in_place ? "!" : "") + (found.pair ? " pair" : "") + "(";
  bool first = true;
  for (const Bound::Argument& argument : found.arguments) {
    if (argument.node == nullptr && argument.nodes.empty() && argument.attribute.empty()) continue;
    if (!first) out += ", ";
    first = false;
    out += std::string(argument.parameter) + "=";
    switch (argument.fact.kind) {
      case Fact::Kind::kTensor:
        out += "t" + std::to_string(argument.fact.shape.size());
        break;
      case Fact::Kind::kInt:
      case Fact::Kind::kBool:
        out += std::to_string(argument.fact.integer);
        break;
      case Fact::Kind::kList:
        out += "[" + std::to_string(argument.fact.items.size()) + "]";
        break;
      case Fact::Kind::kNone:
        out += "None";
        break;
      default:
        out += argument.fact.text.empty() ? "value" : argument.fact.text;
    }
    if (!argument.attribute.empty()) out += " of ." + argument.attribute;
  }
  return out + ")";
}

TEST(Binding, FunctionsMethodsSigns) {
  EXPECT_EQ(bound("F.relu(x)"), "relu(input=t3)");
  EXPECT_EQ(bound("F.relu(x, inplace=True)"), "relu(input=t3, inplace=1)");
  EXPECT_EQ(bound("torch.add(x, y, alpha=2)"), "add(input=t3, other=t1, alpha=2)");
  EXPECT_EQ(bound("x.add_(y)"), "add!(input=t3, other=t1)");
  EXPECT_EQ(bound("x + y"), "add(input=t3, other=t1)");
  EXPECT_EQ(bound("1 - x"), "sub(input=1, other=t3)");
  EXPECT_EQ(bound("-x"), "neg(input=t3)");
  EXPECT_EQ(bound("x > n"), "gt(input=t3, other=4)");
  EXPECT_EQ(bound("x @ y"), "matmul(input=t3, other=t1)");
  EXPECT_EQ(bound("x += y"), "add!(input=t3, other=t1)");
  EXPECT_EQ(bound("torch.special.expit(x)"), "sigmoid(input=t3)");
  EXPECT_EQ(bound("x.clip(min=0)"), "clamp(input=t3, min=0)");
  EXPECT_EQ(bound("torch.clamp(input=x, max=n)"), "clamp(input=t3, max=4)");
}

TEST(Binding, NamesOfOtherMeaningAreNotBound) {
  EXPECT_EQ(bound("torch.nansum(x)"), "-");
  EXPECT_EQ(bound("torch.float_power(x, 2)"), "-");
  EXPECT_EQ(bound("torch.linalg.matrix_norm(x)"), "-");
  EXPECT_EQ(bound("torch.special.erfcx(x)"), "-");
  EXPECT_EQ(bound("torch.unknown(x)"), "-");
  EXPECT_EQ(bound("math.exp(n)"), "-");
  EXPECT_EQ(bound("torch.logaddexp2(x, y)"), "logaddexp2(input=t3, other=t1)");
}

TEST(Binding, CallsThatTheTableDoesNotDescribe) {
  EXPECT_EQ(bound("torch.add(x, y, out=x)"), "-");
  EXPECT_EQ(bound("F.relu(x, strange=1)"), "-");
  EXPECT_EQ(bound("F.relu(*x)"), "-");
  EXPECT_EQ(bound("F.relu(x, True, 3)"), "-");
  EXPECT_EQ(bound("F.relu()"), "-");
  EXPECT_EQ(bound("F.relu(unknown)"), "-");
  EXPECT_EQ(bound("F.mse_loss(x, x, size_average=True)"), "-");
  EXPECT_EQ(bound("torch.softmax(x, 1, dtype=torch.float64)"), "-");
  EXPECT_EQ(bound("torch.softmax(x, 1, dtype=torch.float32)"), "softmax(input=t3, dim=1, dtype=float32)");
  EXPECT_EQ(bound("x < y < 3"), "-");
  EXPECT_EQ(bound("n + 1"), "-");
}

TEST(Binding, ManyArguments) {
  EXPECT_EQ(bound("x.view(2, -1)"), "view(input=t3, shape=[2])");
  EXPECT_EQ(bound("x.view((2, -1))"), "view(input=t3, shape=[2])");
  EXPECT_EQ(bound("torch.permute(x, (0, 2, 1))"), "permute(input=t3, dims=[3])");
  EXPECT_EQ(bound("x.permute(dims=(0, 2, 1))"), "permute(input=t3, dims=[3])");
  EXPECT_EQ(bound("torch.zeros(2, n)"), "zeros(size=[2])");
  EXPECT_EQ(bound("torch.zeros((2, n), device=device)"), "zeros(size=[2], device=value)");
}

TEST(Binding, DimensionsUnderBothNames) {
  EXPECT_EQ(bound("x.sum(axis=1, keepdims=True)"), "sum(input=t3, dim=1, keepdim=1)");
  EXPECT_EQ(bound("x.mean((1, 2))"), "mean(input=t3, dim=[2])");
  EXPECT_EQ(bound("F.softmax(x, -1)"), "softmax(input=t3, dim=-1)");
  EXPECT_EQ(bound("torch.std(x, 1, False)"), "std(input=t3, dim=1, unbiased=0)");
  EXPECT_EQ(bound("torch.std(x, False)"), "-");
}

TEST(Binding, GreatestAndLeast) {
  EXPECT_EQ(bound("torch.max(x)"), "amax(input=t3)");
  EXPECT_EQ(bound("torch.max(x, y)"), "maximum(input=t3, other=t1)");
  EXPECT_EQ(bound("x.max(dim=1)"), "amax pair(input=t3, dim=1)");
  EXPECT_EQ(bound("x.min(1, keepdim=True)"), "amin pair(input=t3, dim=1, keepdim=1)");
  EXPECT_EQ(bound("torch.fmax(x, y)"), "maximum(input=t3, other=t1)");
}

TEST(Binding, Casts) {
  EXPECT_EQ(bound("x.float()"), "to(input=t3)");
  EXPECT_EQ(bound("x.to(torch.half)"), "to(input=t3, dtype=float16)");
  EXPECT_EQ(bound("x.to(device)"), "to(input=t3)");
  EXPECT_EQ(bound("x.to(device, dtype=torch.int64)"), "to(input=t3, dtype=int64)");
  EXPECT_EQ(bound("x.to(i)"), "to(input=t3, dtype=int64)");
  EXPECT_EQ(bound("x.type_as(i)"), "to(input=t3, dtype=int64)");
  EXPECT_EQ(bound("x.to(i.dtype)"), "to(input=t3, dtype=int64)");
}

TEST(Binding, OrdersOfTheirOwn) {
  EXPECT_EQ(bound("x.where(mask, 0.0)"), "where(condition=t3, input=t3, other=value)");
  EXPECT_EQ(bound("torch.randint(0, 5, (2, 3))"), "randint(low=0, high=5, size=[2])");
  EXPECT_EQ(bound("torch.randint(5, (2, 3))"), "randint(high=5, size=[2])");
  EXPECT_EQ(bound("torch.arange(n)"), "arange(end=4)");
  EXPECT_EQ(bound("torch.arange(1, n)"), "arange(start=1, end=4)");
  EXPECT_EQ(bound("torch.linalg.norm(x, dim=1)"), "norm(input=t3, dim=1)");
  EXPECT_EQ(bound("torch.linalg.norm(x, 2)"), "-");
  EXPECT_EQ(bound("torch.linalg.vector_norm(x, ord=1)"), "norm(input=t3, p=1)");
  EXPECT_EQ(bound("F.cross_entropy(x, i)"), "cross_entropy(input=t3, target=t3)");
  EXPECT_EQ(bound("F.cross_entropy(x, x)"), "cross_entropy_soft(input=t3, target=t3)");
  EXPECT_EQ(bound("x.T"), "reverse_dims(input=t3)");
  EXPECT_EQ(bound("x.unfold(1, 2, 1)"), "sliding_window(input=t3, dimension=1, size=2, step=1)");
}

TEST(Binding, Modules) {
  EXPECT_EQ(bound("act(x)"), "leaky_relu(input=t3, negative_slope=value of .negative_slope, inplace=0 of .inplace)");
  EXPECT_EQ(bound("far(x, y)"),
            "pairwise_distance(x1=t3, x2=t1, p=value of .norm, eps=value of .eps, keepdim=0 of .keepdim)");
  EXPECT_EQ(bound("act(x, y)"), "-");
  EXPECT_EQ(bound("half_told(x)"), "-");
  EXPECT_EQ(bound("circular(x)"), "-");
  const BoundExpression batch("norm(x)", names());
  ASSERT_TRUE(batch.bound());
  EXPECT_EQ(batch.bound()->find("training")->fact.integer, 1);
  EXPECT_EQ(batch.bound()->find("weight")->attribute, "weight");
  EXPECT_NE(batch.bound()->module, nullptr);
}

}  // namespace
}  // namespace tritonrl::teacher
