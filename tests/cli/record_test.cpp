#include <unistd.h>

#include "base/json.h"
#include "program/program_json.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

using Record = RunRecorder;  // each run costs the start of a Python with torch: few runs, many expectations

constexpr const char* kRaising = R"(import torch

class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        raise ValueError("no such luck")
)";

TEST_F(Record, ATaskAsAPersonWouldReadIt) {
  const base::CommandResult result = tritonrl({"record", file("small.py", kSmallTask), "--target", "a100"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output.find("Model on a100 (torch "), 0u) << result.output;
  int calls = 0;
  for (const std::string& line : lines_of(result.output)) {
    if (!contains(line, "small.py:5")) continue;
    ++calls;
    EXPECT_TRUE(contains(line, "f32[4,8] -> f32[4,8]") || contains(line, "f32[4,8] 1 -> f32[4,8]")) << line;
  }
  EXPECT_EQ(calls, 2) << result.output;
  EXPECT_TRUE(contains(result.output, "  relu f32[4,8] -> f32[4,8]")) << result.output;
  EXPECT_TRUE(contains(result.output, "  add.Tensor f32[4,8] 1 -> f32[4,8]")) << result.output;
  EXPECT_TRUE(contains(result.output, "2 ATen calls, 0 launches, 0 questions")) << result.output;
}

TEST_F(Record, JsonThatCanBeReadBack) {
  const base::CommandResult result = tritonrl(
      {"record", source_path("examples/tasks/softmax.py"), "--json", "--forwards", "3", "--sandbox", "landlock"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  ASSERT_EQ(lines_of(result.output).size(), 1u);
  ASSERT_TRUE(base::Json::try_parse(result.output).has_value());
  const base::Result<program::Program> read = program::read_program(result.output);
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value().forwards.size(), 3u);
  EXPECT_EQ(read.value().subject, "Model");
  EXPECT_EQ(read.value().target, "h200");
  EXPECT_EQ(read.value().files, std::vector<std::string>{"softmax.py"});
}

TEST_F(Record, ATaskWithoutAModelNamesTheFileAndTheFix) {
  const base::CommandResult result = tritonrl({"record", file("nothing.py", "import torch\nx = 1\n")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_TRUE(contains(result.errors, "nothing.py: defines no class Model(nn.Module); add one")) << result.errors;
}

TEST_F(Record, ACandidateThatRaisesIsToldByItsLine) {
  const base::CommandResult result =
      tritonrl({"record", file("raising.py", kRaising), "--task", source_path("examples/tasks/softmax.py")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(contains(result.errors, "raised in forward at raising.py:6: ValueError: no such luck")) << result.errors;
}

TEST_F(Record, ACandidateThatHangsCostsItsTime) {
  const std::string hanging = file("hanging.py", "while True:\n    pass\n");
  const base::CommandResult result =
      tritonrl({"record", hanging, "--task", file("task.py", kSmallTask), "--timeout", "1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.errors, "timeout: no answer within 1000 ms")) << result.errors;
}

TEST_F(Record, TheTaskFromStandardInput) {
  const base::CommandResult result =
      shell("\"$0\" record \"$1\" --task - < \"$2\"",
            {source_path("examples/kernels/softmax.py"), source_path("examples/tasks/softmax.py")});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.find("ModelNew on h200"), 0u) << result.output;
  EXPECT_TRUE(contains(result.output, "LAUNCH softmax_kernel <8192> x_ptr=f32[8192,4000]")) << result.output;
}

TEST_F(Record, SeveralFilesAsATable) {
  std::vector<std::string> arguments = {"record", "--tasks", source_path("examples/tasks")};
  for (const char* name : {"softmax.py", "relu_bias.py", "layernorm.py"}) {
    arguments.push_back(source_path("examples/kernels/") + name);
  }
  const base::CommandResult result = tritonrl(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const std::vector<std::string> lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 5u) << result.output;
  EXPECT_EQ(lines[0].find("file "), 0u);
  EXPECT_EQ(lines[1].find("softmax.py "), 0u);
  EXPECT_EQ(lines[3].find("layernorm.py "), 0u);
  EXPECT_EQ(lines[4].find("3 of 3 recorded"), 0u) << lines[4];
}

TEST_F(Record, TheWorstOfSeveralFilesDecides) {
  const std::vector<std::string> files = {file("good.py", kSmallTask), file("nothing.py", "x = 1\n"),
                                          file("syntax.py", "def (\n")};
  const base::CommandResult table = tritonrl({"record", files[0], files[1], files[2]});
  EXPECT_EQ(table.exit_code, 2);
  ASSERT_EQ(lines_of(table.output).size(), 5u) << table.output;
  EXPECT_TRUE(contains(table.output, "\n1 of 3 recorded")) << table.output;
  EXPECT_TRUE(contains(table.output, "SyntaxError")) << table.output;

  const base::CommandResult json = tritonrl({"record", files[0], files[2], "--json"});
  EXPECT_EQ(json.exit_code, 1);
  const std::vector<std::string> lines = lines_of(json.output);
  ASSERT_EQ(lines.size(), 2u) << json.output;
  EXPECT_TRUE(program::read_program(lines[0]).ok());
  const auto failure = base::Json::parse(lines[1]);
  EXPECT_EQ(failure["kind"], "raised");
  EXPECT_EQ(failure["exception"], "SyntaxError");
  EXPECT_EQ(failure["file"], "syntax.py");
  EXPECT_EQ(failure["line"], 1);
}

TEST_F(Record, AReaderThatGoesAwayIsNoCrash) {
  const std::string task = file("task.py", kSmallTask);
  const base::CommandResult result =
      shell("{ \"$0\" record \"$1\" \"$1\" \"$1\"; echo \"exit $?\" >&2; } | head -n 1", {task});
  EXPECT_EQ(lines_of(result.output).size(), 1u);
  EXPECT_EQ(result.errors, "exit 0\n");
}

TEST_F(Record, Doctor) {
  const base::CommandResult result = tritonrl({"doctor"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, ", sandbox full\n") || contains(result.output, ", sandbox landlock\n"))
      << result.output;
  EXPECT_TRUE(contains(result.output, "ok  interpreter       " + test_python())) << result.output;
  EXPECT_TRUE(contains(result.output, "all is well\n")) << result.output;
}

TEST_F(Record, AsAnOrdinaryUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root: the other tests already run as an ordinary user";
  const std::string become = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  const std::string task = source_path("examples/tasks/softmax.py");
  const base::CommandResult doctor = shell(become + "\"$0\" doctor", {});
  if (!contains(doctor.output, "ok  interpreter"))
    GTEST_SKIP() << "nobody may not run the program or its interpreter here";
  const base::CommandResult result =
      shell(become + "\"$0\" record \"$1\"", {task});  // never unconfined unless asked for
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "softmax f32[8192,4000]")) << result.output;
}

}  // namespace
}  // namespace tritonrl::cli
