#include "base/files.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

class Report : public RunTritonrl {
 protected:
  // A run of two steps, as `sft` leaves it.
  std::string made_run() const {
    std::filesystem::create_directories(folder() + "/runs/sft");
    file("runs/sft/metrics.jsonl",
         "{\"step\":1,\"loss\":2.5,\"seconds\":1800}\n{\"step\":2,\"loss\":0.25,\"seconds\":3600}\n");
    return file("runs/sft/manifest.json",
                R"({"name":"sft","command":["tritonrl","sft"],"options":{},"versions":{"program":"0.1"},"data":{},)"
                R"("started":"2026-11-18T10:00:00Z","finished":"2026-11-18T11:00:00Z"})");
  }
  std::string run() const { return folder() + "/runs/sft"; }
};

TEST_F(Report, WritesAPage) {
  made_run();
  const std::string page = folder() + "/pages/report.html";
  const base::CommandResult result = tritonrl({"report", run(), "--out", page, "--title", "A <run>"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(contains(result.errors, "wrote " + page + ": 4 parts")) << result.errors;
  const std::string html = base::read_file(page);
  EXPECT_TRUE(contains(html, "<h1>A &lt;run&gt;</h1>"));
  EXPECT_TRUE(contains(html, "<figcaption>Loss</figcaption>"));
}

TEST_F(Report, PrintsMarkdown) {
  made_run();
  const base::CommandResult result = tritonrl({"report", run(), "--markdown", "--price", "3", "--gpus", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output.find("# sft\n"), 0u) << result.output;
  EXPECT_TRUE(contains(result.output, "loss  █▁  2.5 → 0.25")) << result.output;
  EXPECT_TRUE(contains(result.output, "At $3.00 a GPU and hour: $6.00.")) << result.output;
  EXPECT_FALSE(std::filesystem::exists("report.html"));
}

TEST_F(Report, SaysWhatMustBeFixed) {
  const base::CommandResult nothing = tritonrl({"report"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_TRUE(contains(nothing.errors, "there is nothing to report")) << nothing.errors;
  const base::CommandResult missing = tritonrl({"report", folder() + "/none"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(contains(missing.errors, "there is no such folder")) << missing.errors;
  made_run();
  const base::CommandResult damaged = tritonrl({"report", run(), "--eval", file("eval.json", "{\"metrics\":")});
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_TRUE(contains(damaged.errors, "eval.json: is no JSON object")) << damaged.errors;
  EXPECT_EQ(tritonrl({"report", run(), "--gpus", "0"}).exit_code, 2);
  file("runs/sft/metrics.jsonl", "{\"step\":1,\"loss\":\"x\"}\n");
  const base::CommandResult line = tritonrl({"report", run()});
  EXPECT_EQ(line.exit_code, 2);
  EXPECT_TRUE(contains(line.errors, "metrics.jsonl:1: \"loss\" is no number")) << line.errors;
}

}  // namespace
}  // namespace tritonrl::cli
