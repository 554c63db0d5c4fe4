#include <gtest/gtest.h>

#include "tests/base/scratch_folder.h"
#include "tests/weights/goldens.h"
#include "weights/model_files.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

TEST(OpenModel, reads_a_folder) {
  const base::ScratchFolder scratch;
  const ModelLocation location{.kind = ModelLocation::Kind::kFolder, .path = scratch.path()};
  write_text(scratch.path("config.json"), golden_text("config_qwen2_5.json"));
  expect_contains(error_of([&] { open_model(location); }), "has neither model.safetensors");
  write_safetensors_folder(scratch.path(), {});
  EXPECT_EQ(open_model(location).config.eos_token_ids, (std::vector<std::int64_t>{2, 3}));
  write_text(scratch.path("generation_config.json"), R"({"eos_token_id": [7, 8, 9]})");
  const ModelFiles model = open_model(location);
  EXPECT_EQ(model.config.vocab_size, 96);
  EXPECT_EQ(model.config.eos_token_ids, (std::vector<std::int64_t>{7, 8, 9}));
  EXPECT_TRUE(model.tensors->list().empty());
  write_text(scratch.path("generation_config.json"), R"({"eos_token_id": "x"})");
  expect_contains(error_of([&] { open_model(location); }), "generation_config.json: eos_token_id is \"x\"");
}

TEST(OpenModel, reads_a_gguf_file) {
  const ModelFiles model = open_model({.kind = ModelLocation::Kind::kGguf, .path = golden("llama.gguf")});
  EXPECT_EQ(model.config.vocab_size, 40);
  EXPECT_EQ(model.tensors->load("model.embed_tokens.weight").info.shape, (std::vector<std::int64_t>{40, 32}));
  expect_contains(error_of([&] { model.tensors->load("lm_head.weight"); }),
                  "llama.gguf: has no tensor \"lm_head.weight\"");
}

TEST(OpenModel, a_plain_tensor_of_a_gguf_file_stays_in_the_map) {
  const ModelFiles model = open_model({.kind = ModelLocation::Kind::kGguf, .path = golden("llama.gguf")});
  const auto place = [&](const char* name) { return model.tensors->load(name).data.data(); };
  EXPECT_EQ(place("model.norm.weight"), place("model.norm.weight"));
}

}  // namespace
}  // namespace tritonrl::weights
