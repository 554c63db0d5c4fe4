#include <stdlib.h>

#include "sandbox/nursery.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

class Warm : public RunRecorder {
 protected:
  void SetUp() override {
    RunRecorder::SetUp();
    before_ = getenv(sandbox::kNurseryVariable) == nullptr ? "" : getenv(sandbox::kNurseryVariable);
    setenv(sandbox::kNurseryVariable, (folder() + "/nursery").c_str(), 1);
  }
  void TearDown() override {
    tritonrl({"warm", "--stop"});
    setenv(sandbox::kNurseryVariable, before_.c_str(), 1);
  }
  std::string before_;
};

TEST_F(Warm, CommandsSayTheSameWithItAndAfterIt) {
  const std::string task = file("small.py", kSmallTask);
  EXPECT_EQ(tritonrl({"warm", "--stop"}).output, "there were none\n");
  const base::CommandResult begun = tritonrl({"warm", "--minutes", "2"});
  EXPECT_EQ(begun.exit_code, 0) << begun.errors;
  EXPECT_TRUE(contains(begun.output, "2 minutes")) << begun.output;
  EXPECT_EQ(tritonrl({"warm", "--minutes", "2"}).exit_code, 0);  // there is one already
  const base::CommandResult first = tritonrl({"record", task}), second = tritonrl({"record", task});
  EXPECT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_EQ(first.output, second.output);
  EXPECT_EQ(tritonrl({"warm", "--stop"}).output, "ended\n");
  const base::CommandResult cold = tritonrl({"record", task});
  EXPECT_EQ(cold.exit_code, 0) << cold.errors;
  EXPECT_EQ(cold.output, first.output);
}

}  // namespace
}  // namespace tritonrl::cli
