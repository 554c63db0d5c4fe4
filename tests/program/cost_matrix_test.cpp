#include <gtest/gtest.h>

#include "program/cost.h"
#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

Value number(int value) {
  return {static_cast<std::int64_t>(value)};
}

TEST(MatrixCost, SquareProduct) {
  BuildProgram b;
  const Value x = b.tensor({4096, 4096}), y = b.tensor({4096, 4096}), z = b.tensor({4096, 4096});
  const AtenCall call = b.call("aten::mm", {x, y}, z);
  const Cost cost = cost_of(b.program, call);
  EXPECT_EQ(cost.matrix_ops, 2.0 * 4096 * 4096 * 4096);
  EXPECT_EQ(cost.bytes(), 3.0 * 4096 * 4096 * 4);
  EXPECT_EQ(cost.matrix_precision, Precision::kFp32);
  // 137.4 GFLOP at 67 · 788/989 TFLOP/s.
  EXPECT_NEAR(modelled_seconds(cost, find_target("h200")) * 1e3,
              2.0 * 4096 * 4096 * 4096 / (67e12 * 788 / 989) * 1e3 + 1.8e-3, 1e-6);
  EXPECT_EQ(cost_of(b.program, call, {.tf32_matmul = true}).matrix_precision, Precision::kTf32);
}

TEST(MatrixCost, PrecisionFollowsTheOperands) {
  BuildProgram b;
  const auto precision = [&](const char* op, DType dtype) {
    const Value x = b.tensor({64, 64}, dtype), y = b.tensor({64, 64}, dtype);
    std::vector<Value> args = {x, y};
    if (std::string(op) == "aten::_scaled_mm") args.insert(args.end(), {b.tensor({}), b.tensor({})});
    return cost_of(b.program, b.call(op, args, b.tensor({64, 64}, dtype))).matrix_precision;
  };
  EXPECT_EQ(precision("aten::mm", DType::kFloat64), Precision::kFp64);
  EXPECT_EQ(precision("aten::mm", DType::kFloat16), Precision::kFp16);
  EXPECT_EQ(precision("aten::mm", DType::kBFloat16), Precision::kBf16);
  EXPECT_EQ(precision("aten::_int_mm", DType::kInt8), Precision::kInt8);
  EXPECT_EQ(precision("aten::_scaled_mm", DType::kFloat8E4M3Fn), Precision::kFp8);
  EXPECT_EQ(to_string(Precision::kTf32), "tf32");
  // An A100 has no fp8 units: such a product runs as fp16.
  const Cost fp8{.matrix_ops = 1e12, .matrix_precision = Precision::kFp8};
  const Cost fp16{.matrix_ops = 1e12, .matrix_precision = Precision::kFp16};
  EXPECT_EQ(modelled_seconds(fp8, find_target("a100")), modelled_seconds(fp16, find_target("a100")));
}

TEST(MatrixCost, TheFamily) {
  BuildProgram b;
  const auto f = [&](std::vector<std::int64_t> sizes) { return b.tensor(std::move(sizes)); };
  struct Case {
    const char* op;
    std::vector<Value> args;
    Value result;
    double ops;
  };
  const std::vector<Case> cases = {
      {"aten::addmm", {f({7}), f({5, 6}), f({6, 7})}, f({5, 7}), 2 * 5 * 6 * 7},
      {"aten::bmm", {f({3, 5, 6}), f({3, 6, 7})}, f({3, 5, 7}), 2 * 3 * 5 * 6 * 7},
      {"aten::baddbmm", {f({3, 5, 7}), f({3, 5, 6}), f({3, 6, 7})}, f({3, 5, 7}), 2 * 3 * 5 * 6 * 7},
      {"aten::addbmm", {f({5, 7}), f({3, 5, 6}), f({3, 6, 7})}, f({5, 7}), 2 * 3 * 5 * 6 * 7},
      {"aten::mv", {f({5, 6}), f({6})}, f({5}), 2 * 5 * 6},
      {"aten::addmv", {f({5}), f({5, 6}), f({6})}, f({5}), 2 * 5 * 6},
      {"aten::dot", {f({6}), f({6})}, f({}), 2 * 6},
      {"aten::addr", {f({5, 6}), f({5}), f({6})}, f({5, 6}), 2 * 5 * 6},
      {"aten::linear", {f({2, 5, 6}), f({7, 6}), f({7})}, f({2, 5, 7}), 2 * 2 * 5 * 6 * 7},
      {"aten::matmul", {f({2, 3, 5, 6}), f({6, 7})}, f({2, 3, 5, 7}), 2 * 2 * 3 * 5 * 6 * 7},
      {"aten::tensordot",
       {f({5, 6, 4}), f({4, 6, 7}), integers({1, 2}), integers({1, 0})},
       f({5, 7}),
       2 * 5 * 6 * 4 * 7},
      {"aten::einsum",
       {Value{std::string("bij, bjk -> bik")}, list({f({3, 5, 6}), f({3, 6, 7})})},
       f({3, 5, 7}),
       2 * 3 * 5 * 6 * 7},
      {"aten::einsum",
       {Value{std::string("...i,oi->...o")}, list({f({2, 3, 6}), f({7, 6})})},
       f({2, 3, 7}),
       2 * 2 * 3 * 6 * 7},
      {"aten::einsum",
       {Value{std::string("ij,jk,kl->il")}, list({f({2, 3}), f({3, 4}), f({4, 5})})},
       f({2, 5}),
       2 * (24 + 40)},
      {"aten::linalg_multi_dot", {list({f({2, 3}), f({3, 4}), f({4, 5})})}, f({2, 5}), 2 * (24 + 40)},
      {"aten::bilinear", {f({9, 5}), f({9, 6}), f({7, 5, 6})}, f({9, 7}), 2 * 9 * 7 * 5 * 6},
      {"aten::_trilinear",
       {f({9, 5}), f({7, 5, 6}), f({9, 6}), integers({1, 3}), integers({0}), integers({1, 2}), integers({2, 3})},
       f({9, 7}),
       2 * 9 * 7 * 5 * 6},
      {"aten::linear_backward",
       {f({5, 6}), f({5, 7}), f({7, 6}), list({flag(true), flag(false), flag(true)})},
       list({f({5, 6}), none(), f({7})}),
       2 * 5 * 6 * 7},
  };
  for (const Case& c : cases) EXPECT_EQ(cost_of(b.program, b.call(c.op, c.args, c.result)).matrix_ops, c.ops) << c.op;
}

