#include "program/operator_table.h"

#include <gtest/gtest.h>

#include <set>

namespace tritonrl::program {
namespace {

TEST(OperatorTable, IsWideAndNamesAreUnique) {
  std::set<std::string> names;
  std::set<OperatorKind> kinds;
  for (const Operator& op : all_operators()) {
    EXPECT_TRUE(op.name.starts_with("aten::")) << op.name;
    EXPECT_TRUE(names.insert(op.name).second) << op.name;
    EXPECT_EQ(find_operator(op.name), &op);
    kinds.insert(op.kind);
  }
  EXPECT_GT(names.size(), 2000u);
  EXPECT_EQ(kinds.size(), 23u);
  for (const OperatorKind kind : kinds) EXPECT_EQ(operator_kind_from_string(to_string(kind)), kind);
}

TEST(OperatorTable, KnowsKinds) {
  struct Case {
    const char* op;
    OperatorKind kind;
  };
  for (const Case& c : std::vector<Case>{{"aten::view", OperatorKind::kView},
                                         {"aten::_unsafe_view", OperatorKind::kView},
                                         {"aten::squeeze_.dim", OperatorKind::kView},
                                         {"aten::empty.memory_format", OperatorKind::kAllocate},
                                         {"aten::zeros", OperatorKind::kFill},
                                         {"aten::fill_.Scalar", OperatorKind::kFill},
                                         {"aten::_to_copy", OperatorKind::kCopy},
                                         {"aten::copy_", OperatorKind::kCopy},
                                         {"aten::randn_like", OperatorKind::kRandom},
                                         {"aten::uniform_", OperatorKind::kRandom},
                                         {"aten::add.Tensor", OperatorKind::kPointwise},
                                         {"aten::add.out", OperatorKind::kPointwise},
                                         {"aten::_foreach_mul_.Scalar", OperatorKind::kPointwise},
                                         {"aten::max.other", OperatorKind::kPointwise},
                                         {"aten::max.dim", OperatorKind::kReduce},
                                         {"aten::native_layer_norm", OperatorKind::kNormalise},
                                         {"aten::_softmax", OperatorKind::kSoftmax},
                                         {"aten::cumsum", OperatorKind::kScan},
                                         {"aten::topk", OperatorKind::kSort},
                                         {"aten::addmm", OperatorKind::kMatmul},
                                         {"aten::mm.out", OperatorKind::kMatmul},
                                         {"aten::convolution_backward", OperatorKind::kConvolution},
                                         {"aten::lstm.input", OperatorKind::kRecurrent},
                                         {"aten::scaled_dot_product_attention", OperatorKind::kAttention},
                                         {"aten::max_pool2d_with_indices", OperatorKind::kPool},
                                         {"aten::index.Tensor", OperatorKind::kGather},
                                         {"aten::cat", OperatorKind::kPermute},
                                         {"aten::constant_pad_nd", OperatorKind::kPermute},
                                         {"aten::upsample_nearest2d.vec", OperatorKind::kResample},
                                         {"aten::_fft_r2c", OperatorKind::kFourier},
                                         {"aten::linalg_cholesky_ex", OperatorKind::kLinalg},
                                         {"aten::nll_loss_forward", OperatorKind::kLoss},
                                         {"aten::where", OperatorKind::kShapeQuery},
                                         {"aten::where.self", OperatorKind::kPointwise},
                                         {"aten::nonzero", OperatorKind::kShapeQuery}}) {
    const Operator* op = find_operator(c.op);
    ASSERT_NE(op, nullptr) << c.op;
    EXPECT_EQ(to_string(op->kind), to_string(c.kind)) << c.op;
  }
}

TEST(OperatorTable, LeavesOutWhatIsNotSafe) {
  for (const char* name : {"aten::set_.source_Tensor",
                           "aten::resize_",
                           "aten::resize_as_",
                           "aten::_resize_output_",
                           "aten::from_file",
                           "aten::record_stream",
                           "aten::_unsafe_index.Tensor",
                           "aten::_index_put_impl_",
                           "aten::sparse_coo_tensor.size",
                           "aten::_to_sparse",
                           "aten::mkldnn_convolution",
                           "aten::quantize_per_tensor",
                           "aten::_nested_tensor_from_mask",
                           "aten::_conj",
                           "aten::_neg_view",
                           "aten::_local_scalar_dense",
                           "aten::item",
                           "aten::data",
                           "aten::_print",
                           "aten::add.tensor",
                           "aten::add",
                           "add.Tensor",
                           "aten::relu.default",
                           "prims::add",
                           ""}) {
    EXPECT_EQ(find_operator(name), nullptr) << name;
  }
}

TEST(OperatorTable, KnowsWhatIsWrittenAndDrawn) {
  const Operator& norm = *find_operator("aten::batch_norm");
  EXPECT_FALSE(norm.arguments[0].mutated);
  EXPECT_TRUE(norm.arguments[3].mutated) << "running_mean, although the schema does not say so";
  EXPECT_FALSE(find_operator("aten::native_batch_norm_backward")->arguments[3].mutated);
  EXPECT_TRUE(find_operator("aten::add_.Tensor")->arguments[0].mutated);
  EXPECT_TRUE(find_operator("aten::dropout")->random);
  EXPECT_TRUE(find_operator("aten::rand")->random);
  EXPECT_FALSE(find_operator("aten::relu")->random);
}

TEST(OperatorTable, DropoutOfNothingDrawsNothing) {
  const Value x = {TensorRef{0}}, half = {0.5}, zero = {0.0}, yes = {true}, no = {false};
  const auto draws = [](const char* op, std::vector<Value> args) {
    return draws_random({.op = op, .args = std::move(args), .kwargs = {}, .result = {}, .at = {}});
  };
  EXPECT_TRUE(draws("aten::dropout", {x, half, yes}));
  EXPECT_FALSE(draws("aten::dropout", {x, half, no}));
  EXPECT_FALSE(draws("aten::dropout", {x, zero, yes}));
  EXPECT_TRUE(draws("aten::native_dropout", {x, half, {}})) << "None is training";
  EXPECT_TRUE(draws("aten::scaled_dot_product_attention", {x, x, x, {}, half}));
  EXPECT_FALSE(draws("aten::scaled_dot_product_attention", {x, x, x})) << "by default nothing is dropped";
  EXPECT_TRUE(draws("aten::rand", {{Value::List{}}}));
  EXPECT_FALSE(draws("aten::relu", {x}));
}

TEST(OperatorTable, PlainNames) {
  EXPECT_EQ(plain_name("aten::add_.Tensor"), "add");
  EXPECT_EQ(plain_name("aten::relu"), "relu");
  EXPECT_EQ(plain_name("aten::__and__.Tensor"), "__and__");
  EXPECT_EQ(plain_name(""), "");
}

}  // namespace
}  // namespace tritonrl::program
