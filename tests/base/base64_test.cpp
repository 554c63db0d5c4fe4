#include "base/base64.h"

#include <gtest/gtest.h>

namespace tritonrl::base {
namespace {

TEST(Base64, VectorsOfRfc4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
}

TEST(Base64, AnyBytesOfAnyLengthComeBack) {
  std::string bytes;
  for (int i = 0; i < 1030; ++i) {
    const std::string text = base64_encode(bytes);
    EXPECT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
    EXPECT_EQ(base64_decode(text), bytes);
    bytes += static_cast<char>(i * 37 + i / 256);
  }
  EXPECT_EQ(base64_encode("\xfb\xff\xbf"), "+/+/");
}

TEST(Base64, RefusesEverythingElse) {
  for (const char* text :
       {"Z",    "Zg",       "Zg=",      "Zm9vY",  "=",         "==",   "===",  "====",    "Z===", "Zg=a",
        "=g==", "Zg==Zg==", "Zm8=Zm9v", "Zm9v\n", "Zm9v Zm9v", "Zm 8", "Zm-_", "Zm9\xc3", "Zm9*", "\xff\xff\xff\xff"}) {
    EXPECT_EQ(base64_decode(text), std::nullopt) << text;
  }
  EXPECT_EQ(base64_decode(std::string_view("Zm9\0", 4)), std::nullopt);
}

TEST(Base64, NumbersOfManyDigits) {
  EXPECT_EQ(base64_numbers("Af/Bgg/D"), (std::vector<std::uint32_t>{0, 31, 63, 31 * 1024 + 3 * 32768}));
}

}  // namespace
}  // namespace tritonrl::base
