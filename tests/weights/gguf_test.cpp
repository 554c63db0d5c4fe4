#include "weights/gguf.h"

#include <gtest/gtest.h>

#include "tests/weights/gguf_builder.h"
#include "tests/weights/goldens.h"

namespace tritonrl::weights {
namespace {

using Builder = GgufBuilder;

std::string error_in(const std::string& file) {
  return error_of([&] { GgufFile::parse(bytes_of(file), "a.gguf"); });
}

TEST(Gguf, reads_every_kind_of_value) {
  const std::string text = golden_text("types.gguf");
  const GgufFile file = GgufFile::parse(bytes_of(text), "types.gguf");
  EXPECT_EQ(file.integer("a.u8"), 250);
  EXPECT_EQ(file.integer("a.i8"), -120);
  EXPECT_EQ(file.integer("a.u16"), 65000);
  EXPECT_EQ(file.integer("a.i16"), -32000);
  EXPECT_EQ(file.integer("a.u32"), 4000000000);
  EXPECT_EQ(file.integer("a.i32"), -2000000000);
  EXPECT_EQ(file.integer("a.i64"), -(std::int64_t{1} << 62));
  EXPECT_EQ(file.number("a.f32"), 1.25);
  EXPECT_EQ(file.number("a.f64"), 0.1);
  EXPECT_EQ(file.number("a.u8"), 250);
  EXPECT_TRUE(file.boolean("a.bool"));
  EXPECT_EQ(file.text("a.text"), "grüße");
  EXPECT_EQ(file.integers("a.integers"), (std::vector<std::int64_t>{1, -2, 3}));
  EXPECT_EQ(file.texts("a.texts"), (std::vector<std::string_view>{"one", "", "three"}));
  ASSERT_EQ(file.tensors().size(), 7u);
  EXPECT_EQ(file.find("Q6_K")->shape, (std::vector<std::int64_t>{3, 256}));
  EXPECT_EQ(file.find("none"), nullptr);
}

TEST(Gguf, says_which_value_is_missing_or_of_another_kind) {
  const std::string text = golden_text("types.gguf");
  const GgufFile file = GgufFile::parse(bytes_of(text), "types.gguf");
  expect_contains(error_of([&] { file.integer("none"); }), "[gguf] types.gguf: metadata \"none\" is missing");
  expect_contains(error_of([&] { file.integer("a.u64"); }), "\"a.u64\" is not a whole number");
  expect_contains(error_of([&] { file.integer("a.text"); }), "\"a.text\" is not a whole number");
  expect_contains(error_of([&] { file.integer("a.bool"); }), "\"a.bool\" is not a whole number");
  expect_contains(error_of([&] { file.number("a.texts"); }), "\"a.texts\" is not a number");
  expect_contains(error_of([&] { file.boolean("a.u8"); }), "\"a.u8\" is not true or false");
  expect_contains(error_of([&] { file.text("a.u8"); }), "\"a.u8\" is not a text");
  expect_contains(error_of([&] { file.texts("a.integers"); }), "\"a.integers\" is not a list of texts");
  expect_contains(error_of([&] { file.integers("a.texts"); }), "\"a.texts\" is not a list of whole numbers");
}

TEST(Gguf, refuses_types_by_name) {
  expect_contains(
      error_in(golden_text("unsupported.gguf")),
      "tensor \"token_embd.weight\" is stored as Q4_K; supported are F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q6_K");
  expect_contains(error_in(Builder().tensor("t", {1}, 999, 0).file()), "is stored as type 999");
}

TEST(Gguf, every_cut_of_a_file_is_found) {
  const std::string whole = Builder()
                                .number("general.alignment", 32)
                                .list("texts", {"a", "bc"})
                                .numbers("numbers", {1, 2, 3})
                                .zeros("t", {4, 2})
                                .file();
  EXPECT_EQ(GgufFile::parse(bytes_of(whole), "a.gguf").tensors().size(), 1u);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    EXPECT_THROW(GgufFile::parse(bytes_of(cut), "a.gguf"), base::UserError) << size;
  }
}

TEST(Gguf, refuses_malformed_heads) {
  Builder magic, version, swapped, tensors, metadata;
  magic.magic = 1;
  version.version = 1;
  swapped.version = 0x03000000;
  tensors.extra_tensors = std::uint64_t{1} << 40;
  metadata.extra_metadata = std::uint64_t{1} << 61;
  expect_contains(error_in(magic.file()), "does not begin with GGUF");
  expect_contains(error_in("GG"), "does not begin with GGUF");
  expect_contains(error_in(version.file()), "has version 1; supported are 2 and 3");
  expect_contains(error_in(swapped.file()), "is big-endian");
  expect_contains(error_in(tensors.file()), "1099511627776 tensors, more than fit");
  expect_contains(error_in(metadata.file()), "2305843009213693952 metadata, more than fit");
}

TEST(Gguf, refuses_malformed_metadata) {
  const std::string huge = Builder::bytes<std::uint64_t>(~std::uint64_t{0});
  expect_contains(error_in(Builder().number("a", 1).number("a", 2).file()), "has metadata \"a\" twice");
  expect_contains(error_in(Builder().raw("a", 13, "x").file()), "metadata \"a\" has type 13");
  expect_contains(error_in(Builder().raw("a\n", 99, "x").file()), "metadata \"a?\" has type 99");
  expect_contains(error_in(Builder().raw("a", Builder::kText, huge).file()), "ends inside a metadata text");
  expect_contains(error_in(Builder().raw("a", Builder::kArray, Builder::bytes(Builder::kU32) + huge).file()),
                  "an array of 18446744073709551615 elements, more than fit");
  expect_contains(error_in(Builder().raw("a", Builder::kArray, Builder::bytes<std::uint32_t>(77) + huge).file()),
                  "an array of type 77");
  std::string nested;
  for (int i = 0; i < 100; ++i) nested += Builder::bytes(Builder::kArray) + Builder::bytes<std::uint64_t>(1);
  expect_contains(error_in(Builder().raw("a", Builder::kArray, nested).file()), "arrays nested too deeply");
}

TEST(Gguf, refuses_malformed_tensors) {
  const std::uint64_t large = std::uint64_t{1} << 62;
  const std::string kilobyte(1024, 'x');
  const auto error = [&](const Builder& builder) { return error_in(Builder(builder).data(kilobyte).file()); };
  expect_contains(error(Builder().tensor("t", {}, 0, 0)), "tensor \"t\" has 0 dimensions");
  expect_contains(error(Builder().tensor("t", {1, 1, 1, 1, 1}, 0, 0)), "has 5 dimensions; expected 1 to 4");
  expect_contains(error(Builder().tensor("t", {0}, 0, 0)), "an impossible dimension");
  expect_contains(error(Builder().tensor("t", {~std::uint64_t{0}}, 0, 0)), "an impossible dimension");
  expect_contains(error(Builder().tensor("t", {large, large}, 0, 0)), "an impossible shape");
  expect_contains(error(Builder().tensor("t", {large}, 0, 0)), "an impossible shape");
  expect_contains(error(Builder().tensor("t", {large / 4}, 0, 0)), "beyond the end of the file");
  expect_contains(error(Builder().tensor("t", {33}, 8, 0)), "rows of 33 elements, not a whole number of Q8_0 blocks");
  expect_contains(error(Builder().tensor("t", {16, 2}, 8, 0)), "rows of 16 elements");
  expect_contains(error(Builder().tensor("t", {1}, 0, 4)), "not a multiple of the alignment");
  expect_contains(error(Builder().tensor("t", {1}, 0, 1024)), "beyond the end of the file");
  expect_contains(error(Builder().tensor("t", {1}, 0, ~std::uint64_t{31})), "beyond the end of the file");
  expect_contains(error(Builder().tensor("t", {1}, 0, 0).tensor("t", {1}, 0, 32)), "has tensor \"t\" twice");
  expect_contains(error(Builder().tensor("t", {9}, 0, 0).tensor("u", {1}, 0, 32)), "tensors \"t\" and \"u\" overlap");
  expect_contains(error(Builder().number("general.alignment", 0)), "general.alignment is 0; expected a power of two");
  expect_contains(error(Builder().number("general.alignment", 24)), "general.alignment is 24");
}

}  // namespace
}  // namespace tritonrl::weights
