#include "sandbox/descriptor_frames.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <thread>

#include "sandbox/descriptor_message.h"
#include "sandbox/frames.h"
#include "sandbox/privileges.h"
#include "sandbox/seccomp_filter.h"
#include "tests/sandbox/memfds.h"

namespace tritonrl::sandbox::testing {
namespace {

using Descriptors = std::vector<base::UniqueFd>;

TEST(DescriptorFrames, ArriveWithTheirFrameAndInOrder) {
  const auto [near, far] = stream_pair();
  const Memfds first("a", 3), second("b", 1), most("c", static_cast<int>(kMaxDescriptors));
  std::thread sender([&, fd = far.get()] {
    EXPECT_TRUE(send_frame(fd, "three", first.numbers));
    EXPECT_TRUE(send_frame(fd, "none"));
    EXPECT_TRUE(send_frame(fd, "", second.numbers));
    EXPECT_TRUE(send_frame(fd, std::string(1 << 20, 'x'), most.numbers));
  });
  for (const auto& [text, sent] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"three", first.texts}, {"none", {}}, {"", second.texts}, {std::string(1 << 20, 'x'), most.texts}}) {
    Descriptors got;
    EXPECT_EQ(receive_frame(near.get(), &got), text);
    EXPECT_EQ(texts_of(got), sent);
    EXPECT_TRUE(std::ranges::all_of(got, closes_on_exec));
  }
  sender.join();
}

TEST(DescriptorFrames, AreAddedToThoseAlreadyThere) {
  const auto [near, far] = stream_pair();
  const Memfds first("a", 2), second("b", 2);
  ASSERT_TRUE(send_frame(far.get(), "1", first.numbers) && send_frame(far.get(), "2", second.numbers));
  Descriptors got;
  ASSERT_TRUE(receive_frame(near.get(), &got) && receive_frame(near.get(), &got));
  EXPECT_EQ(texts_of(got), (std::vector<std::string>{"a0", "a1", "b0", "b1"}));
}

TEST(DescriptorFrames, UnexpectedOnesAreClosed) {
  const auto [near, far] = stream_pair();
  const Memfds some("a", 5);
  const std::size_t before = open_descriptors();
  ASSERT_TRUE(send_frame(far.get(), "text", some.numbers));
  EXPECT_EQ(receive_frame(near.get()), "text");
  EXPECT_EQ(open_descriptors(), before);
}

TEST(DescriptorFrames, TheEndIsNoFrame) {
  for (const std::string& part : {std::string(), std::string("\1"), frame_header(5), frame_header(5) + "abc"}) {
    auto [near, far] = stream_pair();
    ASSERT_EQ(write(far.get(), part.data(), part.size()), static_cast<ssize_t>(part.size()));
    far.reset();
    Descriptors got;
    EXPECT_EQ(receive_frame(near.get(), &got), std::nullopt);
  }
}

TEST(DescriptorFrames, NobodyListeningIsAnAnswerAndNoSignal) {
  auto [near, far] = stream_pair();
  near.reset();
  const Memfds one("a", 1);
  EXPECT_FALSE(send_frame(far.get(), "text", one.numbers));
}

TEST(DescriptorFrames, AClosedNumberIsNotSent) {
  const auto [near, far] = stream_pair();
  EXPECT_FALSE(send_frame(far.get(), "text", std::array{-1}));
}

// The kernel takes up to 253 a message, so another sender can.
TEST(DescriptorFrames, MoreThanAMessageMayHaveIsNoFrame) {
  const auto [near, far] = stream_pair();
  push_unchecked(far.get(), frame_header(0), std::vector<int>(kMaxDescriptors + 1, 0));
  const std::size_t before = open_descriptors();
  {
    Descriptors got;
    EXPECT_EQ(receive_frame(near.get(), &got), std::nullopt);
  }
  EXPECT_EQ(open_descriptors(), before);
}

// What `inside` returns in a forked process under the filter of a policy with or without devices.
int filtered(bool devices, const std::function<int()>& inside) {
  const pid_t child = fork();
  if (child == 0) {
    Policy policy;
    if (devices) policy.devices = {"/dev/null"};
    forbid_new_privileges();
    restrict_by_seccomp(policy, {.self = getpid()});
    _exit(inside());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

TEST(DescriptorFrames, TheFilterOfAPolicyWithDevicesLetsThemThrough) {
  const auto [near, far] = stream_pair();
  const Memfds some("a", 2);
  ASSERT_TRUE(send_frame(near.get(), "for you", some.numbers));
  EXPECT_EQ(filtered(true,
                     [&] {
                       Descriptors got;
                       if (receive_frame(far.get(), &got) != "for you" || got.size() != 2) return 1;
                       return send_frame(far.get(), "and back", std::array{got[1].get(), got[0].get()}) ? 0 : 2;
                     }),
            0);
  Descriptors got;
  EXPECT_EQ(receive_frame(near.get(), &got), "and back");
  EXPECT_EQ(texts_of(got), (std::vector<std::string>{"a1", "a0"}));
}

TEST(DescriptorFrames, WithoutDevicesFramesPassAndDescriptorsDoNot) {
  const auto [near, far] = stream_pair();
  const Memfds some("a", 2);
  ASSERT_TRUE(send_frame(near.get(), "for you", some.numbers));
  EXPECT_EQ(filtered(false,
                     [&] {
                       if (receive_frame(far.get()) != "for you") return 1;
                       if (send_frame(far.get(), "refused", some.numbers)) return 2;
                       Descriptors got;
                       if (receive_frame(far.get(), &got)) return 3;
                       return send_frame(far.get(), "and back") ? 0 : 4;
                     }),
            0);
  EXPECT_EQ(receive_frame(near.get()), "and back");
}

}  // namespace
}  // namespace tritonrl::sandbox::testing
