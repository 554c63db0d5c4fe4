#include "track/progress_line.h"

#include <unistd.h>

#include "base/files.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::track {
namespace {

using namespace std::chrono_literals;

TEST(ProgressLine, SaysWhatIsKnown) {
  EXPECT_EQ(details_text({.step = 1}), "");
  EXPECT_EQ(details_text({.loss = 1.23456, .tokens_per_second = 1'150'000, .mfu = 0.4123, .memory_bytes = 32319384780}),
            "loss 1.235, 1.15M tokens/s, MFU 41.2 %, 30.1 GiB");
  EXPECT_EQ(details_text({.tokens_per_second = 950}), "950 tokens/s");
  EXPECT_EQ(details_text({.flops = 6.774e13}), "67.74 TFLOP/s");
  EXPECT_EQ(details_text({.tokens_per_second = 12'340}), "12.3k tokens/s");
  EXPECT_EQ(details_text({.tokens_per_second = 999'900}), "1.00M tokens/s");
  EXPECT_EQ(details_text({.loss = std::numeric_limits<double>::quiet_NaN()}), "loss nan");
}

// Steps of an earlier run count for the part that is done, not for the rate.
TEST(ProgressLine, WritesPlainLinesElsewhereThanOnATerminal) {
  const base::ScratchFolder folder;
  std::FILE* file = std::fopen(folder.path("log").c_str(), "w");
  base::ProgressOptions options;
  options.fd = ::fileno(file);
  options.line_interval = options.settle_time = 0ms;
  options.settle_count = 1;
  ProgressLine line(/*total=*/10, /*earlier=*/5, options);
  line.show({.step = 5});
  line.show({.step = 6, .loss = 2.5});
  line.say("saved");
  std::fclose(file);
  const std::string log = base::read_file(folder.path("log"));
  EXPECT_TRUE(log.starts_with("5/10 steps\n6/10 steps, ")) << log;
  EXPECT_NE(log.find(" left; loss 2.5\nsaved\n"), std::string::npos) << log;
}

}  // namespace
}  // namespace tritonrl::track
