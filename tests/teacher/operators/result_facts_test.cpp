#include <gtest/gtest.h>

#include "tests/teacher/operators/bound_expression.h"

namespace tritonrl::teacher {
namespace {

using program::DType;

const NamedFacts& names() {
  static const NamedFacts kNames{
      {"x", Fact::tensor(DType::kFloat32, {2, 3, 4})},    {"y", Fact::tensor(DType::kFloat32, {3, 1})},
      {"v", Fact::tensor(DType::kFloat32, {4})},          {"h", Fact::tensor(DType::kFloat16, {2, 3, 4})},
      {"i", Fact::tensor(DType::kInt64, {2, 3, 4})},      {"s", Fact::tensor(DType::kFloat64, {})},
      {"b", Fact::tensor(DType::kBool, {2, 3, 4})},       {"image", Fact::tensor(DType::kFloat32, {2, 6, 9, 10})},
      {"w", Fact::tensor(DType::kFloat32, {8, 3, 3, 3})}, {"wt", Fact::tensor(DType::kFloat32, {6, 4, 3, 3})},
      {"m", Fact::tensor(DType::kFloat32, {4, 5})},       {"n", Fact::whole(3)},
      {"unknown", Fact{.kind = Fact::Kind::kInt}}};
  return kNames;
}

std::string result(std::string_view text) {
  const BoundExpression expression(text, names());
  return expression.bound() ? words(result_facts(*expression.bound())) : "not bound";
}

TEST(ResultFacts, BroadcastAndPromotion) {
  EXPECT_EQ(result("x + y"), "float32[2, 3, 4]");
  EXPECT_EQ(result("y * v"), "float32[3, 4]");
  EXPECT_EQ(result("h + 1.5"), "float16[2, 3, 4]");
  EXPECT_EQ(result("h + x"), "float32[2, 3, 4]");
  EXPECT_EQ(result("x + s"), "float32[2, 3, 4]");
  EXPECT_EQ(result("i + s"), "float64[2, 3, 4]");
  EXPECT_EQ(result("i / 2"), "float32[2, 3, 4]");
  EXPECT_EQ(result("i // 2"), "int64[2, 3, 4]");
  EXPECT_EQ(result("i + 0.5"), "float32[2, 3, 4]");
  EXPECT_EQ(result("b + 1"), "int64[2, 3, 4]");
  EXPECT_EQ(result("b & b"), "bool[2, 3, 4]");
  EXPECT_EQ(result("x > y"), "bool[2, 3, 4]");
  EXPECT_EQ(result("torch.sigmoid(i)"), "float32[2, 3, 4]");
  EXPECT_EQ(result("torch.where(b, x, 0)"), "float32[2, 3, 4]");
  EXPECT_EQ(result("x + image"), "?");
}

TEST(ResultFacts, Reductions) {
  EXPECT_EQ(result("x.sum()"), "float32[]");
  EXPECT_EQ(result("i.sum(1)"), "int64[2, 4]");
  EXPECT_EQ(result("x.mean((-1, 0), keepdim=True)"), "float32[1, 3, 1]");
  EXPECT_EQ(result("x.max(1)"), "float32[2, 4]; int64[2, 4]");
  EXPECT_EQ(result("x.argmax()"), "int64[]");
  EXPECT_EQ(result("(x).any(-1)"), "bool[2, 3]");
  EXPECT_EQ(result("x.sum(3)"), "?");
  EXPECT_EQ(result("x.sum(unknown)"), "?");
  EXPECT_EQ(result("F.cosine_similarity(x, x, dim=-1)"), "float32[2, 3]");
  EXPECT_EQ(result("torch.topk(x, 2)"), "float32[2, 3, 2]; int64[2, 3, 2]");
  EXPECT_EQ(result("F.cross_entropy(x, i, reduction='none')"), "float32[2, 4]");
  EXPECT_EQ(result("F.mse_loss(x, x)"), "float32[]");
}

TEST(ResultFacts, Movement) {
  EXPECT_EQ(result("x.view(2, -1)"), "float32[2, 12]");
  EXPECT_EQ(result("x.view(5, -1)"), "?");
  EXPECT_EQ(result("x.view(unknown, -1)"), "?");
  EXPECT_EQ(result("x.reshape(n, 2, 4)"), "float32[3, 2, 4]");
  EXPECT_EQ(result("x.permute(2, 0, 1)"), "float32[4, 2, 3]");
  EXPECT_EQ(result("x.permute(2, 0, 0)"), "?");
  EXPECT_EQ(result("x.flatten(1)"), "float32[2, 12]");
  EXPECT_EQ(result("y.squeeze(-1)"), "float32[3]");
  EXPECT_EQ(result("x.chunk(2, dim=1)"), "float32[2, 2, 4]; float32[2, 1, 4]");
  EXPECT_EQ(result("x.split([1, 3], -1)"), "float32[2, 3, 1]; float32[2, 3, 3]");
  EXPECT_EQ(result("torch.cat([x, x, h], 1)"), "float32[2, 9, 4]");
  EXPECT_EQ(result("torch.stack((x, x), -1)"), "float32[2, 3, 4, 2]");
  EXPECT_EQ(result("y.expand(2, -1, 7)"), "float32[2, 3, 7]");
  EXPECT_EQ(result("x.expand(2, 3, 5)"), "?");
  EXPECT_EQ(result("F.pad(x, (1, 2, 0, 1))"), "float32[2, 4, 7]");
  EXPECT_EQ(result("x.T"), "float32[4, 3, 2]");
  EXPECT_EQ(result("x.movedim(0, -1)"), "float32[3, 4, 2]");
}

TEST(ResultFacts, HeavyAndPooling) {
  EXPECT_EQ(result("x @ m"), "float32[2, 3, 5]");
  EXPECT_EQ(result("v @ m"), "float32[5]");
  EXPECT_EQ(result("x @ y"), "?");
  EXPECT_EQ(result("F.linear(x, m.T)"), "not bound");  // the fact of m.T is not noted
  EXPECT_EQ(result("torch.einsum('abc,cd->dab', x, m)"), "float32[5, 2, 3]");
  EXPECT_EQ(result("F.conv2d(image, w, stride=2, padding=(1, 0), groups=2)"), "float32[2, 8, 5, 4]");
  EXPECT_EQ(result("F.conv2d(image, w)"), "?");
  EXPECT_EQ(result("F.conv2d(image, w, padding='same', groups=2)"), "float32[2, 8, 9, 10]");
  EXPECT_EQ(result("F.conv_transpose2d(image, wt, stride=2, output_padding=1)"), "float32[2, 4, 20, 22]");
  EXPECT_EQ(result("F.max_pool2d(image, 2, ceil_mode=True)"), "float32[2, 6, 5, 5]");
  EXPECT_EQ(result("F.avg_pool2d(image, 3, 1, 1)"), "float32[2, 6, 9, 10]");
  EXPECT_EQ(result("F.adaptive_avg_pool2d(image, (None, 1))"), "float32[2, 6, 9, 1]");
}

TEST(ResultFacts, FromNothing) {
  EXPECT_EQ(result("torch.zeros(2, n)"), "float32[2, 3]");
  EXPECT_EQ(result("torch.zeros(2, n, dtype=torch.long)"), "int64[2, 3]");
  EXPECT_EQ(result("torch.arange(0, 1, 0.25)"), "float32[4]");
  EXPECT_EQ(result("torch.arange(n)"), "int64[3]");
  EXPECT_EQ(result("torch.full((2,), 1)"), "int64[2]");
  EXPECT_EQ(result("torch.zeros_like(i, dtype=torch.float16)"), "float16[2, 3, 4]");
  EXPECT_EQ(result("torch.tensor([[1, 2], [3, 4.0]])"), "float32[2, 2]");
}

std::string item(std::string_view text) {
  const BoundExpression expression(text, names());
  const Fact fact = subscript_fact(expression.expression(), expression.facts());
  return fact.is_tensor() ? words({fact}) : "?";
}

TEST(ResultFacts, Subscripts) {
  EXPECT_EQ(item("x[0]"), "float32[3, 4]");
  EXPECT_EQ(item("x[:, -1]"), "float32[2, 4]");
  EXPECT_EQ(item("x[..., None]"), "float32[2, 3, 4, 1]");
  EXPECT_EQ(item("x[:, None, 1:, ::2]"), "float32[2, 1, 2, 2]");
  EXPECT_EQ(item("x[b]"), "?");
  EXPECT_EQ(item("v[i]"), "float32[2, 3, 4]");
  EXPECT_EQ(item("x[:, unknown:]"), "?");
  EXPECT_EQ(item("x[0, 0, 0, 0]"), "?");
}

}  // namespace
}  // namespace tritonrl::teacher
