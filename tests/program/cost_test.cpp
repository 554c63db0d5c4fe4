#include "program/cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

Value dim(std::int64_t value) {
  return number(value);
}

TEST(Cost, ReluReadsAndWritesOnce) {
  BuildProgram b;
  const Value x = b.tensor({16384, 4096}), y = b.tensor({16384, 4096});
  const Cost cost = cost_of(b.program, b.call("aten::relu", {x}, y));
  EXPECT_EQ(cost.bytes_read, 256 * kMiB);
  EXPECT_EQ(cost.bytes_written, 256 * kMiB);
  EXPECT_EQ(cost.scalar_ops, 16384.0 * 4096);
  EXPECT_EQ(cost.matrix_ops, 0);
  EXPECT_EQ(cost.launches, 1);
  // 512 MiB at 4.3 TB/s: 124.85 µs, and the launch.
  EXPECT_NEAR(modelled_seconds(cost, find_target("h200")) * 1e6, 124.85 + 1.8, 0.01);
}

TEST(Cost, InPlaceReadsAndWritesItsOperand) {
  BuildProgram b;
  const Value x = b.tensor({1000}), y = b.tensor({1000});
  const Cost cost = cost_of(b.program, b.call("aten::add_.Tensor", {x, y}, x));
  EXPECT_EQ(cost.bytes_read, 8000);
  EXPECT_EQ(cost.bytes_written, 4000);
}

TEST(Cost, OutIsWrittenOnly) {
  BuildProgram b;
  const Value x = b.tensor({1000}), y = b.tensor({1000}), z = b.tensor({1000});
  const Cost cost = cost_of(b.program, b.call("aten::add.out", {x, y}, z, {{"out", z}}));
  EXPECT_EQ(cost.bytes_read, 8000);
  EXPECT_EQ(cost.bytes_written, 4000);
}

TEST(Cost, OperandsCountOnceAndExpandedOnesTheirMemory) {
  BuildProgram b;
  const Value x = b.tensor({64, 128}), row = b.tensor({128}), y = b.tensor({64, 128});
  EXPECT_EQ(cost_of(b.program, b.call("aten::mul.Tensor", {x, x}, y)).bytes_read, 64 * 128 * 4);
  const Value expanded = b.view(row, {64, 128}, {0, 1});
  EXPECT_EQ(cost_of(b.program, b.call("aten::add.Tensor", {x, expanded}, y)).bytes_read, 64 * 128 * 4 + 128 * 4);
  EXPECT_EQ(cost_of(b.program, b.call("aten::add.Tensor", {x, number(2.0)}, y)).bytes_read, 64 * 128 * 4);
}

TEST(Cost, UniqueBytes) {
  const auto bytes = [](std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
    return unique_bytes({.dtype = DType::kFloat16, .sizes = std::move(sizes), .strides = std::move(strides)});
  };
  EXPECT_EQ(bytes({4, 8}, {8, 1}), 64);
  EXPECT_EQ(bytes({4, 8}, {0, 1}), 16);
  EXPECT_EQ(bytes({}, {}), 2);
  EXPECT_EQ(bytes({0, 8}, {8, 1}), 0);
  EXPECT_EQ(bytes({4, 8}, {100, 2}), 64);
  EXPECT_EQ(bytes({10, 5}, {1, 1}), 28) << "sliding windows over fourteen elements";
}

TEST(Cost, OverlappingViewsReadNoMoreThanTheirStorage) {
  BuildProgram b;
  const Value x = b.tensor({1001}), y = b.tensor({1000});
  const Value left = b.view(x, {1000}, {1}), right = b.view(x, {1000}, {1}, 1);
  EXPECT_EQ(cost_of(b.program, b.call("aten::add.Tensor", {left, right}, y)).bytes_read, 1001 * 4);
}

TEST(Cost, ViewsAndAllocationsAreFree) {
  BuildProgram b;
  const Value x = b.tensor({64, 128});
  const Value t = b.view(x, {128, 64}, {1, 128});
  for (const Cost& cost : {cost_of(b.program, b.call("aten::t", {x}, t)),
                           cost_of(b.program, b.call("aten::empty_like", {x}, b.tensor({64, 128}))),
                           cost_of(b.program, b.call("aten::reshape", {x, integers({8192})}, b.view(x, {8192}, {1}))),
                           cost_of(b.program, b.call("aten::contiguous", {x}, x))}) {
    EXPECT_EQ(cost.bytes(), 0);
    EXPECT_EQ(modelled_seconds(cost, find_target("h200")), 0);
  }
  // The same operators where they have to copy.
  EXPECT_EQ(cost_of(b.program, b.call("aten::reshape", {t, integers({8192})}, b.tensor({8192}))).bytes(), 2 * 32768);
  EXPECT_EQ(cost_of(b.program, b.call("aten::contiguous", {t}, b.tensor({128, 64}))).bytes(), 2 * 32768);
}

TEST(Cost, FillsCopiesAndRandom) {
  BuildProgram b;
  const Value x = b.tensor({1000}), half = b.tensor({1000}, DType::kFloat16);
  const auto cost = [&](const char* op, std::vector<Value> args, const Value& result) {
    return cost_of(b.program, b.call(op, std::move(args), result));
  };
  EXPECT_EQ(cost("aten::zero_", {x}, x).bytes_read, 0);
  EXPECT_EQ(cost("aten::zero_", {x}, x).bytes_written, 4000);
  EXPECT_EQ(cost("aten::zeros_like", {x}, b.tensor({1000})).bytes(), 4000);
  EXPECT_EQ(cost("aten::randn_like", {x}, b.tensor({1000})).bytes(), 4000);
  EXPECT_EQ(cost("aten::normal_", {x}, x).bytes(), 4000);
  EXPECT_EQ(cost("aten::_to_copy", {x}, half).bytes_read, 4000);
  EXPECT_EQ(cost("aten::_to_copy", {x}, half).bytes_written, 2000);
  EXPECT_EQ(cost("aten::copy_", {half, x}, half).bytes_read, 4000);
  EXPECT_EQ(cost("aten::copy_", {half, x}, half).bytes_written, 2000);
}

TEST(Cost, CopiesBetweenHostAndTargetUseTheLink) {
  BuildProgram b;
  const Value host = b.tensor({1000000}, DType::kFloat32, Device::kHost), x = b.tensor({1000000});
  const Cost cost = cost_of(b.program, b.call("aten::_to_copy", {host}, x));
  EXPECT_EQ(cost.host_bytes, 4e6);
  EXPECT_EQ(cost.bytes_read, 0);
  EXPECT_EQ(cost.bytes_written, 4e6);
  EXPECT_NEAR(modelled_seconds(cost, find_target("h200")), 1.8e-6 + 4e6 / 4.3e12 + 4e6 / 64e9, 1e-9);
}

TEST(Cost, ReductionsReadMuchAndWriteLittle) {
  BuildProgram b;
  const Value x = b.tensor({512, 4096}), y = b.tensor({512});
  const Cost cost = cost_of(b.program, b.call("aten::sum.dim_IntList", {x, integers({1})}, y));
  EXPECT_EQ(cost.bytes_read, 512 * 4096 * 4);
  EXPECT_EQ(cost.bytes_written, 512 * 4);
  EXPECT_EQ(cost.scalar_ops, 512 * 4096);
}

TEST(Cost, NormsReadTwiceOnlyWhatABlockCannotHold) {
  BuildProgram b;
  const Value w = b.tensor({64}), x = b.tensor({16, 64, 256, 256}), y = b.tensor({16, 64, 256, 256});
  const double bytes = 16.0 * 64 * 256 * 256 * 4;
  const auto batch_norm = [&](bool training) {
    return cost_of(b.program, b.call("aten::batch_norm",
                                     {x, w, b.tensor({64}), b.tensor({64}), b.tensor({64}), flag(training), number(0.1),
                                      number(1e-5), flag(true)},
                                     y));
  };
  EXPECT_EQ(batch_norm(true).bytes_read, 2 * bytes + 4 * 256);
  EXPECT_EQ(batch_norm(true).bytes_written, bytes + 2 * 256) << "the running statistics too";
  EXPECT_EQ(batch_norm(false).bytes_read, bytes + 4 * 256);
  EXPECT_EQ(batch_norm(false).bytes_written, bytes);

  const Value small = b.tensor({4096, 1024}), big = b.tensor({64, 65536});
  EXPECT_EQ(cost_of(b.program, b.call("aten::_softmax", {small, dim(1), flag(false)}, b.tensor({4096, 1024}))).bytes(),
            2.0 * 4096 * 1024 * 4);
  EXPECT_EQ(cost_of(b.program, b.call("aten::_softmax", {big, dim(-1), flag(false)}, b.tensor({64, 65536}))).bytes(),
            3.0 * 64 * 65536 * 4);
}

