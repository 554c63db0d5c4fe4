// Recordings of the corpus' reference modules, executed through torch's dispatcher, against eager torch: same seeds,
// same tensors.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/files.h"
#include "base/subprocess.h"
#include "tests/base/scratch_folder.h"
#include "tests/program/aten_replay.h"
#include "tests/python/corpus.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

constexpr std::uint64_t kSeed = 1234;  // eager_outputs.py's

// What eager torch gives for every small task, computed once for the whole corpus.
const nlohmann::json& eager_outputs() {
  static const nlohmann::json outputs = [] {
    const base::ScratchFolder folder;
    std::vector<std::string> command = {test_recorder_options().interpreter.executable,
                                        std::string(TRITONRL_SOURCE_DIR) + "/tests/python/eager_outputs.py",
                                        folder.path("out.json")};
    for (const CorpusPair& pair : read_corpus()) {
      const std::string file = folder.path(pair.name + ".py");
      base::write_file_atomically(file, shrunk(pair.task, pair.small));
      command.push_back(pair.name + "=" + file);
    }
    const base::CommandResult result = base::run_command(command, std::chrono::minutes(5));
    if (result.exit_code != 0) throw std::runtime_error("eager_outputs.py failed: " + result.errors);
    return nlohmann::json::parse(base::read_file(command[2]));
  }();
  return outputs;
}

at::Tensor from_json(const nlohmann::json& row, const at::Tensor& like) {
  const std::string bytes = base::base64_decode(row["data"].get<std::string>()).value();
  const auto sizes = row["sizes"].get<std::vector<std::int64_t>>();
  at::Tensor out = at::empty(sizes, at::TensorOptions().dtype(like.scalar_type()));
  EXPECT_EQ(out.nbytes(), bytes.size());
  std::memcpy(out.data_ptr(), bytes.data(), std::min(bytes.size(), out.nbytes()));
  return out;
}

// Answers the recorder's questions by executing the program so far, as the judge's runner does.
std::optional<program::Value> answer(const program::Program& so_far, const program::Question& question) {
  program::AtenReplay replay(so_far);
  at::manual_seed(kSeed);
  replay.run(so_far.initialise);
  if (!so_far.forwards.empty()) {
    at::manual_seed(kSeed + 1);
    replay.run(so_far.forwards.back().make_inputs);
    at::manual_seed(kSeed + 2);
    replay.run(so_far.forwards.back().steps);
  }
  if (question.kind != program::Question::Kind::kItem) return std::nullopt;
  const at::Tensor value = replay.tensor(question.about.front());
  return program::Value{value.is_floating_point() ? decltype(program::Value::data)(value.item<double>())
                                                  : decltype(program::Value::data)(value.item<std::int64_t>())};
}

// One thread, as in eager_outputs.py: sums over several threads come out in another order.
const bool kOneThread = [] {
  at::set_num_threads(1);
  return true;
}();

class Replay : public testing::TestWithParam<CorpusPair> {};

TEST_P(Replay, GivesTheTensorsOfEagerTorch) {
  const CorpusPair& pair = GetParam();
  RecordRequest request = task_request(shrunk(pair.task, pair.small));
  request.answer = answer;
  const RecordOutcome outcome = test_recorder().record(request);
  ASSERT_EQ(outcome.kind, RecordOutcome::Kind::kRecorded) << outcome.message;
  const program::Program& program = *outcome.program;
  const program::Forward& forward = program.forwards.front();

  program::AtenReplay replay(program);
  at::manual_seed(kSeed);
  replay.run(program.initialise);
  at::manual_seed(kSeed + 1);
  replay.run(forward.make_inputs);
  at::manual_seed(kSeed + 2);
  replay.run(forward.steps);
  const std::vector<at::Tensor> got = replay.tensors(forward.outputs);
  const nlohmann::json& expected = eager_outputs().at(pair.name);
  ASSERT_EQ(got.size(), expected.size());
  ASSERT_FALSE(got.empty());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].sizes().vec(), expected[i]["sizes"].get<std::vector<std::int64_t>>());
    const at::Tensor want = from_json(expected[i], got[i]);
    // the same kernels in the same order; matrix libraries still round by how their operands happen to be aligned
    EXPECT_TRUE(got[i].equal(want) || got[i].allclose(want, /*rtol=*/1e-6, /*atol=*/1e-6))
        << "output " << i << ": largest difference "
        << (got[i].to(at::kDouble) - want.to(at::kDouble)).abs().max().item<double>();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Replay, testing::ValuesIn(read_corpus()), [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tritonrl::python