TEST(MatrixCost, ComplexProductsAreFourReal) {
  BuildProgram b;
  const Value x = b.tensor({5, 6}, DType::kComplex64), y = b.tensor({6, 7}, DType::kComplex64);
  EXPECT_EQ(cost_of(b.program, b.call("aten::mm", {x, y}, b.tensor({5, 7}, DType::kComplex64))).matrix_ops,
            4 * 2 * 5 * 6 * 7);
}

Cost convolution(BuildProgram& b, std::vector<std::int64_t> input, std::vector<std::int64_t> weight,
                 std::vector<std::int64_t> output, bool transposed, int groups, DType dtype = DType::kFloat32) {
  const std::size_t dims = input.size() - 2;
  const Value ones = integers(std::vector<std::int64_t>(dims, 1)), zeros = integers(std::vector<std::int64_t>(dims, 0));
  const Value x = b.tensor(std::move(input), dtype), w = b.tensor(std::move(weight), dtype),
              y = b.tensor(std::move(output), dtype);
  return cost_of(b.program, b.call("aten::convolution",
                                   {x, w, none(), ones, zeros, ones, flag(transposed), zeros, number(groups)}, y));
}

TEST(MatrixCost, Convolutions) {
  BuildProgram b;
  // 2-d, 3x3, 64 -> 128 channels, on 30x30 outputs: 2 · N · Cout · H · W · Cin · 9.
  const Cost plain = convolution(b, {8, 64, 32, 32}, {128, 64, 3, 3}, {8, 128, 30, 30}, false, 1);
  EXPECT_EQ(plain.matrix_ops, 2.0 * 8 * 128 * 30 * 30 * 64 * 9);
  EXPECT_EQ(plain.matrix_precision, Precision::kTf32);
  EXPECT_EQ(plain.bytes(), 4.0 * (8 * 64 * 32 * 32 + 128 * 64 * 9 + 8 * 128 * 30 * 30));
  // Groups of 16 channels.
  EXPECT_EQ(convolution(b, {8, 64, 32, 32}, {128, 16, 3, 3}, {8, 128, 30, 30}, false, 4).matrix_ops,
            2.0 * 8 * 128 * 30 * 30 * 16 * 9);
  // Depthwise: no matrix units.
  const Cost depthwise = convolution(b, {8, 64, 32, 32}, {64, 1, 3, 3}, {8, 64, 30, 30}, false, 64);
  EXPECT_EQ(depthwise.matrix_ops, 2.0 * 8 * 64 * 30 * 30 * 9);
  EXPECT_EQ(depthwise.matrix_precision, Precision::kFp32);
  // Stride shows in the output alone; 1-d and 3-d.
  EXPECT_EQ(convolution(b, {8, 3, 100}, {5, 3, 7}, {8, 5, 47}, false, 1).matrix_ops, 2.0 * 8 * 5 * 47 * 3 * 7);
  EXPECT_EQ(convolution(b, {2, 3, 8, 8, 8}, {5, 3, 3, 3, 3}, {2, 5, 6, 6, 6}, false, 1).matrix_ops,
            2.0 * 2 * 5 * 216 * 3 * 27);
  // Transposed, [in, out / groups, ...]: every input meets every filter value of its channel.
  EXPECT_EQ(convolution(b, {8, 64, 16, 16}, {64, 32, 3, 3}, {8, 32, 33, 33}, true, 1).matrix_ops,
            2.0 * 8 * 64 * 16 * 16 * 32 * 9);
  EXPECT_EQ(
      convolution(b, {8, 64, 32, 32}, {128, 64, 3, 3}, {8, 128, 30, 30}, false, 1, DType::kBFloat16).matrix_precision,
      Precision::kBf16);
}

