// RecordRequest::precision: parameters and inputs in another floating type, as a benchmark at that precision has them.
#include <gtest/gtest.h>

#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

using program::DType;

const char* const kTask = R"(
import torch
class Model(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = torch.nn.Linear(16, n)
        self.norm = torch.nn.BatchNorm1d(n)
    def forward(self, x, index, pair):
        return self.norm(self.fc(x)) + pair['a'][index]
def get_inputs():
    return [torch.rand(8, 16), torch.randint(0, 8, (8,)), {'a': torch.rand(8, 1)}]
def get_init_inputs():
    return [4]
)";

class Precision : public testing::TestWithParam<std::pair<const char*, DType>> {};

TEST_P(Precision, HoldsForInputsParametersAndBuffers) {
  const auto& [name, dtype] = GetParam();
  RecordRequest request = task_request(kTask);
  request.precision = name;
  request.forwards = 2;
  const RecordOutcome outcome = test_recorder().record(request);
  ASSERT_EQ(outcome.kind, RecordOutcome::Kind::kRecorded) << outcome.message;
  const program::Program& program = *outcome.program;
  for (const program::Forward& forward : program.forwards) {
    const auto type_of = [&](const program::Structure& one) {
      return program.tensors[one.leaf.get_if<program::TensorRef>()->index].dtype;
    };
    EXPECT_EQ(type_of(forward.inputs.items.at(0).second), dtype);
    EXPECT_EQ(type_of(forward.inputs.items.at(1).second), DType::kInt64);
    EXPECT_EQ(type_of(forward.inputs.items.at(2).second.items.at(0).second), dtype);
    EXPECT_EQ(type_of(forward.outputs), dtype);
    // the values that the task drew are cast, not drawn anew
    bool cast = false;
    for (const program::Step& step : forward.make_inputs) {
      const auto* call = std::get_if<program::AtenCall>(&step);
      cast = cast || (call != nullptr && call->op == "aten::_to_copy");
    }
    EXPECT_TRUE(cast);
  }
  for (const auto& entry : program.state) {
    const bool counter = entry.name == "norm.num_batches_tracked";
    EXPECT_EQ(program.tensors[entry.tensor.index].dtype, counter ? DType::kInt64 : dtype) << entry.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Precision,
                         testing::Values(std::pair{"", DType::kFloat32}, std::pair{"float16", DType::kFloat16},
                                         std::pair{"bfloat16", DType::kBFloat16},
                                         std::pair{"float64", DType::kFloat64}),
                         [](const auto& one) { return *one.param.first ? one.param.first : "as_it_is"; });

}  // namespace
}  // namespace tritonrl::python
