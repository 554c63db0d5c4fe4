#include <filesystem>

#include "base/files.h"
#include "record/run_manifest.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

// `tritonrl pretrain`, `sft` and `train` in a folder of their own.
class Training : public RunTritonrl {
 protected:
  std::string in(const std::string& name) const { return (fs::path(folder()) / name).string(); }

  base::CommandResult run(std::vector<std::string> arguments) const {
    for (const char* word : {"--device", "cpu", "--threads", "1", "--data-threads", "1", "--checkpoints"})
      arguments.emplace_back(word);
    arguments.push_back(in("checkpoints"));
    arguments.insert(arguments.end(), {"--runs", in("runs")});
    return tritonrl(arguments);
  }

  // The smallest model that has room for generated pairs.
  base::CommandResult pretrain(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"pretrain", "--layers",       "1",    "--hidden",          "32",  "--heads",
                                          "2",        "--kv-heads",     "1",    "--intermediate",    "64",  "--context",
                                          "4096",     "--vocabulary",   "400",  "--tokenizer-pairs", "20",  "--steps",
                                          "2",        "--batch-tokens", "4096", "--pass-tokens",     "4096"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  static void expect_refused(const base::CommandResult& result, const std::string& why) {
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_TRUE(contains(result.errors, why)) << result.errors;
  }
};

TEST_F(Training, FromNothingToAModelToAnAdapterThatAnswers) {
  const base::CommandResult made = pretrain();
  ASSERT_EQ(made.exit_code, 0) << made.errors;
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"})
    EXPECT_TRUE(fs::exists(fs::path(in("checkpoints/pretrain_final")) / name)) << name;
  expect_refused(pretrain(), "nothing to train");

  std::string pairs;
  for (int i = 0; i < 20; ++i) {
    const std::string text = std::to_string(i);
    pairs += R"({"id": "p/)" + text + R"(", "instruction": "say )" + text + R"(", "output": ")" + text +
             R"(", "pytorch_code": "x"})" + "\n";
  }
  const std::string data = file("pairs.jsonl", pairs);
  const std::vector<std::string> sft = {"sft",
                                        "--model",
                                        in("checkpoints/pretrain_final"),
                                        "--data",
                                        data,
                                        "--epochs",
                                        "2",
                                        "--batch-tokens",
                                        "256",
                                        "--pass-tokens",
                                        "128",
                                        "--name",
                                        "first"};
  const base::CommandResult tuned = run(sft);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.errors;
  const base::Result<record::RunManifest> manifest =
      record::run_manifest_from_json(base::read_file(in("runs/first/manifest.json")));
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(manifest.value().data.size(), 1U);
  EXPECT_FALSE(manifest.value().finished.empty());
  EXPECT_EQ(manifest.value().options.at("lora_r").integer(), 16);
  EXPECT_FALSE(lines_of(base::read_file(in("runs/first/metrics.jsonl"))).empty());

  const base::CommandResult answered =
      tritonrl({"generate", "--model", in("checkpoints/pretrain_final"), "--adapter", in("checkpoints/sft_final"),
                "--prompt", "say 3", "--max-new-tokens", "4", "--device", "cpu"});
  EXPECT_EQ(answered.exit_code, 0) << answered.errors;
}

TEST_F(Training, SaysWhatToDoAboutBadInput) {
  expect_refused(run({"sft"}), "no model; pass --model");
  expect_refused(run({"sft", "--model", "x", "--all-parameters", "--eight-bit"}), "frozen");
  expect_refused(run({"train", "--stage", "all", "--model", "x"}), "not built yet");
  expect_refused(run({"pretrain", "--steps", "0"}), "pass --steps");
  expect_refused(run({"pretrain", "--steps", "1", "--hidden", "33", "--tokenizer-pairs", "1"}), "multiple of --heads");
  expect_refused(run({"sft", "--model", in("none")}), in("none"));
}

}  // namespace
}  // namespace tritonrl::cli
