#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

// Every file of configs/, by the programs themselves: names and values of all its tables are right, and its stages fit
// the machine that it is for.
class Presets : public RunTritonrl {
 protected:
  // A model of which nothing but config.json is there.
  std::string model(const std::string& name, const std::string& config) const {
    fs::create_directories(fs::path(folder()) / name);
    file(name + "/config.json", config);
    return folder() + "/" + name;
  }
  std::string coder() const {
    return model("coder", R"({
      "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_act": "silu", "hidden_size": 3584,
      "intermediate_size": 18944, "max_position_embeddings": 32768, "num_attention_heads": 28, "num_hidden_layers": 28,
      "num_key_value_heads": 4, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "tie_word_embeddings": false,
      "torch_dtype": "bfloat16", "vocab_size": 152064, "eos_token_id": 151645})");
  }
  std::string small() const {
    return model("small", R"({
      "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": 576,
      "intermediate_size": 1536, "max_position_embeddings": 8192, "num_attention_heads": 9, "num_hidden_layers": 30,
      "num_key_value_heads": 3, "rms_norm_eps": 1e-05, "rope_theta": 100000, "tie_word_embeddings": true,
      "torch_dtype": "bfloat16", "vocab_size": 49152, "eos_token_id": 2})");
  }
  static std::string preset(const std::string& name) { return source_path("configs/" + name + ".toml"); }

  // What fine-tuning and reinforcement would choose, one after the other.
  static std::string planned(const std::string& name, const std::string& model, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"train",      "--stage", "all", "--config",
                                          preset(name), "--model", model, "--dry-run"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const base::CommandResult result = tritonrl(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.output;
  }
};

TEST_F(Presets, FitTheMachinesThatTheyAreFor) {
  const std::string eight = planned("qwen7b-a100x8", coder(), {"--device", "cuda", "--memory-gb", "80"});
  EXPECT_TRUE(contains(eight, "8-bit weights")) << eight;
  EXPECT_FALSE(contains(eight, "16-bit weights")) << eight;
  EXPECT_TRUE(contains(eight, "a pass of 4096 tokens")) << eight;
  const std::string one = planned("qwen7b-h200", coder(), {"--device", "cuda", "--memory-gb", "141"});
  EXPECT_TRUE(contains(one, "16-bit weights, without recomputation")) << one;
  EXPECT_FALSE(contains(one, "8-bit weights")) << one;
  planned("smollm2", small(), {"--device", "cuda", "--memory-gb", "24"});
  for (const char* verb : {"sft", "rl"}) {
    const base::CommandResult result =
        tritonrl({verb, "--config", preset("quickstart"), "--model", source_path("models/embedded"), "--device", "cpu",
                  "--memory-gb", "8", "--dry-run", verb == std::string("rl") ? "--tasks" : "--data", "made"});
    EXPECT_EQ(result.exit_code, 0) << verb << ": " << result.errors;
  }
}

TEST_F(Presets, HaveOptionsThatTheirVerbsKnow) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(source_path("configs"))) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"quickstart", "qwen7b-a100x8", "qwen7b-h200", "smollm2"}));
  for (const std::string& name : names) {
    // what stops them is not the file
    const base::CommandResult asked =
        tritonrl({"eval", "--config", preset(name), "--model", folder() + "/none", "--tasks", folder() + "/none"});
    EXPECT_EQ(asked.exit_code, 2);
    EXPECT_TRUE(contains(asked.errors, "/none")) << asked.errors;
    const base::CommandResult made = tritonrl({"prepare", "--config", preset(name), "--tokenizer", folder() + "/none",
                                               "--out", folder() + "/data", "--generate", "1", "--quiet"});
    EXPECT_EQ(made.exit_code, 2) << made.output;
    EXPECT_TRUE(contains(made.errors, "/none")) << made.errors;
  }
  const base::CommandResult started =
      tritonrl({"quickstart", "--config", preset("quickstart"), "--module", folder() + "/none.py"});
  EXPECT_TRUE(contains(started.errors, "none.py: there is no such file")) << started.errors;
}

}  // namespace
}  // namespace tritonrl::cli
