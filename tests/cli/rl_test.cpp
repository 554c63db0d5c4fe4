#include "base/files.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

// What `tritonrl rl`, `train --stage all` and `quickstart` say to what cannot be.
class RlInput : public RunTritonrl {
 protected:
  void expect_refused(const std::vector<std::string>& arguments, const std::string& part) const {
    const base::CommandResult result = tritonrl(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.output << result.errors;
    EXPECT_TRUE(contains(result.errors, part)) << result.errors;
  }
  std::string model() const { return source_path("models/embedded"); }
};

TEST_F(RlInput, NamesWhatIsMissing) {
  expect_refused({"rl", "--model", model()}, "no tasks; pass --tasks FOLDER");
  expect_refused({"rl", "--generate", "5", "--checkpoints", folder()},
                 "no model: pass --model, or fine-tune one first");
  expect_refused({"rl", "--model", folder() + "/nothing", "--generate", "5"}, "nothing");
}

TEST_F(RlInput, RefusesWhatContradictsItself) {
  expect_refused({"rl", "--model", model(), "--generate", "5", "--method", "grpo", "--samples", "1"},
                 "--samples must be at least 2");
  expect_refused({"rl", "--model", model(), "--generate", "5", "--distinct", "3", "--most-samples", "4"},
                 "--most-samples 4 is less than --samples 10");
  expect_refused({"rl", "--model", model(), "--generate", "5", "--all-parameters", "--eight-bit"},
                 "--eight-bit weights are frozen");
  expect_refused({"rl", "--model", model(), "--generate", "5", "--without", "work"}, "--without switches protections");
  expect_refused({"rl", "--model", model(), "--generate", "5", "--method", "ppo"}, "ppo");
}

TEST_F(RlInput, AFreshStartDoesNotRemoveWhatItBeginsWith) {
  const std::filesystem::path begun = folder() + "/rl_final";
  std::filesystem::copy(model(), begun);
  expect_refused({"rl", "--model", begun, "--all-parameters", "--generate", "5", "--fresh", "--checkpoints", folder()},
                 "which is what this run begins with");
  EXPECT_TRUE(std::filesystem::exists(begun / "model.safetensors"));
}

TEST_F(RlInput, ExplainsNothingWithoutALedger) {
  expect_refused({"rl", "--explain", "softmax", "--runs", folder()}, "there is no such ledger");
}

TEST_F(RlInput, AllStagesNeedTheirOptions) {
  expect_refused({"train", "--stage", "all", "--model", model()}, "pass --config FILE with a table [rl]");
}

TEST_F(RlInput, QuickstartNamesWhatIsMissing) {
  expect_refused({"quickstart", "--folder", folder() + "/q", "--module", folder() + "/nothing.py"},
                 "nothing.py: there is no such file");
  expect_refused({"quickstart", "--folder", folder() + "/q", "--model", folder() + "/nothing"}, "there is no model");
}

}  // namespace
}  // namespace tritonrl::cli
