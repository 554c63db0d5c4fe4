#include "base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "base/unique_fd.h"

namespace tritonrl::base {
namespace {

using namespace std::chrono_literals;

// A pipe to read back what was shown.
class Shown {
 public:
  Shown() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    read_.reset(ends[0]);
    write_.reset(ends[1]);
  }
  int fd() const { return write_.get(); }
  std::string take() const {
    std::string out(65536, '\0');
    const ssize_t n = ::read(read_.get(), out.data(), out.size());
    out.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return out;
  }

 private:
  UniqueFd read_, write_;
};

ProgressOptions options(const Shown& shown, ProgressOptions::Style style) {
  ProgressOptions out;
  out.label = "candidates";
  out.total = 4;
  out.style = style;
  out.fd = shown.fd();
  out.bar_interval = out.line_interval = out.settle_time = 0ms;
  return out;
}

TEST(Progress, PlainLinesElsewhereThanOnATerminal) {
  const Shown shown;
  Progress progress(options(shown, ProgressOptions::Style::kAuto));
  progress.add("passed");
  shown.take();
  progress.add("passed");
  const std::string line = shown.take();
  EXPECT_EQ(line.find("2/4 candidates, "), 0u) << line;
  EXPECT_NE(line.find(" left; 2 passed\n"), std::string::npos) << line;
  EXPECT_EQ(line.find_first_of("\r\x1b"), std::string::npos);
}

TEST(Progress, LinesWaitForTheirTime) {
  const Shown shown;
  ProgressOptions slow = options(shown, ProgressOptions::Style::kLines);
  slow.line_interval = 1h;
  Progress progress(slow);
  for (int i = 0; i < 4; ++i) progress.add("passed");
  EXPECT_EQ(shown.take(), "");
  progress.finish();
  EXPECT_EQ(shown.take().find("4/4 candidates"), 0u);
  progress.finish();
  EXPECT_EQ(shown.take(), "");
}

TEST(Progress, ABarIsDrawnOverItself) {
  const Shown shown;
  Progress progress(options(shown, ProgressOptions::Style::kBar));
  progress.add("passed");
  const std::string drawn = shown.take();
  EXPECT_EQ(drawn.find("\r[#####...............] 1/4"), 0u) << drawn;
  EXPECT_EQ(drawn.find('\n'), std::string::npos);
  progress.say("note");
  EXPECT_EQ(shown.take().find("\r\x1b[Knote\n\r["), 0u);
  progress.finish();
  EXPECT_EQ(shown.take().back(), '\n');
}

TEST(Progress, ABarNeverWraps) {
  const Shown shown;
  Progress progress(options(shown, ProgressOptions::Style::kBar));
  for (int i = 0; i < 12; ++i) progress.add("a kind with a long name " + std::to_string(i));
  shown.take();
  progress.add("last");
  const std::string drawn = shown.take();
  EXPECT_LE(drawn.size(), 80u + 4) << drawn;  // a carriage return, and the clearing of the rest
}

TEST(Progress, CountsByKindTheLargestFirst) {
  const Shown shown;
  Progress progress(options(shown, ProgressOptions::Style::kSilent));
  for (const char* kind : {"wrong", "passed", "passed"}) progress.add(kind);
  EXPECT_NE(progress.text().find("; 2 passed, 1 wrong"), std::string::npos) << progress.text();
  progress.finish();
  EXPECT_EQ(shown.take(), "");
}

TEST(Progress, EarlierOnesAreNoPartOfTheRate) {
  const Shown shown;
  Progress progress(options(shown, ProgressOptions::Style::kSilent));
  progress.add_earlier("passed");
  EXPECT_EQ(progress.text(), "1/4 candidates; 1 passed");
}

TEST(Progress, IsShownBeforeAnythingIsDone) {
  const Shown shown;
  Progress lines(options(shown, ProgressOptions::Style::kLines));
  lines.show();
  EXPECT_EQ(shown.take(), "0/4 candidates\n");
  Progress bar(options(shown, ProgressOptions::Style::kBar));
  bar.show();
  EXPECT_EQ(shown.take(), "\r[....................] 0/4 candidates\x1b[K");
}

// Neither of the first few nor of the first moment.
TEST(Progress, NoTimeIsToldFromNothing) {
  const Shown shown;
  ProgressOptions many = options(shown, ProgressOptions::Style::kSilent);
  many.total = 1000;
  Progress progress(many);
  progress.add_earlier("passed");
  for (int i = 0; i < 2; ++i) progress.add("passed");
  EXPECT_EQ(progress.text(), "3/1000 candidates; 3 passed");
  progress.add("passed");
  EXPECT_NE(progress.text().find("/s, "), std::string::npos) << progress.text();
  EXPECT_NE(progress.text().find(" left; 4 passed"), std::string::npos) << progress.text();

  many.settle_time = 1h;
  Progress young(many);
  for (int i = 0; i < 100; ++i) young.add("error");
  EXPECT_EQ(young.text(), "100/1000 candidates; 100 error");
}

TEST(Progress, TheClockCanBeginLater) {
  const Shown shown;
  ProgressOptions slow = options(shown, ProgressOptions::Style::kSilent);
  slow.settle_time = 50ms;
  Progress progress(slow);
  std::this_thread::sleep_for(60ms);
  progress.restart_clock();
  for (int i = 0; i < 3; ++i) progress.add("passed");
  EXPECT_EQ(progress.text(), "3/4 candidates; 3 passed");
}

TEST(Progress, ThreadsShareIt) {
  const Shown shown;
  Progress progress(options(shown, ProgressOptions::Style::kBar));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 1000; ++j) progress.add("passed");
      });
    }
  }
  EXPECT_EQ(progress.text().find("4000/4 candidates"), 0u);
}

TEST(Progress, Durations) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(123), "2 min 3 s");
  EXPECT_EQ(duration_text(3900), "1 h 5 min");
  EXPECT_EQ(duration_text(1e300), "very long");
}

}  // namespace
}  // namespace tritonrl::base
