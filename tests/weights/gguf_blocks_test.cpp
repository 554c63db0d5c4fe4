#include "weights/gguf_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/base64.h"
#include "base/json.h"
#include "tests/weights/goldens.h"
#include "weights/gguf.h"

namespace tritonrl::weights {
namespace {

TEST(GgufBlocks, unpacks_bit_for_bit_as_the_reference) {
  const std::string text = golden_text("types.gguf");
  const GgufFile file = GgufFile::parse(bytes_of(text), "types.gguf");
  int quantised = 0;
  for (const base::Json& one : base::Json::parse(golden_text("types.json"))) {
    const std::string& name = one["name"].text();
    SCOPED_TRACE(name);
    const GgufTensor* const tensor = file.find(name);
    ASSERT_NE(tensor, nullptr);
    const auto number = one["number"].get<std::uint32_t>();
    EXPECT_EQ(gguf_type(number), tensor->type);
    EXPECT_EQ(gguf_type_name(number), name);
    EXPECT_NE(supported_gguf_types().find(name), std::string_view::npos);
    if (!is_quantised(tensor->type)) continue;
    const std::string expected = base::base64_decode(one["values"].get<std::string>()).value();
    std::vector<float> values(3 * 256);
    unpack_blocks(tensor->type, tensor->data, values);
    ASSERT_EQ(expected.size(), values.size() * sizeof(float));
    EXPECT_EQ(std::memcmp(values.data(), expected.data(), expected.size()), 0);
    ++quantised;
  }
  EXPECT_EQ(quantised, 4);
}

TEST(GgufBlocks, unpacks_every_scale_that_a_half_can_be) {
  // One block of Q8_0 whose first element is 1: its value is the scale.
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    std::byte block[34] = {};
    block[0] = static_cast<std::byte>(bits);
    block[1] = static_cast<std::byte>(bits >> 8);
    block[2] = std::byte{1};
    block[3] = std::byte{0xff};
    float values[32];
    unpack_blocks(GgufType::kQ8_0, block, values);
    const int exponent = static_cast<int>(bits >> 10), fraction = static_cast<int>(bits & 0x3ff);
    const double expected = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(values[0], expected) << bits;
    ASSERT_EQ(values[1], -expected) << bits;
  }
}

}  // namespace
}  // namespace tritonrl::weights
