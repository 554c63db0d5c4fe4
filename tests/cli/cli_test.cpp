// The program as people and scripts use it: exit codes, messages, output.
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/subprocess.h"
#include "program/program_json.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl {
namespace {

const char* const kTask =
    "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu() + 1\n"
    "def get_inputs():\n    return [torch.rand(8, 16)]\ndef get_init_inputs():\n    return []\n";

class Cli : public testing::Test {
 protected:
  Cli() {
    base::write_file_atomically(path("task.py"), kTask);
    base::write_file_atomically(
        path("answer.md"),
        "Here it is:\n```python\nclass ModelNew:\n    def forward(self, x):\n        return x\n```\nBye.\n");
  }

  std::string path(const std::string& name) const { return folder_.path(name); }

  std::string write(const std::string& name, const std::string& text) const {
    base::write_file_atomically(path(name), text);
    return path(name);
  }

  base::CommandResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), TRITONRL_BINARY_DIR "/tritonrl");
    return base::run_command(arguments, std::chrono::minutes(2));
  }

  // Exit code 2 and one line on standard error that holds `part`.
  void expect_complaint(const std::vector<std::string>& arguments, const std::string& part) const {
    const base::CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_EQ(result.output, "");
  }

  base::ScratchFolder folder_;
};

TEST_F(Cli, HelpAndUnknownOptions) {
  EXPECT_EQ(run({"--help"}).exit_code, 0);
  EXPECT_NE(run({"record", "--help"}).output.find("--target"), std::string::npos);
  EXPECT_EQ(run({}).exit_code, 2);
  EXPECT_EQ(run({"record", path("task.py"), "--no-such-option"}).exit_code, 2);
  EXPECT_EQ(run({"record", path("task.py"), "--forwards", "0"}).exit_code, 2);
}

TEST_F(Cli, BadInputIsOneClearLine) {
  expect_complaint({"record", path("missing.py")}, "missing.py: No such file");
  expect_complaint({"record", path("")}, "is a directory");
  expect_complaint({"record", path(""), "--task", path("task.py")}, "is a directory");
  expect_complaint({"record", write("empty.py", "")}, "empty.py: is empty");
  expect_complaint({"record", path("empty.py"), "--task", path("task.py")},
                   "empty.py: is empty; a candidate defines ModelNew");
  expect_complaint({"record", path("task.py"), "--task", path("missing.py")}, "missing.py: No such file");
  expect_complaint({"record", path("task.py"), "--target", "tpu"}, "h200");
  expect_complaint({"record", path("task.py"), "--python", "/bin/false"}, "/bin/false");
  expect_complaint({"record", path("task.py"), "--python", path("no_python")}, "cannot be executed");
  expect_complaint({"extract", path("missing.md")}, "missing.md: No such file");
}

TEST_F(Cli, ATaskWithoutModelIsTheUsersToFix) {
  expect_complaint({"record", write("odd.py", "import torch\n")}, "odd.py: defines no class Model");
}

TEST_F(Cli, RecordPrintsOneLineACall) {
  const base::CommandResult result = run({"record", path("task.py"), "--sandbox", "landlock"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("relu f32[8,16] -> f32[8,16]"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("task.py:4"), std::string::npos);
  EXPECT_NE(result.output.find("2 ATen calls, 0 launches"), std::string::npos);
  EXPECT_NE(result.output.find("level 1"), std::string::npos);
}

TEST_F(Cli, JsonIsAValidProgramForEveryForward) {
  const base::CommandResult result = run({"record", path("task.py"), "--json", "--forwards", "3", "--target", "a100"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const base::Result<program::Program> read = program::read_program(result.output);
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value().forwards.size(), 3u);
  EXPECT_EQ(read.value().target, "a100");
}

TEST_F(Cli, ACandidateThatRaisesIsANo) {
  write("bad.py", "class ModelNew:\n    def __init__(self):\n        raise ValueError('never')\n");
  const base::CommandResult result = run({"record", path("bad.py"), "--task", path("task.py")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.errors.find("bad.py:3: ValueError: never"), std::string::npos) << result.errors;
  const base::CommandResult json = run({"record", path("bad.py"), "--task", path("task.py"), "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(json.output)["kind"], "raised");
}

TEST_F(Cli, SeveralFilesGiveATable) {
  write("second.py", kTask);
  const base::CommandResult result = run({"record", path("task.py"), path("second.py")});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("2 of 2 recorded"), std::string::npos) << result.output;
}

TEST_F(Cli, ReadsStandardInput) {
  const std::string program = TRITONRL_BINARY_DIR "/tritonrl";
  const base::CommandResult result =
      base::run_command({"sh", "-c", "cat " + path("task.py") + " | " + program + " record -"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("relu"), std::string::npos);
}

TEST_F(Cli, ExtractGivesTheCodeOrTheReason) {
  const base::CommandResult found = run({"extract", path("answer.md")});
  EXPECT_EQ(found.exit_code, 0);
  EXPECT_EQ(found.output, "class ModelNew:\n    def forward(self, x):\n        return x\n");
  const base::CommandResult none = run({"extract", write("prose.md", "I cannot help with that.\n")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(none.output, "");
  EXPECT_NE(none.errors, "");
  EXPECT_TRUE(nlohmann::json::parse(run({"extract", path("answer.md"), "--json"}).output)["found"]);
}

TEST_F(Cli, DoctorExplainsTheMachine) {
  const base::CommandResult result = run({"doctor"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  for (const char* part : {"Landlock", "seccomp", "level", "torch", "all is well"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part;
  }
}

TEST_F(Cli, WorksAsAnOrdinaryUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "already an ordinary user";
  const auto as_nobody = [](const std::string& command) {
    return base::run_command({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", command},
                             std::chrono::minutes(2));
  };
  const std::string program = TRITONRL_BINARY_DIR "/tritonrl";
  if (as_nobody("test -x " + program + " && " + program + " doctor | grep -q 'ok  interpreter'").exit_code != 0) {
    GTEST_SKIP() << "the build or its Python lies where nobody may not read";
  }
  const base::CommandResult result = as_nobody("cat examples/tasks/softmax.py | " + program + " record -");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("softmax"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl
