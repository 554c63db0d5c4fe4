#include "sandbox/job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>

#include "sandbox/descriptor_frames.h"
#include "sandbox/descriptor_message.h"
#include "sandbox/frames.h"
#include "tests/sandbox/memfds.h"

namespace tritonrl::sandbox::testing {
namespace {

using Texts = std::vector<std::string>;

// A job whose process is this test.
struct Pretended {
  Pretended() : job(make()) {}
  ~Pretended() { end(); }

  Job make() {
    auto [channel, far_channel] = stream_pair();
    auto [log, far_log] = stream_pair();
    auto [keeper, far_keeper] = stream_pair();
    process = std::move(far_channel);
    others = {std::move(far_log), std::move(far_keeper)};
    return Job({.wall_ms = 5000}, std::move(channel), std::move(log), std::move(keeper));
  }
  void end() {
    process.reset();
    others = {};
  }
  // Bytes and descriptors in one call, whatever the frames.
  void push(std::string_view bytes, std::span<const int> descriptors) {
    ASSERT_EQ(send_some(process.get(), bytes, descriptors, 0), static_cast<ssize_t>(bytes.size()));
  }

  base::UniqueFd process;
  std::array<base::UniqueFd, 2> others;
  Job job;
};

TEST(JobDescriptors, GoWithAMessage) {
  Pretended pretended;
  const Memfds some("a", 3), most("b", static_cast<int>(kMaxDescriptors));
  ASSERT_TRUE(pretended.job.send("some", some.numbers));
  ASSERT_TRUE(pretended.job.send("none"));
  ASSERT_TRUE(pretended.job.send("", most.numbers));
  for (const auto& [text, sent] :
       std::vector<std::pair<std::string, Texts>>{{"some", some.texts}, {"none", {}}, {"", most.texts}}) {
    std::vector<base::UniqueFd> got;
    EXPECT_EQ(receive_frame(pretended.process.get(), &got), text);
    EXPECT_EQ(texts_of(got), sent);
  }
}

TEST(JobDescriptors, GoOnceEvenIfTheChannelIsFull) {
  Pretended pretended;
  const Memfds some("a", 2);
  const std::string large(std::size_t{4} << 20, 'x');
  std::vector<base::UniqueFd> got;
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (int i = 0; i < 2; ++i) EXPECT_EQ(receive_frame(pretended.process.get(), &got), large);
  });
  EXPECT_TRUE(pretended.job.send(large, some.numbers));
  EXPECT_TRUE(pretended.job.send(large, some.numbers));
  reader.join();
  EXPECT_EQ(texts_of(got), (Texts{"a0", "a1", "a0", "a1"}));
}

TEST(JobDescriptors, ComeWithTheirMessage) {
  Pretended pretended;
  const Memfds first("a", 3), second("b", 2);
  ASSERT_TRUE(send_frame(pretended.process.get(), "first", first.numbers));
  EXPECT_EQ(pretended.job.receive(), "first");
  std::vector<base::UniqueFd> got = pretended.job.take_descriptors();
  EXPECT_EQ(texts_of(got), first.texts);
  EXPECT_TRUE(std::ranges::all_of(got, closes_on_exec));
  EXPECT_TRUE(pretended.job.take_descriptors().empty());

  ASSERT_TRUE(send_frame(pretended.process.get(), "second", second.numbers));
  ASSERT_TRUE(send_frame(pretended.process.get(), "third"));
  EXPECT_EQ(pretended.job.receive(), "second");
  EXPECT_EQ(texts_of(pretended.job.take_descriptors()), second.texts);
  EXPECT_EQ(pretended.job.receive(), "third");
  EXPECT_TRUE(pretended.job.take_descriptors().empty());
}

TEST(JobDescriptors, OfSeveralMessagesWaitInOrder) {
  Pretended pretended;
  Texts sent;
  for (int i = 0; i < 4; ++i) {
    const Memfds full(std::to_string(i) + "-", static_cast<int>(kMaxDescriptors));
    ASSERT_TRUE(send_frame(pretended.process.get(), std::to_string(i), full.numbers));
    sent.insert(sent.end(), full.texts.begin(), full.texts.end());
  }
  for (int i = 0; i < 4; ++i) EXPECT_EQ(pretended.job.receive(), std::to_string(i));
  EXPECT_FALSE(pretended.job.malformed());
  pretended.end();
  pretended.job.finish();
  EXPECT_EQ(texts_of(pretended.job.take_descriptors()), sent) << "256 may wait, and outlive the process";
}

TEST(JobDescriptors, MoreThanMayWaitAreMalformed) {
  const std::size_t before = open_descriptors();
  {
    Pretended pretended;
    const Memfds full("a", static_cast<int>(kMaxDescriptors)), one("b", 1);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(send_frame(pretended.process.get(), "fine", full.numbers));
    ASSERT_TRUE(send_frame(pretended.process.get(), "too many", one.numbers));
    int fine = 0;
    while (const auto text = pretended.job.receive()) fine += *text == "fine" ? 1 : 100;
    EXPECT_GE(fine, 3) << "what comes by the same call as the surplus is not looked at";
    EXPECT_LE(fine, 4);
    EXPECT_TRUE(pretended.job.malformed());
    EXPECT_EQ(pretended.job.receive(), std::nullopt);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(JobDescriptors, TakingThemMakesRoom) {
  Pretended pretended;
  const Memfds full("a", static_cast<int>(kMaxDescriptors));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(send_frame(pretended.process.get(), "more", full.numbers));
    EXPECT_EQ(pretended.job.receive(), "more");
    EXPECT_EQ(pretended.job.take_descriptors().size(), kMaxDescriptors);
  }
  EXPECT_FALSE(pretended.job.malformed());
}

// One byte each: no frame is ever whole, and they must not pile up for that.
TEST(JobDescriptors, BesideFramesAreCountedToo) {
  Pretended pretended;
  const Memfds full("a", static_cast<int>(kMaxDescriptors));
  pretended.push(frame_header(100), full.numbers);
  for (int i = 0; i < 4; ++i) pretended.push("x", full.numbers);
  EXPECT_EQ(pretended.job.receive(), std::nullopt);
  EXPECT_TRUE(pretended.job.malformed());
}

TEST(JobDescriptors, TruncatedOnesAreMalformed) {
  const std::size_t before = open_descriptors();
  {
    Pretended pretended;
    ASSERT_TRUE(send_frame(pretended.process.get(), "whole"));
    EXPECT_EQ(pretended.job.receive(), "whole");
    push_unchecked(pretended.process.get(), frame_header(3) + "bad", std::vector<int>(kMaxDescriptors + 1, 0));
    EXPECT_EQ(pretended.job.receive(), std::nullopt);
    EXPECT_TRUE(pretended.job.malformed());
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(JobDescriptors, NoneSentNoneGiven) {
  Pretended pretended;
  ASSERT_TRUE(send_frame(pretended.process.get(), "text"));
  EXPECT_EQ(pretended.job.receive(), "text");
  EXPECT_TRUE(pretended.job.take_descriptors().empty());
  pretended.end();
  EXPECT_EQ(pretended.job.receive(), std::nullopt);
  EXPECT_FALSE(pretended.job.malformed());
  EXPECT_TRUE(pretended.job.take_descriptors().empty());
}

TEST(JobDescriptors, ADeadProcessTakesNone) {
  Pretended pretended;
  const Memfds one("a", 1);
  pretended.end();
  EXPECT_FALSE(pretended.job.send("text", one.numbers));
}

}  // namespace
}  // namespace tritonrl::sandbox::testing
