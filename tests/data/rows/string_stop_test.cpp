#include "data/rows/string_stop.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tritonrl::data {
namespace {

std::size_t slow_string_run(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] != '"' && text[at] != '\\' && static_cast<unsigned char>(text[at]) >= 0x20) ++at;
  return at;
}

TEST(StringStop, AgreesWithALoopOverBytes) {
  std::mt19937 random(1);
  const std::string telling = "\"\\\x01\x1F\x20\x21\x23\x5B\x5D\x7F\x80\xA2\xDC\xFF";
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 40, 'a');
    for (int k = 0; k < 3 && !text.empty(); ++k) text[random() % text.size()] = telling[random() % telling.size()];
    EXPECT_EQ(string_run(text), slow_string_run(text)) << testing::PrintToString(text);
  }
}

TEST(StringStop, KnowsEveryByteAtEveryPlace) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t at = 0; at < 17; ++at) {
      std::string text(17, 'x');
      text[at] = static_cast<char>(byte);
      EXPECT_EQ(string_run(text), slow_string_run(text)) << byte << " at " << at;
    }
  }
}

}  // namespace
}  // namespace tritonrl::data
