#include "sandbox/frames.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tritonrl::sandbox {
namespace {

std::string frame(const std::string& text) {
  return frame_header(text.size()) + text;
}

TEST(Frames, AreCutWhateverThePieces) {
  const std::vector<std::string> sent{"one", "", std::string(100'000, 'x'), "four"};
  std::string stream;
  for (const std::string& text : sent) stream += frame(text);
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    FrameReader reader(1 << 20);
    std::vector<std::string> got;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t length = std::min<std::size_t>(stream.size() - at, random() % 5000 + 1);
      reader.append(std::string_view(stream).substr(at, length));
      at += length;
      while (auto text = reader.next()) got.push_back(*text);
      ASSERT_FALSE(reader.malformed());
    }
    reader.end();
    EXPECT_EQ(got, sent);
    EXPECT_FALSE(reader.malformed());
  }
}

TEST(Frames, TooLongIsMalformedAtOnce) {
  FrameReader reader(10);
  reader.append(frame_header(10) + "0123456789" + frame_header(11));
  EXPECT_EQ(reader.next(), "0123456789");
  EXPECT_TRUE(reader.malformed());
  EXPECT_EQ(reader.next(), std::nullopt);
  FrameReader huge(std::size_t{256} << 20);
  huge.append("\xff\xff\xff\xff");
  EXPECT_TRUE(huge.malformed());
}

TEST(Frames, EndingInsideOneIsMalformed) {
  for (const std::string& part : {std::string("\1"), frame_header(5), frame_header(5) + "abc"}) {
    FrameReader reader(100);
    reader.append(part);
    EXPECT_FALSE(reader.malformed());
    reader.end();
    EXPECT_TRUE(reader.malformed());
  }
  FrameReader whole(100);
  whole.append(frame("abc"));
  whole.end();
  EXPECT_FALSE(whole.malformed()) << "the frame is there to be read";
  EXPECT_EQ(whole.next(), "abc");
}

TEST(Frames, GarbageNeverCrashes) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    FrameReader reader(1000);
    for (int piece = 0; piece < 20; ++piece) {
      std::string bytes(random() % 300, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? random() : 0);
      reader.append(bytes);
      while (const auto text = reader.next()) EXPECT_LE(text->size(), 1000U);
    }
  }
}

}  // namespace
}  // namespace tritonrl::sandbox
