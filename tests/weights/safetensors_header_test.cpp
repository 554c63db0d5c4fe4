#include <gtest/gtest.h>

#include <cstring>

#include "tests/weights/goldens.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

std::string file_of(const std::string& header, std::size_t data_bytes) {
  std::string file(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(file.data(), &length, 8);
  return file + header + std::string(data_bytes, 'x');
}

SafetensorsHeader parse(const std::string& header, std::size_t data_bytes) {
  const std::string file = file_of(header, data_bytes);
  return parse_safetensors_header(bytes_of(file), "a file");
}

TEST(SafetensorsHeader, reads_entries_by_name_with_their_places_in_the_file) {
  const std::string text = R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":{"k":"v"},)"
                           R"("a":{"shape":[],"data_offsets":[8,10],"dtype":"BF16"}}  )";
  const SafetensorsHeader header = parse(text, 10);
  ASSERT_EQ(header.entries.size(), 2u);
  EXPECT_EQ(header.entries[0].info.name, "a");
  EXPECT_EQ(header.entries[0].info.dtype, Dtype::kBf16);
  EXPECT_TRUE(header.entries[0].info.shape.empty());
  EXPECT_EQ(header.entries[0].begin, 8 + text.size() + 8);
  EXPECT_EQ(header.entries[1].end, 8 + text.size() + 8);
  EXPECT_EQ(header.metadata.at("k"), "v");
  EXPECT_EQ(parse("{}", 0).entries.size(), 0u);
}

TEST(SafetensorsHeader, refuses_bad_lengths) {
  const auto error = [](const std::string& file) {
    return error_of([&] { parse_safetensors_header(bytes_of(file), "a file"); });
  };
  expect_contains(error("1234567"), "a file: is 7 bytes long, too short");
  expect_contains(error(std::string("\x10\0\0\0\0\0\0\0{}", 10)), "ends inside its header (16 bytes)");
  expect_contains(error(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)), "more than 100 MB");
  expect_contains(error(std::string(8, '\0')), "does not begin with {");
  expect_contains(error(file_of(" {}", 0)), "does not begin with {");
}

struct Malformed {
  const char* header;
  std::size_t data_bytes;
  const char* error;
};

TEST(SafetensorsHeader, refuses_malformed_entries_by_name) {
  const Malformed cases[] = {
      {R"({"a")", 0, "is not JSON at byte"},
      {R"({} x)", 0, "is not JSON at byte"},
      {"{\"\xff\":{}}", 0, "is not JSON at byte"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       8, R"(two entries named "a")"},
      {R"({"__metadata__":{},"__metadata__":{}})", 0, R"(two entries named "__metadata__")"},
      {R"({"__metadata__":{"a":"1","a":"2"}})", 0, R"(metadata has two fields "a")"},
      {R"({"__metadata__":{"a":1}})", 0, R"(metadata "a" holds a number)"},
      {R"({"__metadata__":{"a":{}}})", 0, R"(metadata "a" holds an object)"},
      {R"({"__metadata__":null})", 0, "holds null"},
      {R"({"a":5})", 0, R"(entry "a" holds a number)"},
      {R"({"a":[]})", 0, R"(entry "a" holds an array)"},
      {R"({"a":{"dtype":"F32","dtype":"F32"}})", 0, R"(two fields "dtype")"},
      {R"({"a":{"dtype":"F32","shape":[1]}})", 0, R"(tensor "a" lacks one of)"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"stride":[1]}})", 4, R"(a field "stride")"},
      {R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", 1, R"(dtype "F8_E4M3"; supported are F64)"},
      {R"({"a":{"dtype":["F32"],"shape":[1],"data_offsets":[0,4]}})", 4, "holds an array"},
      {R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", 4, "holds an array"},
      {R"({"a":{"dtype":"F32","shape":[{}],"data_offsets":[0,4]}})", 4, "holds an object"},
      {R"({"a":{"dtype":"F32","shape":"1","data_offsets":[0,4]}})", 4, "holds a string"},
      {R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, "1.0 is not a whole number"},
      {R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "-1 is negative"},
      {R"({"a":{"dtype":"F32","shape":[true],"data_offsets":[0,4]}})", 4, "holds true or false"},
      {R"({"a":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})", 4, "is too large"},
      {R"({"a":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}})", 4, "is not a whole number"},
      {R"({"a":{"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]}})", 4, "does not fit its 4 bytes"},
      {R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0, "does not fit its 0 bytes"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "does not fit its 4 bytes of F32"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 4, "not a begin and an end"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "ends before it begins"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8, "a hole is left before it"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
       3, R"(tensor "b" begins at byte 1 of the data, where another tensor lies)"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 1, "the file is cut short"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 3, "longer than it says"},
  };
  for (const Malformed& one : cases) {
    SCOPED_TRACE(one.header);
    expect_contains(error_of([&] { parse(one.header, one.data_bytes); }), one.error);
  }
}

TEST(SafetensorsHeader, does_not_fall_over_deep_nesting) {
  const std::string deep = R"({"a":{"shape":)" + std::string(1'000'000, '[');
  expect_contains(error_of([&] { parse(deep, 0); }), "holds an array where none belongs");
}

}  // namespace
}  // namespace tritonrl::weights
