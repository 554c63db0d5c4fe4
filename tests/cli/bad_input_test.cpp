// What the user must fix: exit code 2, and one line that says what and where. None of these starts a recorder.
#include <unistd.h>

#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

using BadInput = RunTritonrl;

TEST_F(BadInput, HelpIsNone) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"record", "--help"}, {"extract", "--help"}, {"doctor", "--help"}}) {
    const base::CommandResult result = tritonrl(arguments);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_TRUE(contains(result.output, "--help"));
    EXPECT_EQ(result.errors, "");
  }
}

// Programs start without Arrow; a parquet file says that it is missing.
TEST_F(BadInput, WithoutArrowOnlyParquetIsNotRead) {
  const base::CommandResult needed = base::run_command({"ldd", build_path("tritonrl")});
  EXPECT_EQ(needed.exit_code, 0) << needed.errors;
  EXPECT_FALSE(contains(needed.output, "libarrow") || contains(needed.output, "libparquet")) << needed.output;
  const std::string alone = folder() + "/tritonrl";
  std::filesystem::copy_file(build_path("tritonrl"), alone);
  std::filesystem::copy_file(build_path("libtritonrl_sandbox_enter.so"), folder() + "/libtritonrl_sandbox_enter.so");
  EXPECT_EQ(base::run_command({alone, "--help"}).exit_code, 0);
  if (!std::filesystem::exists(build_path("libtritonrl_parquet.so"))) GTEST_SKIP() << "built without pyarrow";
  const base::CommandResult result =
      base::run_command({alone, "prepare", source_path("tests/data/rows/goldens/rows_zstd.parquet"), "--out",
                         folder() + "/out", "--quiet"});
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_TRUE(contains(result.errors,
                       "rows_zstd.parquet is a parquet file, and Arrow, which reads those, cannot be "
                       "loaded (libtritonrl_parquet.so"))
      << result.errors;
}

TEST_F(BadInput, OptionsThatCannotBeUnderstood) {
  const std::string task = source_path("examples/tasks/softmax.py");
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } cases[] = {
      {{}, "subcommand is required"},
      {{"paint"}, "paint is no verb of tritonrl; `tritonrl --help` lists them"},
      {{"verfy", task}, "verfy is no verb of tritonrl; did you mean verify?"},
      {{"--nonsense"}, "--nonsense is no option of tritonrl itself"},
      {{"record"}, "FILE is required"},
      {{"record", task, "--nonsense"}, "--nonsense is no option of record; `tritonrl record --help` lists them"},
      {{"record", task, "--forward", "2"}, "--forward is no option of record; did you mean --forwards?"},
      {{"record", task, "--froward=2"}, "--froward is no option of record; did you mean --forwards?"},
      {{"record", "--tsak", task}, "--tsak is no option of record; did you mean --task?"},
      {{"merge", "--modell", "x", "--adapter", "y"}, "--modell is no option of merge; did you mean --model?"},
      {{"record", task, "--forwards", "0"}, "--forwards"},
      {{"record", task, "--forwards", "17"}, "--forwards"},
      {{"record", task, "--forwards", "x"}, "--forwards"},
      {{"record", task, "--sandbox", "sand"}, "--sandbox"},
      {{"record", task, "--timeout", "0"}, "--timeout"},
      {{"record", task, "--timeout", "1e300"}, "--timeout"},
      {{"record", task, "--memory", "-1"}, "--memory"},
      {{"record", task, "--task", task, "--tasks", "."}, "--task"},
      {{"extract"}, "ANSWER is required"},
      {{"doctor", "now"}, "now"},
  };
  for (const auto& [arguments, message] : cases) {
    const base::CommandResult result = tritonrl(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_TRUE(contains(result.errors, message)) << message << " in: " << result.errors;
    EXPECT_EQ(result.output, "");
  }
}

// Runs, and holds that the answer is one line on standard error with all the parts.
void expect_one_line(const base::CommandResult& result, const std::vector<std::string>& parts) {
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_EQ(result.output, "");
  ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_EQ(result.errors.find("tritonrl: ["), 0u) << result.errors;
  EXPECT_EQ(result.errors.back(), '\n');
  for (const std::string& part : parts) EXPECT_TRUE(contains(result.errors, part)) << part << " in: " << result.errors;
}

TEST_F(BadInput, FilesThatCannotBeUsed) {
  const std::string task = source_path("examples/tasks/softmax.py");
  const std::string missing = folder() + "/missing.py";
  const std::string empty = file("empty.py", "");
  expect_one_line(tritonrl({"record", missing}), {missing, "No such file", "check the path"});
  expect_one_line(tritonrl({"record", folder()}), {folder(), "is a directory", "name a file inside it"});
  expect_one_line(tritonrl({"record", empty}), {empty, "is empty", "a task defines Model"});
  expect_one_line(tritonrl({"record", task, missing}), {missing});  // before anything is printed
  expect_one_line(tritonrl({"record", missing, "--task", task}), {missing, "No such file"});
  expect_one_line(tritonrl({"record", folder(), "--task", task}), {folder(), "is a directory"});
  expect_one_line(tritonrl({"record", empty, "--task", task}), {empty, "is empty", "a candidate defines ModelNew"});
  expect_one_line(tritonrl({"record", task, "--task", missing}), {missing});
  expect_one_line(tritonrl({"record", task, "--task", folder()}), {folder()});
  expect_one_line(tritonrl({"record", task, "--tasks", folder()}), {folder() + "/softmax.py", "No such file"});
  expect_one_line(tritonrl({"extract", missing}), {missing, "No such file"});
  expect_one_line(tritonrl({"extract", folder()}), {folder(), "is a directory"});
}

TEST_F(BadInput, AnUnknownTargetListsTheKnownOnes) {
  expect_one_line(tritonrl({"record", source_path("examples/tasks/softmax.py"), "--target", "h900"}),
                  {"'h900'", "h200", "h100", "a100", "l40s", "rtx4090", "sm_90"});
}

TEST_F(BadInput, AnInterpreterThatIsNone) {
  const std::string task = source_path("examples/tasks/softmax.py");
  expect_one_line(tritonrl({"record", task, "--python", "/bin/false"}), {"/bin/false: does not behave like Python"});
  expect_one_line(tritonrl({"record", task, "--python", "/no/python"}),
                  {"/no/python: cannot be executed", "pass --python", "scripts/setup.sh"});
  const base::CommandResult doctor = tritonrl({"doctor", "--python", "/no/python"});
  EXPECT_EQ(doctor.exit_code, 2);
  EXPECT_TRUE(contains(doctor.output, "--  interpreter")) << doctor.output;
  EXPECT_TRUE(contains(doctor.output, "/no/python: cannot be executed")) << doctor.output;
}

TEST_F(BadInput, AnEnvironmentOfAnotherUserIsAsGoodAsNone) {
  const std::string become = ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  if (shell(become + "test -x \"$0\"", {}).exit_code != 0) GTEST_SKIP() << "nobody cannot run the program here";
  const std::string script =
      "chmod 0 \"$1\"; VIRTUAL_ENV=\"$1/venv\" " + become + "env -u TRITONRL_PYTHON \"$0\" record \"$2\"";
  const base::CommandResult result = shell(script, {folder(), source_path("examples/tasks/softmax.py")});
  shell("chmod 700 \"$1\"", {folder()});
  if (result.exit_code == 0) return;  // there was a better one
  expect_one_line(result, {"[python] "});
}

}  // namespace
}  // namespace tritonrl::cli