TEST(Cost, PoolingCountsItsWindows) {
  BuildProgram b;
  const Value x = b.tensor({2, 3, 32, 32}), y = b.tensor({2, 3, 16, 16}), i = b.tensor({2, 3, 16, 16}, DType::kInt64);
  const Cost max = cost_of(b.program, b.call("aten::max_pool2d_with_indices",
                                             {x, integers({3, 3}), integers({2, 2}), integers({1, 1})}, list({y, i})));
  EXPECT_EQ(max.scalar_ops, 2 * 3 * 16 * 16 * 9);
  EXPECT_EQ(max.bytes_read, 2 * 3 * 32 * 32 * 4);
  EXPECT_EQ(max.bytes_written, 2 * 3 * 16 * 16 * 12);
  const Cost square = cost_of(b.program, b.call("aten::avg_pool2d", {x, integers({2})}, y));
  EXPECT_EQ(square.scalar_ops, 2 * 3 * 16 * 16 * 4) << "one number for both sides";
  const Cost adaptive =
      cost_of(b.program, b.call("aten::_adaptive_avg_pool2d", {x, integers({1, 1})}, b.tensor({2, 3, 1, 1})));
  EXPECT_EQ(adaptive.scalar_ops, 2 * 3 * 32 * 32);
}

TEST(Cost, GathersReadWhatTheyPick) {
  BuildProgram b;
  const Value table = b.tensor({50000, 256}), index = b.tensor({8, 16}, DType::kInt64), out = b.tensor({8, 16, 256});
  const Cost embedding = cost_of(b.program, b.call("aten::embedding", {table, index}, out));
  EXPECT_EQ(embedding.bytes_read, 8 * 16 * 256 * 4 + 8 * 16 * 8);
  EXPECT_EQ(embedding.bytes_written, 8 * 16 * 256 * 4);
  const Value rows = b.tensor({10}, DType::kInt64), values = b.tensor({10, 256});
  const Cost put = cost_of(b.program, b.call("aten::index_put_", {table, list({rows}), values}, table));
  EXPECT_EQ(put.bytes_read, 10 * 8 + 10 * 256 * 4);
  EXPECT_EQ(put.bytes_written, 10 * 256 * 4);
  const Cost add = cost_of(b.program, b.call("aten::index_put_", {table, list({rows}), values, flag(true)}, table));
  EXPECT_EQ(add.bytes_read, 10 * 8 + 2 * 10 * 256 * 4);
  const Value target = b.tensor({8}, DType::kInt64), scores = b.tensor({8, 1000});
  const Cost loss = cost_of(b.program, b.call("aten::nll_loss_forward", {scores, target, none(), dim(1), dim(-100)},
                                              list({b.tensor({}), b.tensor({})})));
  EXPECT_EQ(loss.bytes_read, 8 * 4 + 8 * 8);
}

TEST(Cost, SortFourierAndLinearAlgebraGrowFaster) {
  BuildProgram b;
  const Value x = b.tensor({64, 1024}), c = b.tensor({64, 1024}, DType::kComplex64),
              m = b.tensor({8, 100, 100}, DType::kFloat64);
  EXPECT_EQ(cost_of(b.program, b.call("aten::sort", {x, dim(1)},
                                      list({b.tensor({64, 1024}), b.tensor({64, 1024}, DType::kInt64)})))
                .scalar_ops,
            2.0 * 64 * 1024 * 10);
  EXPECT_EQ(cost_of(b.program, b.call("aten::_fft_c2c", {c, integers({1}), dim(0), flag(true)},
                                      b.tensor({64, 1024}, DType::kComplex64)))
                .scalar_ops,
            5.0 * 64 * 1024 * 10);
  const Cost inverse =
      cost_of(b.program, b.call("aten::linalg_inv_ex", {m},
                                list({b.tensor({8, 100, 100}, DType::kFloat64), b.tensor({8}, DType::kInt32)})));
  EXPECT_EQ(inverse.scalar_ops, 2.0 * 8 * 1e6);
  EXPECT_EQ(inverse.scalar_precision, Precision::kFp64);
}

TEST(Cost, OfAProgram) {
  BuildProgram b;
  const Value x = b.tensor({1024, 1024}), y = b.tensor({1024, 1024}), z = b.tensor({1024, 1024});
  b.call("aten::relu", {x}, y);
  b.call("aten::t", {y}, b.view(y, {1024, 1024}, {1, 1024}));
  b.launch("scale", {y, z, y, number(std::int64_t{1024})});
  b.program.forwards[0].steps.emplace_back(Question{});
  const Target& target = find_target("h200");
  const ProgramCost cost = cost_of(b.program, target, 0);
  EXPECT_EQ(cost.calls, 2);
  EXPECT_EQ(cost.launches, 1);
  EXPECT_EQ(cost.questions, 1);
  EXPECT_TRUE(cost.has_unknown);
  ASSERT_EQ(cost.steps.size(), 3u);
  EXPECT_EQ(cost.steps[1].kind, OperatorKind::kView);
  EXPECT_TRUE(cost.steps[2].launch);
  EXPECT_EQ(cost.steps[2].cost.bytes_read, 8 * kMiB) << "y twice, but once";
  EXPECT_EQ(cost.bytes_read, 12 * kMiB);
  EXPECT_EQ(cost.bytes_written, 4 * kMiB);
  EXPECT_DOUBLE_EQ(cost.seconds, cost.steps[0].seconds + cost.steps[2].seconds + target.start_overhead);
  EXPECT_EQ(cost_of(b.program, b.program.initialise, target).seconds, 0) << "nothing to start";
  EXPECT_DOUBLE_EQ(cost.launch_seconds, cost.steps[2].seconds);
  EXPECT_EQ(cost_of(b.program, b.program.initialise, target).steps.size(), 0u);
}

TEST(Cost, UnknownOperatorsMoveTheirOperands) {
  BuildProgram b;
  const Value x = b.tensor({1000}), y = b.tensor({500});
  const Cost cost = cost_of(b.program, b.call("mine::op", {x, list({x})}, y));
  EXPECT_EQ(cost.bytes_read, 8000);
  EXPECT_EQ(cost.bytes_written, 2000);
}

// Whatever the arguments, every operator of the table has a finite cost.
TEST(Cost, HoldsForEveryOperatorAndAnyForm) {
  BuildProgram b;
  const std::vector<Value> tensors = {b.tensor({2, 3, 4}), b.tensor({}), b.tensor({0}), b.tensor({5}, DType::kInt64),
                                      b.tensor({2, 3, 4, 5, 6}, DType::kBFloat16)};
  const auto plain = [&](const Argument& argument, std::size_t turn) -> Value {
    Value value;
    switch (argument.type) {
      case Type::kTensor:
        value = tensors[turn % tensors.size()];
        break;
      case Type::kScalar:
      case Type::kFloat:
        value = number(0.5);
        break;
      case Type::kInt:
      case Type::kSymInt:
        value = number(turn % 7 == 0 ? std::int64_t{1} << 62 : static_cast<std::int64_t>(turn % 7) - 3);
        break;
      case Type::kBool:
        value = flag(turn % 2 == 0);
        break;
      case Type::kString:
        value = {std::string("...ab,bc->...ac")};
        break;
      case Type::kDType:
        value = {DType::kFloat32};
        break;
      case Type::kDevice:
        value = {Device::kTarget};
        break;
      case Type::kLayout:
      case Type::kMemoryFormat:
      case Type::kGenerator:
        break;
    }
    return argument.list ? list({value, value}) : value;
  };
  for (const Operator& op : all_operators()) {
    for (std::size_t turn = 0; turn < 12; ++turn) {
      AtenCall call{.op = op.name, .args = {}, .kwargs = {}, .result = {}, .at = {}};
      for (std::size_t i = 0; i < op.arguments.size() && turn > 0; ++i) {
        const Argument& argument = op.arguments[i];
        if (argument.keyword_only)
          call.kwargs.emplace_back(argument.name, plain(argument, turn + i));
        else
          call.args.push_back(plain(argument, turn * 3 + i));
      }
      if (op.results.size() == 1) call.result = tensors[turn % tensors.size()];
      if (op.results.size() > 1)
        call.result = list(std::vector<Value>(op.results.size(), tensors[turn % tensors.size()]));
      const Cost cost = cost_of(b.program, call);
      for (const double figure :
           {cost.bytes_read, cost.bytes_written, cost.matrix_ops, cost.scalar_ops, cost.launches,
            modelled_seconds(cost, find_target("a100")), eager_seconds(b.program, call, find_target("a100"))}) {
        ASSERT_TRUE(std::isfinite(figure) && figure >= 0) << op.name << " " << figure;
      }
    }
  }
}

}  // namespace
}  // namespace tritonrl::program
