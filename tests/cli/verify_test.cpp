// What the user must fix before anything is judged: exit code 2 and one line that says what.
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

using Verify = RunTritonrl;

constexpr const char* kCandidate = "class ModelNew:\n    pass\n";

TEST_F(Verify, HelpHasEveryOption) {
  const base::CommandResult result = tritonrl({"verify", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* name : {"CANDIDATE",
                           "--task",
                           "--policy",
                           "--target",
                           "--precision",
                           "--variations",
                           "--json",
                           "--explain",
                           "--seed",
                           "--min-work-share",
                           "--without",
                           "--cache",
                           "--no-cache",
                           "--workers",
                           "--batch",
                           "--out",
                           "--overwrite",
                           "--answer",
                           "--enable-multi-input",
                           "--enable_multi_input",
                           "--multi-input-num-tests",
                           "--multi-input-shape-variations",
                           "--multi-input-value-variations",
                           "--enable-staged-eval",
                           "--staged-skip-timing-on-failure",
                           "--staged-tiny-batch-first",
                           "--enable-calibrated-timing",
                           "--timing-num-warmup",
                           "--timing-num-trials",
                           "--timing-use-events",
                           "--plan-speedup-cap",
                           "--sampled-programs",
                           "--candidate-ms",
                           "--python",
                           "--sandbox"}) {
    EXPECT_TRUE(contains(result.output, name)) << name;
  }
}

TEST_F(Verify, OptionsThatCannotBeUnderstood) {
  const std::string task = source_path("examples/tasks/softmax.py");
  const std::string candidate = file("candidate.py", kCandidate);
  const struct {
    std::vector<std::string> options;
    const char* message;
  } cases[] = {
      {{"--nonsense"}, "--nonsense"},
      {{"--policy", "lenient"}, "--policy"},
      {{"--precision", "fp8"}, "--precision"},
      {{"--variations", "original,upside_down"}, "--variations"},
      {{"--seed", "x"}, "--seed"},
      {{"--seed", "-1"}, "--seed"},
      {{"--min-work-share", "2"}, "--min-work-share"},
      {{"--enable-multi-input", "perhaps"}, "--enable-multi-input"},
      {{"--enable_multi_input", "perhaps"}, "--enable"},
      {{"--timing-num-trials", "0"}, "--timing-num-trials"},
      {{"--candidate-ms", "0"}, "--candidate-ms"},
      {{"--workers", "0"}, "--workers"},
      {{"--json", "--explain"}, "--"},
      {{"--cache", folder(), "--no-cache"}, "--no-cache"},
      {{"--batch", candidate, "--out", "-"}, "--batch"},
      {{"--out", "results.jsonl"}, "--batch"},
      {{"--target", "h900"}, "'h900'"},
      {{"--live"}, "--live needs a GPU: pass --device cuda with it"},
      {{"--baseline", "compile"}, "--baseline compile needs a GPU"},
      {{"--baseline", "jit"}, "--baseline"},
  };
  for (const auto& [options, message] : cases) {
    std::vector<std::string> arguments = {"verify", candidate, "--task", task};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const base::CommandResult result = tritonrl(arguments);
    EXPECT_EQ(result.exit_code, 2) << message << ": " << result.errors;
    EXPECT_TRUE(contains(result.errors, message)) << message << " in: " << result.errors;
    EXPECT_EQ(result.output, "") << message;
  }
}

// Runs, and holds that the answer is one line on standard error with all the parts.
void expect_one_line(const base::CommandResult& result, const std::vector<std::string>& parts) {
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_EQ(result.output, "");
  ASSERT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_EQ(result.errors.find("tritonrl: ["), 0u) << result.errors;
  for (const std::string& part : parts) EXPECT_TRUE(contains(result.errors, part)) << part << " in: " << result.errors;
}

TEST_F(Verify, WhatIsMissing) {
  const std::string task = source_path("examples/tasks/softmax.py");
  const std::string candidate = file("candidate.py", kCandidate);
  const std::string missing = folder() + "/missing.py";
  expect_one_line(tritonrl({"verify"}), {"no candidate", "--batch"});
  expect_one_line(tritonrl({"verify", candidate}), {"no task", "--task"});
  expect_one_line(tritonrl({"verify", "-", "--task", "-"}), {"both"});
  expect_one_line(tritonrl({"verify", missing, "--task", task}), {missing, "No such file"});
  expect_one_line(tritonrl({"verify", folder(), "--task", task}), {folder(), "is a directory"});
  expect_one_line(tritonrl({"verify", candidate, "--task", missing}), {missing, "No such file"});
  expect_one_line(tritonrl({"verify", candidate, "--task", folder()}), {folder(), "is a directory"});
  expect_one_line(tritonrl({"verify", candidate, "--task", file("empty.py", "\n")}), {"empty.py", "is empty"});
  expect_one_line(shell("\"$0\" verify \"$1\" --task - < /dev/null", {candidate}), {"the input is empty"});
  expect_one_line(tritonrl({"verify", "--batch", candidate}), {"--out"});
}

TEST_F(Verify, ABatchThatCannotBeRead) {
  const std::string missing = folder() + "/missing.jsonl";
  expect_one_line(tritonrl({"verify", "--batch", missing, "--out", folder() + "/out.jsonl"}), {missing, "--batch"});
  EXPECT_FALSE(std::filesystem::exists(folder() + "/out.jsonl"));
  const std::string input = file("in.jsonl", "{}\n");
  expect_one_line(tritonrl({"verify", "--batch", input, "--out", folder()}), {folder(), "is a directory"});
  expect_one_line(tritonrl({"verify", "--batch", input, "--out", input}), {"is the input"});
  const std::string precious = file("precious.jsonl", "mine\n");
  expect_one_line(tritonrl({"verify", "--batch", input, "--out", precious}), {precious, "--overwrite"});
  EXPECT_EQ(shell("cat \"$1\"", {precious}).output, "mine\n");
}

TEST_F(Verify, ACacheThatCannotBeWrittenNamesTheFix) {
  const std::string candidate = file("candidate.py", kCandidate);
  expect_one_line(
      tritonrl({"verify", candidate, "--task", source_path("examples/tasks/softmax.py"), "--cache", candidate + "/x"}),
      {candidate + "/x", "--cache DIR", "--no-cache"});
}

}  // namespace
}  // namespace tritonrl::cli
