#include "abstract/operator_names.h"

#include <gtest/gtest.h>

namespace tritonrl::abstract {
namespace {

std::string_view name_of(const OperatorName* op) {
  return op == nullptr ? "none" : op->name;
}

TEST(OperatorNames, OneNameForManySpellings) {
  EXPECT_EQ(name_of(find_layer("Conv2d")), "conv2d");
  EXPECT_EQ(name_of(find_layer("LazyConv2d")), "conv2d");
  EXPECT_EQ(name_of(find_function("multiply")), "mul");
  EXPECT_EQ(name_of(find_function("*")), "mul");
  EXPECT_EQ(name_of(find_tensor_method("add_")), "add");
  EXPECT_EQ(name_of(find_function("expit")), "sigmoid");
  EXPECT_EQ(name_of(find_foreign("einops.rearrange")), "identity");
}

TEST(OperatorNames, FunctionsAndMethodsOfOneNameMayDiffer) {
  EXPECT_EQ(name_of(find_function("unfold")), "unfold");
  EXPECT_EQ(name_of(find_tensor_method("unfold")), "sliding_window");
}

TEST(OperatorNames, UnknownSpellings) {
  EXPECT_EQ(find_layer("Conv9d"), nullptr);
  EXPECT_EQ(find_layer("relu"), nullptr);
  EXPECT_EQ(find_function("Conv2d"), nullptr);
  EXPECT_EQ(find_function("_"), nullptr);
  EXPECT_EQ(find_function(""), nullptr);
  EXPECT_EQ(find_foreign("torchvision.models.resnet"), nullptr);
}

TEST(OperatorNames, WeightsAndKinds) {
  EXPECT_EQ(find_operator_name("conv2d")->heavy, 1);
  EXPECT_EQ(find_operator_name("lstm")->heavy, 3);
  EXPECT_EQ(find_operator_name("lstm_cell")->heavy, 2);
  EXPECT_EQ(find_operator_name("transformer_encoder_layer")->heavy, 6);
  EXPECT_EQ(find_operator_name("relu")->heavy, 0);
  EXPECT_TRUE(find_tensor_method("numel")->query);
  EXPECT_GT(all_operator_names().size(), 250u);
  for (const OperatorName& op : all_operator_names()) {
    EXPECT_EQ(op.heavy > 0, program::is_heavy(op.kind)) << op.name;
    EXPECT_EQ(find_operator_name(op.name), &op);
  }
}

}  // namespace
}  // namespace tritonrl::abstract