TEST(MatrixCost, ConvolutionGradientsCostWhatIsAsked) {
  BuildProgram b;
  const Value dy = b.tensor({8, 128, 30, 30}), x = b.tensor({8, 64, 32, 32}), w = b.tensor({128, 64, 3, 3});
  const Value one = integers({1, 1}), zero = integers({0, 0});
  const double forward = 2.0 * 8 * 128 * 30 * 30 * 64 * 9;
  const auto ops = [&](bool input, bool weight) {
    return cost_of(b.program, b.call("aten::convolution_backward",
                                     {dy, x, w, none(), one, zero, one, flag(false), zero, number(1),
                                      list({flag(input), flag(weight), flag(false)})},
                                     list({input ? b.tensor({8, 64, 32, 32}) : none(),
                                           weight ? b.tensor({128, 64, 3, 3}) : none(), none()})))
        .matrix_ops;
  };
  EXPECT_EQ(ops(true, true), 2 * forward);
  EXPECT_EQ(ops(false, true), forward);
  EXPECT_EQ(ops(false, false), 0);
}

TEST(MatrixCost, RecurrentLayers) {
  BuildProgram b;
  const int steps = 35, batch = 10, in = 128, hidden = 256;
  std::vector<Value> parameters;
  double weights = 0;
  for (int layer = 0; layer < 2; ++layer) {
    const int width = layer == 0 ? in : hidden;
    parameters.insert(parameters.end(), {b.tensor({4 * hidden, width}), b.tensor({4 * hidden, hidden}),
                                         b.tensor({4 * hidden}), b.tensor({4 * hidden})});
    weights += 4.0 * hidden * (width + hidden);
  }
  const Value x = b.tensor({batch, steps, in}), h = b.tensor({2, batch, hidden}), c = b.tensor({2, batch, hidden});
  const Cost cost = cost_of(
      b.program,
      b.call(
          "aten::lstm.input",
          {x, list({h, c}), list(parameters), flag(true), number(2), Value{0.0}, flag(false), flag(false), flag(true)},
          list({b.tensor({batch, steps, hidden}), b.tensor({2, batch, hidden}), b.tensor({2, batch, hidden})})));
  EXPECT_EQ(cost.matrix_ops, 2.0 * steps * batch * weights);
  EXPECT_EQ(cost.launches, 2 * steps);
  const Cost cell = cost_of(b.program, b.call("aten::gru_cell",
                                              {b.tensor({batch, in}), b.tensor({batch, hidden}),
                                               b.tensor({3 * hidden, in}), b.tensor({3 * hidden, hidden})},
                                              b.tensor({batch, hidden})));
  EXPECT_EQ(cell.matrix_ops, 2.0 * batch * 3 * hidden * (in + hidden));
  EXPECT_EQ(cell.launches, 1);
}

TEST(MatrixCost, Attention) {
  BuildProgram b;
  const auto half = [&](std::vector<std::int64_t> sizes) { return b.tensor(std::move(sizes), DType::kFloat16); };
  const Value q = half({4, 8, 512, 64}), k = half({4, 8, 256, 64}), v = half({4, 8, 256, 32}),
              y = half({4, 8, 512, 32});
  const Cost cross = cost_of(b.program, b.call("aten::scaled_dot_product_attention", {q, k, v}, y));
  EXPECT_EQ(cross.matrix_ops, 2.0 * 4 * 8 * 512 * 256 * (64 + 32));
  EXPECT_EQ(cross.scalar_ops, 5.0 * 4 * 8 * 512 * 256);
  EXPECT_EQ(cross.matrix_precision, Precision::kFp16);
  EXPECT_EQ(cross.bytes(), 2.0 * 4 * 8 * (512 * 64 + 256 * 64 + 256 * 32 + 512 * 32));
  const Cost causal = cost_of(b.program, b.call("aten::scaled_dot_product_attention",
                                                {q, q, q, none(), Value{0.0}, flag(true)}, half({4, 8, 512, 64})));
  EXPECT_EQ(causal.matrix_ops, 2.0 * 4 * 8 * (512 * 513 / 2) * 128);
  // The encoder layer of torch's fast path: four weight matrices and the attention between them.
  const Value x = b.tensor({4, 100, 64});
  std::vector<Value> args = {x,
                             number(64),
                             number(8),
                             b.tensor({192, 64}),
                             b.tensor({192}),
                             b.tensor({64, 64}),
                             b.tensor({64}),
                             flag(false),
                             flag(false),
                             Value{1e-5},
                             b.tensor({64}),
                             b.tensor({64}),
                             b.tensor({64}),
                             b.tensor({64}),
                             b.tensor({256, 64}),
                             b.tensor({256}),
                             b.tensor({64, 256}),
                             b.tensor({64})};
  const Cost layer = cost_of(b.program, b.call("aten::_transformer_encoder_layer_fwd", args, b.tensor({4, 100, 64})));
  EXPECT_EQ(layer.matrix_ops, 2.0 * 400 * (192 * 64 + 64 * 64 + 2 * 256 * 64) + 2.0 * 400 * 100 * 128);
}

}  // namespace
}  // namespace tritonrl::program
