#include <gtest/gtest.h>

#include "hub/hub.h"

namespace tritonrl::hub {
namespace {

TEST(FileKinds, knows_what_makes_a_model) {
  for (const char* file : {"config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json",
                           "merges.txt", "chat_template.jinja", "model.safetensors", "model-00001-of-00002.safetensors",
                           "model.safetensors.index.json"}) {
    EXPECT_TRUE(is_model_file(file)) << file;
  }
  for (const char* file : {"README.md", "pytorch_model.bin", "onnx/config.json", "original/model.safetensors",
                           "consolidated.safetensors", "x.gguf", ".gitattributes", "../config.json"}) {
    EXPECT_FALSE(is_model_file(file)) << file;
  }
}

TEST(FileKinds, knows_what_makes_a_data_set) {
  for (const char* file : {"a.parquet", "data/train-00000-of-00001.parquet", "a.json", "x/a.jsonl"}) {
    EXPECT_TRUE(is_dataset_file(file)) << file;
  }
  for (const char* file :
       {"README.md", "dataset_infos.json", "x/dataset_info.json", ".hidden.json", "a.json.gz", "parquet"}) {
    EXPECT_FALSE(is_dataset_file(file)) << file;
  }
}

TEST(FileKinds, prefers_parquet) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(choose_dataset_files({"README.md", "a.json", "a.parquet", "b.parquet"}), (Names{"a.parquet", "b.parquet"}));
  EXPECT_EQ(choose_dataset_files({"README.md", "a.json", "b.jsonl"}), (Names{"a.json", "b.jsonl"}));
  EXPECT_EQ(choose_dataset_files({"README.md"}), Names{});
}

}  // namespace
}  // namespace tritonrl::hub
