#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/json.h"
#include "tests/base/scratch_folder.h"
#include "tests/weights/goldens.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, Dtype> kTorchNames = {
    {"float64", Dtype::kF64}, {"float32", Dtype::kF32}, {"float16", Dtype::kF16}, {"bfloat16", Dtype::kBf16},
    {"int64", Dtype::kI64},   {"int32", Dtype::kI32},   {"int16", Dtype::kI16},   {"int8", Dtype::kI8},
    {"uint8", Dtype::kU8},    {"bool", Dtype::kBool}};

std::string data_of(const StoredTensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()};
}

TensorToWrite small(const std::string& name, float value) {
  const TensorInfo info{.name = name, .dtype = Dtype::kF32, .shape = {1}};
  return {.info = info, .bytes = [info, value] {
            const auto memory = std::make_shared<float>(value);
            return StoredTensor{.info = info, .data = std::as_bytes(std::span(memory.get(), 1)), .owner = memory};
          }};
}

TEST(SafetensorsReader, reads_what_the_reference_wrote) {
  const auto files = open_safetensors(golden("reference.safetensors"));
  const base::Json expected = base::Json::parse(golden_text("reference.json"));
  ASSERT_EQ(files->list().size(), expected.size());
  for (const base::Json& one : expected) {
    const std::string& name = one["name"].text();
    SCOPED_TRACE(name);
    const TensorInfo* const info = files->find(name);
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(info->dtype, kTorchNames.at(one["dtype"].text()));
    EXPECT_EQ(info->shape, one["shape"].get<std::vector<std::int64_t>>());
    const StoredTensor tensor = files->load(name);
    EXPECT_EQ(data_of(tensor), base::base64_decode(one["bytes"].get<std::string>()).value());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data.data()) % size_of(info->dtype), 0u);
  }
  expect_contains(error_of([&] { files->load("zzz"); }), "reference.safetensors: has no tensor \"zzz\"");
  expect_contains(error_of([] { open_safetensors(golden("float8.safetensors")); }), "\"F8_E4M3\"");
}

TEST(SafetensorsReader, data_outlives_the_reader) {
  StoredTensor tensor = open_safetensors(golden("reference.safetensors"))->load("k.scalar");
  EXPECT_EQ(*reinterpret_cast<const float*>(tensor.data.data()), 1.5f);
}

TEST(SafetensorsReader, copies_what_lies_askew) {
  const base::ScratchFolder scratch;
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})";
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size());
  const float value = 2.5f;
  file += header + "x" + std::string(reinterpret_cast<const char*>(&value), 4);
  write_text(scratch.path("askew.safetensors"), file);
  const StoredTensor tensor = open_safetensors(scratch.path("askew.safetensors"))->load("b");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data.data()) % 4, 0u);
  EXPECT_EQ(*reinterpret_cast<const float*>(tensor.data.data()), 2.5f);
}

TEST(SafetensorsReader, joins_shards) {
  const base::ScratchFolder scratch;
  write_safetensors_folder(scratch.path(), {small("b", 1), small("a", 2), small("c", 3)}, /*shard_bytes=*/8);
  ASSERT_FALSE(fs::exists(scratch.path("model.safetensors")));
  const auto files = open_safetensors_folder(scratch.path());
  ASSERT_EQ(files->list().size(), 3u);
  EXPECT_EQ(files->list()[0].name, "a");
  EXPECT_EQ(*reinterpret_cast<const float*>(files->load("c").data.data()), 3.f);
}

TEST(SafetensorsReader, refuses_shards_that_do_not_agree_with_the_index) {
  const base::ScratchFolder scratch;
  const auto index = [&](const std::string& map) {
    write_text(scratch.path("model.safetensors.index.json"), R"({"metadata":{},"weight_map":)" + map + "}");
    return error_of([&] { open_safetensors_folder(scratch.path()); });
  };
  write_safetensors(scratch.path("one"), {small("a", 1), small("b", 1)});
  write_safetensors(scratch.path("two"), {small("b", 1)});
  expect_contains(index(R"({"a":"one","b":"two"})"), "holds tensor \"b\", which the index has in two");
  expect_contains(index(R"({"a":"one"})"), "holds tensor \"b\", which the index does not name");
  expect_contains(index(R"({"a":"one","b":"one","c":"two"})"), "which the index has in one");
  expect_contains(index(R"({"a":"one","b":"one","c":"one"})"), "lacks tensor \"c\"");
  expect_contains(index(R"({"a":"three"})"), "three: No such file");
  expect_contains(index(R"({"a":"../one"})"), "expected the name of a file beside the index");
  expect_contains(index(R"({"a":".."})"), "expected the name of a file beside the index");
  expect_contains(index(R"({"a":1})"), "expected a string");
  expect_contains(index(R"({})"), "names no tensor");
  expect_contains(index(R"([])"), "expected an object");
}

TEST(SafetensorsReader, says_what_a_folder_lacks) {
  const base::ScratchFolder scratch;
  write_safetensors(scratch.path("other.safetensors"), {small("a", 1)});
  expect_contains(error_of([&] { open_safetensors_folder(scratch.path()); }), "has neither model.safetensors nor");
  write_text(scratch.path("pytorch_model.bin"), "x");
  expect_contains(error_of([&] { open_safetensors_folder(scratch.path()); }), "pytorch_model.bin is not read");
  expect_contains(error_of([&] { open_safetensors_folder(scratch.path("none")); }), "is not a folder");
}

}  // namespace
}  // namespace tritonrl::weights
