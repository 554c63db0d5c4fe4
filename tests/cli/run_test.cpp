
#include "base/files.h"
#include "base/json.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

using RunCommand = RunRecorder;  // each run starts three warm processes: few runs, many expectations

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string softmax() {
  return base::read_file(source_path("examples/kernels/softmax.py"));
}
std::string softmax_task() {
  return source_path("examples/tasks/softmax.py");
}

TEST_F(RunCommand, ARightKernelAsAPersonWouldReadIt) {
  const base::CommandResult result = tritonrl({"run", source_path("examples/kernels/softmax.py"), "--task",
                                               softmax_task(), "--set", "ROWS=6", "--set", "COLUMNS=300"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  for (const char* part : {"kernel softmax_kernel  softmax.py:12", "6 of 6 programs executed", "coalesced", "modelled",
                           "bound by", "nothing found", "outputs: equal", "speed-up"}) {
    EXPECT_TRUE(contains(result.output, part)) << part << "\n" << result.output;
  }
}

TEST_F(RunCommand, ALargeTaskIsSampled) {
  const base::CommandResult result =
      tritonrl({"run", source_path("examples/kernels/softmax.py"), "--task", softmax_task(), "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const base::Json json = base::Json::parse(result.output);
  EXPECT_TRUE(json["sampled"].get<bool>());
  const base::Json& launch = json["launches"].at(0);
  EXPECT_EQ(launch["counters"]["programs"].get<int>(), 8192);
  EXPECT_EQ(launch["counters"]["executed"].get<int>(), 64);
  double bytes = 0;
  for (const base::Json& tensor : launch["counters"]["tensors"]) bytes += tensor["load_bytes"].get<double>();
  EXPECT_NEAR(bytes, 8192.0 * 4000 * 4, 1);
  EXPECT_GT(launch["resources"]["registers"].get<int>(), 0);
  EXPECT_GT(json["modelled"]["speedup"].get<double>(), 0.5);
}

TEST_F(RunCommand, AFirstBadAccessWithItsLine) {
  const std::string candidate =
      file("candidate.py", replaced(softmax(), "mask = columns < n_columns", "mask = columns < n_columns + 1"));
  const base::CommandResult result =
      tritonrl({"run", candidate, "--task", softmax_task(), "--set", "ROWS=4", "--set", "COLUMNS=100"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.errors, "candidate.py:17: out_of_bounds in softmax_kernel, program (3, 0, 0)"))
      << result.errors;
  EXPECT_TRUE(contains(result.errors, "past the end of")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "    x = tl.load(x_ptr + row * row_stride + columns")) << result.errors;
}

TEST_F(RunCommand, AWrongResultIsANo) {
  const std::string candidate =
      file("candidate.py", replaced(softmax(), "tl.exp(x - tl.max(x, axis=0))", "tl.exp(x - tl.max(x, axis=0)) + 1"));
  const base::CommandResult result =
      tritonrl({"run", candidate, "--task", softmax_task(), "--set", "ROWS=4", "--set", "COLUMNS=100"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "outputs: DIFFERENT: output 0[0, 0]: expected ")) << result.output;
}

TEST_F(RunCommand, WhatTritonRefusesWithItsLine) {
  const std::string candidate =
      file("candidate.py", replaced(softmax(), "columns = tl.arange(0, BLOCK)", "columns = tl.arange(0, BLOCK - 1)"));
  const base::CommandResult result =
      tritonrl({"run", candidate, "--task", softmax_task(), "--set", "ROWS=4", "--set", "COLUMNS=100"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.errors, "candidate.py:14")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "power of 2")) << result.errors;
}

TEST_F(RunCommand, BadInputIsTheUsersToFix) {
  const std::string kernel = source_path("examples/kernels/softmax.py");
  const base::CommandResult unknown = tritonrl({"run", kernel, "--task", softmax_task(), "--set", "LINES=3"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.errors, "LINES")) << unknown.errors;
  EXPECT_EQ(tritonrl({"run", kernel, "--task", softmax_task(), "--set", "ROWS"}).exit_code, 2);
  EXPECT_EQ(tritonrl({"run", kernel}).exit_code, 2);
  EXPECT_EQ(tritonrl({"run", kernel, "--task", folder() + "/none.py"}).exit_code, 2);
  EXPECT_EQ(tritonrl({"run", file("empty.py", ""), "--task", softmax_task()}).exit_code, 2);
}

}  // namespace
}  // namespace tritonrl::cli
