#include "judge/input_uses.h"

#include <gtest/gtest.h>

namespace tritonrl::judge {
namespace {

using program::AtenCall;
using program::DType;
using program::Program;
using program::TensorRef;
using program::Value;

// A table of 7 rows, whole numbers, and what comes of them.
class Using {
 public:
  Using() {
    table_ = add(DType::kFloat32, {7, 4});
    numbers_ = add(DType::kInt64, {5});
    program_.forwards.emplace_back();
    program::Structure& inputs = program_.forwards.front().inputs;
    inputs.kind = program::Structure::Kind::kTuple;
    for (const TensorRef one : {table_, numbers_}) {
      program::Structure leaf;
      leaf.leaf = Value{one};
      inputs.items.emplace_back("", leaf);
    }
  }

  TensorRef add(DType dtype, std::vector<std::int64_t> sizes) {
    program::Tensor one;
    one.storage = static_cast<int>(program_.storages.size());
    one.dtype = dtype;
    one.sizes = std::move(sizes);
    one.strides.assign(one.sizes.size(), 1);
    program_.storages.emplace_back();
    program_.tensors.push_back(one);
    return {static_cast<int>(program_.tensors.size()) - 1};
  }

  Using& call(std::string op, std::vector<Value> args, TensorRef result) {
    AtenCall one;
    one.op = std::move(op);
    one.args = std::move(args);
    one.result = Value{result};
    program_.forwards.front().steps.emplace_back(std::move(one));
    return *this;
  }

  Value table() const { return {table_}; }
  Value numbers() const { return {numbers_}; }
  InputUse use() const { return uses_of(program_)[1]; }

 private:
  Program program_;
  TensorRef table_, numbers_;
};

Value number(std::int64_t one) {
  return Value{one};
}

TEST(InputUses, WhatIndexesIsBoundByWhatItChoosesFrom) {
  Using one;
  one.call("aten::index_select", {one.table(), number(0), one.numbers()}, one.add(DType::kFloat32, {5, 4}));
  EXPECT_TRUE(one.use().indexes);
  EXPECT_EQ(one.use().bound, 7);
  EXPECT_FALSE(one.use().adds_up);
  one.call("aten::gather", {one.table(), number(1), one.numbers()}, one.add(DType::kFloat32, {5}));
  EXPECT_EQ(one.use().bound, 4) << "the smallest of all";
}

TEST(InputUses, PlacesThatAreAddedUpAndPlacesThatAreOverwritten) {
  Using adds;
  adds.call("aten::index_add", {adds.table(), number(0), adds.numbers(), adds.table()},
            adds.add(DType::kFloat32, {7, 4}));
  EXPECT_TRUE(adds.use().adds_up);
  EXPECT_FALSE(adds.use().overwrites);
  Using copies;
  copies.call("aten::index_copy", {copies.table(), number(0), copies.numbers(), copies.table()},
              copies.add(DType::kFloat32, {7, 4}));
  EXPECT_TRUE(copies.use().overwrites);
}

TEST(InputUses, LengthsAreCompared) {
  Using one;
  const TensorRef counted = one.add(DType::kInt64, {5});
  one.call("aten::lt.Tensor", {Value{counted}, one.numbers()}, one.add(DType::kBool, {5}));
  EXPECT_TRUE(one.use().compared);
  EXPECT_TRUE(one.use().counts());
}

TEST(InputUses, WhatIsComputedFromItMayIndex) {
  Using one;
  const TensorRef last = one.add(DType::kInt64, {5});
  one.call("aten::sub.Tensor", {one.numbers(), number(1)}, last);
  one.call("aten::index_select", {one.table(), number(0), Value{last}}, one.add(DType::kFloat32, {5, 4}));
  EXPECT_TRUE(one.use().leads_to_index);
  EXPECT_FALSE(one.use().indexes);
}

TEST(InputUses, BoundariesHaveAnOrder) {
  Using one;
  one.call("aten::bucketize.Tensor", {one.table(), one.numbers()}, one.add(DType::kInt64, {7, 4}));
  EXPECT_TRUE(one.use().structured);
}

}  // namespace
}  // namespace tritonrl::judge
