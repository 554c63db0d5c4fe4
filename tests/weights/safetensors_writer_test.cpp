#include <gtest/gtest.h>

#include <cstring>

#include "base/json.h"
#include "tests/base/scratch_folder.h"
#include "tests/weights/goldens.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

TensorToWrite tensor_of(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape,
                        const std::string& bytes) {
  const TensorInfo info{.name = name, .dtype = dtype, .shape = std::move(shape)};
  return {.info = info, .bytes = [info, bytes] {
            const auto memory = std::make_shared<std::string>(bytes);
            return StoredTensor{.info = info, .data = std::as_bytes(std::span(*memory)), .owner = memory};
          }};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(SafetensorsWriter, writes_what_the_reader_reads) {
  const base::ScratchFolder scratch;
  const std::string file = scratch.path("x.safetensors");
  write_safetensors(file,
                    {tensor_of("odd", Dtype::kU8, {3}, "abc"), tensor_of("wide", Dtype::kF64, {1}, "12345678"),
                     tensor_of("none", Dtype::kF32, {0, 4}, ""), tensor_of("scalar", Dtype::kBf16, {}, "xy")},
                    {{"format", "pt"}});
  const auto files = open_safetensors(file);
  ASSERT_EQ(files->list().size(), 4u);
  const StoredTensor odd = files->load("odd");
  EXPECT_EQ(std::memcmp(odd.data.data(), "abc", 3), 0);
  EXPECT_EQ(files->load("none").info.shape, (std::vector<std::int64_t>{0, 4}));
  const std::string text = base::read_file(file);
  std::uint64_t length = 0;
  std::memcpy(&length, text.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(parse_safetensors_header(bytes_of(text), "x").metadata.at("format"), "pt");
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"x.safetensors"});
}

TEST(SafetensorsWriter, leaves_the_old_file_when_making_the_data_fails) {
  const base::ScratchFolder scratch;
  const std::string file = scratch.path("x.safetensors");
  write_safetensors(file, {tensor_of("a", Dtype::kU8, {1}, "1")});
  const std::string before = base::read_file(file);
  TensorToWrite failing = tensor_of("b", Dtype::kU8, {1}, "1");
  failing.bytes = []() -> StoredTensor { throw base::UserError("test", "no data"); };
  EXPECT_THROW(write_safetensors(file, {failing}), base::UserError);
  EXPECT_EQ(base::read_file(file), before);
  EXPECT_EQ(names_in(scratch.path()).size(), 1u);
}

TEST(SafetensorsWriter, says_where_it_cannot_write) {
  expect_contains(error_of([] { write_safetensors("/nonexistent/x.safetensors", {}); }),
                  "cannot write /nonexistent/x.safetensors: No such file or directory; choose another place");
}

TEST(SafetensorsWriter, shards_have_an_index_with_the_total_size) {
  const base::ScratchFolder scratch;
  const std::vector<TensorToWrite> tensors = {tensor_of("a", Dtype::kU8, {6}, "aaaaaa"),
                                              tensor_of("b", Dtype::kU8, {4}, "bbbb"),
                                              tensor_of("c", Dtype::kU8, {40}, std::string(40, 'c'))};
  write_safetensors_folder(scratch.path("m"), tensors, /*shard_bytes=*/10);
  const base::Json index = base::Json::parse(base::read_file(scratch.path("m/model.safetensors.index.json")));
  EXPECT_EQ(index["metadata"]["total_size"], 50);
  EXPECT_EQ(index["weight_map"]["b"], "model-00001-of-00002.safetensors");
  EXPECT_EQ(index["weight_map"]["c"], "model-00002-of-00002.safetensors");
}

TEST(SafetensorsWriter, a_later_save_leaves_nothing_of_an_earlier_one) {
  const base::ScratchFolder scratch;
  const std::vector<TensorToWrite> tensors = {tensor_of("a", Dtype::kU8, {1}, "a"),
                                              tensor_of("b", Dtype::kU8, {1}, "b")};
  write_text(scratch.path("config.json"), "{}");
  write_text(scratch.path("model-notes.safetensors"), "mine");
  write_safetensors_folder(scratch.path(), tensors, /*shard_bytes=*/1);
  write_safetensors_folder(scratch.path(), tensors);
  EXPECT_EQ(names_in(scratch.path()),
            (std::vector<std::string>{"config.json", "model-notes.safetensors", "model.safetensors"}));
  write_safetensors_folder(scratch.path(), tensors, /*shard_bytes=*/1);
  EXPECT_FALSE(fs::exists(scratch.path("model.safetensors")));
  EXPECT_EQ(open_safetensors_folder(scratch.path())->list().size(), 2u);
}

}  // namespace
}  // namespace tritonrl::weights
