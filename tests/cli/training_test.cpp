#include <filesystem>

#include "base/files.h"
#include "record/run_manifest.h"
#include "tests/cli/run_tritonrl.h"
#include "text/chat_template.h"

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

  // from what was learnt already, in the same shape with the same tokenizer, whatever the options say of them
  const auto at_step = [&](const std::string& run, std::size_t step) {
    const std::vector<std::string> lines = lines_of(base::read_file(fs::path(in("runs")) / run / "metrics.jsonl"));
    return base::Json::parse(lines.at(step)).at("loss").get<double>();
  };
  const base::CommandResult further =
      tritonrl({"pretrain", "--start", in("checkpoints/pretrain_final"), "--steps", "1", "--batch-tokens", "4096",
                "--pass-tokens", "4096", "--device", "cpu", "--threads", "1", "--checkpoints", in("further"), "--runs",
                in("runs"), "--name", "further"});
  ASSERT_EQ(further.exit_code, 0) << further.errors;
  EXPECT_LT(at_step("further", 0), at_step("pretrain", 0));
  for (const char* name : {"config.json", "tokenizer.json"}) {
    EXPECT_EQ(base::read_file(fs::path(in("further/pretrain_final")) / name),
              base::read_file(fs::path(in("checkpoints/pretrain_final")) / name));
  }
  expect_refused(pretrain({"--start", in("nowhere"), "--fresh"}), "nowhere");

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

  // started again from its manifest, elsewhere: the same adapter, bit for bit
  const base::CommandResult again = tritonrl(
      {"sft", "--from-manifest", in("runs/first/manifest.json"), "--checkpoints", in("again"), "--name", "again"});
  ASSERT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(base::read_file(in("checkpoints/sft_final/adapter_model.safetensors")),
            base::read_file(in("again/sft_final/adapter_model.safetensors")));
  const auto from_manifest = [&](const std::string& verb, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {verb, "--from-manifest", in("runs/first/manifest.json"), "--fresh"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tritonrl(arguments);
  };
  expect_refused(from_manifest("pretrain", {}), "manifest of another verb");
  expect_refused(from_manifest("sft", {"--data", file("other.jsonl", pairs + lines_of(pairs).front() + "\n")}),
                 "holds other data");

  // files of another tokenizer where the checkpoints' are
  fs::create_directories(in("mixed/sft/tokenizer"));
  base::write_file_atomically(in("mixed/sft/tokenizer/chat_template.jinja"),
                              text::chat_template_jinja(text::ChatDialect::kQwen25));
  const base::CommandResult mixed =
      tritonrl({"sft", "--from-manifest", in("runs/first/manifest.json"), "--checkpoints", in("mixed")});
  expect_refused(mixed, "two tokenizers are mixed");

  const base::CommandResult answered =
      tritonrl({"generate", "--model", in("checkpoints/pretrain_final"), "--adapter", in("checkpoints/sft_final"),
                "--prompt", "say 3", "--max-new-tokens", "4", "--device", "cpu"});
  EXPECT_EQ(answered.exit_code, 0) << answered.errors;
}

// Nothing but config.json is there.
TEST_F(Training, TellsWhatItWouldChoose) {
  fs::create_directories(in("coder"));
  base::write_file_atomically(in("coder/config.json"), R"({
    "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_act": "silu", "hidden_size": 3584,
    "intermediate_size": 18944, "max_position_embeddings": 32768, "num_attention_heads": 28, "num_hidden_layers": 28,
    "num_key_value_heads": 4, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "tie_word_embeddings": false,
    "torch_dtype": "bfloat16", "vocab_size": 152064, "eos_token_id": 151645})");
  const auto plan = [&](const char* memory, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"sft",       "--model",  in("coder"), "--longest",   "2048",
                                          "--dry-run", "--device", "cuda",      "--memory-gb", memory};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tritonrl(arguments);
  };
  const base::CommandResult wide = plan("80"), narrow = plan("40"), none = plan("8");
  EXPECT_EQ(wide.exit_code, 0) << wide.errors;
  EXPECT_TRUE(contains(wide.output, "chosen: 16-bit weights, without recomputation, 2 sequences of 2048"))
      << wide.output;
  EXPECT_TRUE(contains(narrow.output, "chosen: 8-bit weights, without recomputation, 1 sequence of")) << narrow.output;
  EXPECT_EQ(none.exit_code, 1) << none.errors;
  EXPECT_TRUE(contains(none.output, "does not fit; Qwen/")) << none.output;
  EXPECT_TRUE(contains(plan("40", {"--dtype", "bf16"}).output, "16-bit weights, with recomputation"));
  EXPECT_EQ(pretrain({"--dry-run"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(in("checkpoints")));
}

TEST_F(Training, SaysWhatToDoAboutBadInput) {
  expect_refused(run({"sft"}), "no model; pass --model");
  expect_refused(run({"sft", "--model", "x", "--all-parameters", "--eight-bit"}), "frozen");
  expect_refused(run({"train", "--stage", "all", "--model", "x"}), "pass --config FILE with a table [rl]");
  expect_refused(run({"pretrain", "--steps", "0"}), "pass --steps");
  expect_refused(run({"pretrain", "--steps", "1", "--hidden", "33", "--tokenizer-pairs", "1"}), "multiple of --heads");
  expect_refused(run({"sft", "--model", in("none")}), in("none"));
}

}  // namespace
}  // namespace tritonrl::cli
