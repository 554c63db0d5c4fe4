#include "teacher/kernels/source_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tritonrl::teacher {
namespace {

// An operator's call as the reader would bind it; every argument's name in the host function is its parameter's.
struct Call {
  Operator op;
  Bound bound;
  std::vector<NamedArgument> named;

  Call(std::string_view name, std::vector<std::pair<std::string_view, Fact>> arguments) {
    op.name = name;
    bound.op = &op;
    for (auto& [parameter, fact] : arguments) {
      Bound::Argument& argument = bound.arguments.emplace_back();
      argument.parameter = parameter;
      argument.fact = std::move(fact);
      named.push_back({parameter, std::string(parameter)});
    }
  }
  Call(const Call&) = delete;

  Fact& fact(std::string_view parameter) {
    return std::find_if(bound.arguments.begin(), bound.arguments.end(),
                        [&](const Bound::Argument& argument) { return argument.parameter == parameter; })
        ->fact;
  }
  std::optional<SourceKernel> kernel(Variant variant = Variant::kCanonical) const {
    return source_kernel(bound, named, variant);
  }
};

Fact floats(Shape shape) {
  return Fact::tensor(program::DType::kFloat32, std::move(shape));
}

Fact pair_of(std::int64_t a, std::int64_t b) {
  return Fact::list({Fact::whole(a), Fact::whole(b)});
}

Call convolution(std::int64_t groups = 1) {
  return {"conv2d",
          {{"input", floats({2, 4, 9, 8})},
           {"weight", floats({8, 4 / groups, 3, 3})},
           {"bias", floats({8})},
           {"stride", pair_of(1, 1)},
           {"padding", pair_of(1, 1)},
           {"dilation", pair_of(1, 1)},
           {"groups", Fact::whole(groups)}}};
}

bool says(const std::vector<std::string>& lines, std::string_view text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

TEST(SourceKernel, LinearIsATiledProductWithItsBias) {
  const Call call("linear", {{"input", floats({5, 20})}, {"weight", floats({30, 20})}, {"bias", floats({30})}});
  const std::optional<SourceKernel> kernel = call.kernel();
  ASSERT_TRUE(kernel);
  const std::vector<std::string> expected = {
      "pid = tl.program_id(0)",
      "rows = pid % tl.cdiv(M, BM) * BM + tl.arange(0, BM)",
      "cols = pid // tl.cdiv(M, BM) * BN + tl.arange(0, BN)",
      "acc = tl.zeros((BM, BN), dtype=tl.float32)",
      "for k in range(0, K, BK):",
      "    ks = k + tl.arange(0, BK)",
      "    a = tl.load(input_ptr + rows[:, None] * K + ks[None, :], mask=(rows[:, None] < M) & (ks[None, :] < K), "
      "other=0.0).to(tl.float32)",
      "    b = tl.load(weight_ptr + cols[None, :] * K + ks[:, None], mask=(ks[:, None] < K) & (cols[None, :] < N), "
      "other=0.0).to(tl.float32)",
      "    acc += tl.dot(a, b, input_precision='ieee')",
      "o = rows[:, None] * N + cols[None, :]",
      "m = (rows[:, None] < M) & (cols[None, :] < N)",
      "acc += tl.load(bias_ptr + cols, mask=cols < N, other=0.0).to(tl.float32)[None, :]",
  };
  EXPECT_EQ(kernel->kernel, expected);
  EXPECT_EQ(kernel->operands, (std::vector<std::string>{"input", "weight", "bias"}));
  EXPECT_EQ(kernel->shape, "(*input.shape[:-1], weight.shape[0])");
  EXPECT_EQ(kernel->grid, "(triton.cdiv(M, BM) * triton.cdiv(N, BN),)");
}

TEST(SourceKernel, TheTextDoesNotDependOnSizes) {
  const Call small("linear", {{"input", floats({5, 20})}, {"weight", floats({30, 20})}, {"bias", Fact::none()}});
  const Call large("linear",
                   {{"input", floats({64, 8, 4096})}, {"weight", floats({999, 4096})}, {"bias", Fact::none()}});
  EXPECT_EQ(small.kernel()->kernel, large.kernel()->kernel);
  EXPECT_EQ(small.kernel()->host, large.kernel()->host);
}

TEST(SourceKernel, OneColumnIsAReductionOfRows) {
  const Call call("linear", {{"input", floats({5, 20})}, {"weight", floats({1, 20})}, {"bias", floats({1})}});
  const std::optional<SourceKernel> kernel = call.kernel();
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(says(kernel->kernel, "acc += tl.sum(a * b[None, :], 1)"));
  EXPECT_FALSE(says(kernel->kernel, "tl.dot"));
}

TEST(SourceKernel, BroadcastBatchesReadTheirOwnOffsets) {
  const Call call("matmul", {{"input", floats({4, 3, 5, 6})}, {"other", floats({3, 6, 7})}});
  const std::optional<SourceKernel> kernel = call.kernel();
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(says(kernel->kernel, "rows1 = rows // M2"));
  EXPECT_TRUE(says(kernel->kernel, "input_ptr + ((rows1[:, None] * Z + z) * M2 + rows2[:, None]) * K + ks[None, :]"));
  EXPECT_TRUE(says(kernel->kernel, "other_ptr + (z * K + ks[:, None]) * N + cols[None, :]"));
}

TEST(SourceKernel, ATensorAgainstItselfIsOnePointer) {
  Call call("matmul", {{"input", floats({6, 6})}, {"other", floats({6, 6})}});
  call.named[1].name = "input";
  EXPECT_EQ(call.kernel()->operands, (std::vector<std::string>{"input"}));
}

TEST(SourceKernel, GroupsDecideTheFormOfAConvolution) {
  EXPECT_FALSE(says(convolution().kernel()->kernel, "z = "));
  const Call grouped = convolution(2);
  EXPECT_TRUE(says(grouped.kernel()->kernel, "tl.dot"));
  EXPECT_TRUE(says(grouped.kernel()->kernel, "n = cols // (OH * OW) * Z + z"));
  const Call depthwise = convolution(4);
  EXPECT_FALSE(says(depthwise.kernel()->kernel, "tl.dot"));
  EXPECT_TRUE(says(depthwise.kernel()->kernel, "for kh in range(KH):"));
}

TEST(SourceKernel, OnlyNeededParametersArePassed) {
  const std::vector<std::string_view> plain = {"input", "weight", "bias", "stride", "padding", "dilation"};
  EXPECT_EQ(source_parameters(convolution().bound), plain);
  Call without = convolution(2);
  without.fact("bias") = Fact::none();
  const std::vector<std::string_view> grouped = {"input", "weight", "stride", "padding", "dilation", "groups"};
  EXPECT_EQ(source_parameters(without.bound), grouped);
}

TEST(SourceKernel, NumbersAndTuplesAreReadAlike) {
  Call call = convolution();
  call.fact("stride") = Fact::whole(2);
  EXPECT_TRUE(says(call.kernel()->host, "SH = SW = stride"));
  EXPECT_TRUE(says(call.kernel()->host, "PH, PW = padding"));
}

TEST(SourceKernel, WhatItCannotWriteStaysInTorch) {
  Call text = convolution();
  text.fact("padding") = Fact::words("same");
  EXPECT_FALSE(text.kernel());
  Call doubles = convolution();
  doubles.fact("input").dtype = program::DType::kFloat64;
  EXPECT_FALSE(doubles.kernel());
  Call unbatched = convolution();
  unbatched.fact("input") = floats({4, 9, 8});
  EXPECT_FALSE(unbatched.kernel());
  EXPECT_FALSE(Call("matmul", {{"input", floats({6})}, {"other", floats({6})}}).kernel());
  EXPECT_FALSE(Call("relu", {{"input", floats({6})}}).kernel());
  EXPECT_FALSE(Call("max_pool2d", {{"input", floats({1, 2, 6, 6})},
                                   {"kernel_size", Fact::whole(2)},
                                   {"stride", Fact::none()},
                                   {"padding", Fact::whole(0)},
                                   {"dilation", Fact::whole(1)},
                                   {"ceil_mode", Fact::truth(false)},
                                   {"return_indices", Fact::truth(true)}})
                   .kernel());
}

TEST(SourceKernel, FastVariantsStateAPrecisionThatHolds) {
  const Call call("linear",
                  {{"input", floats({4096, 1024})}, {"weight", floats({2048, 1024})}, {"bias", Fact::none()}});
  const std::optional<SourceKernel> kernel = call.kernel(Variant::kFast);
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(says(kernel->kernel, "input_precision='tf32x3'"));
  EXPECT_TRUE(says(kernel->host, "BM, BN, BK = (128, 128, 32)"));
  EXPECT_EQ(kernel->taken.launch_options(), "num_warps=8, num_stages=3");
}

// Sizes are in capitals; arguments are named as the operator's parameters or end in "_in" (reader/named_leaves.cpp).
TEST(SourceKernel, HostLinesAssignNoNameThatAnArgumentCanHave) {
  for (const std::int64_t groups : {1, 2, 4}) {
    const Call call = convolution(groups);
    const std::optional<SourceKernel> kernel = call.kernel();
    ASSERT_TRUE(kernel);
    for (const std::string& line : kernel->host) {
      const std::string targets = line.substr(0, line.rfind(" = "));
      for (std::size_t at = 0; at < targets.size();) {
        const std::size_t end = std::min(targets.find_first_of(", =", at), targets.size());
        const std::string name = targets.substr(at, end - at);
        EXPECT_EQ(name.find_first_of("abcdefghijklmnopqrstuvwxyz"), std::string::npos) << line;
        at = targets.find_first_not_of(", =", end);
      }
    }
  }
}

}  // namespace
}  // namespace tritonrl::teacher
