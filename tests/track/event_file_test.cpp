#include "track/event_file.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/subprocess.h"
#include "tests/base/scratch_folder.h"
#include "tests/paths.h"
#include "track/crc32c.h"

namespace tritonrl::track {
namespace {

double golden_time() {
  return 1700000000.25;
}

// From RFC 3720, B.4.
TEST(Crc32c, HasTheValuesOfTheStandard) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c(""), 0u);
}

// scripts/make_event_goldens.py writes the same events with TensorBoard's own messages and records.
TEST(EventFile, IsByteForByteWhatTensorBoardWrites) {
  const base::ScratchFolder folder;
  EventFile file(folder.path("run"), {.last_step = 4, .clock = golden_time});
  file.scalars(5, {{"loss", 1.5}, {"rate", 2e-4}});
  file.scalars(300, {{"loss", 0.0}, {"rate", -0.0}});
  file.scalars(std::int64_t{1} << 40, {{"loss", std::numeric_limits<double>::infinity()}});
  file.text(6, "sample/é", "# kernel\n" + std::string(300, 'x'));
  file.text(0, "empty", "");
  EXPECT_EQ(base::read_file(file.path()), base::read_file(source_path("tests/track/goldens/events.bin")));
}

TEST(EventFile, FilesOfOneSecondDoNotMeet) {
  const base::ScratchFolder folder;
  const EventFile first(folder.path("run"), {.clock = golden_time}), second(folder.path("run"), {.clock = golden_time});
  EXPECT_LT(first.path().string(), second.path().string());
  EXPECT_TRUE(first.path().filename().string().starts_with("events.out.tfevents.1700000000.")) << first.path();
}

TEST(EventFile, SaysWhereItCannotBeWritten) {
  const base::ScratchFolder folder;
  base::write_file_atomically(folder.path("file"), "");
  EXPECT_THROW(EventFile(folder.path("file/run")), base::UserError);
}

// A run that was stopped after step 3 and went on behind step 2.
TEST(EventFile, TensorBoardReadsItAndForgetsWhatWasDoneAgain) {
  const base::ScratchFolder folder;
  double now = 1700000000;
  const auto clock = [&] { return now; };
  {
    EventFile file(folder.path("run"), {.clock = clock});
    for (int step = 1; step <= 3; ++step) file.scalars(step, {{"loss", 4.0 - step}});
    file.text(1, "manifest", "**sft**");
  }
  now += 10;
  EventFile file(folder.path("run"), {.last_step = 2, .clock = clock});
  file.scalars(3, {{"loss", 0.5}, {"learning_rate", 0.25}});
  file.sync();
  const base::CommandResult read =
      base::run_command({test_python(), "-B", source_path("tests/track/read_events.py"), folder.path("run")});
  if (read.exit_code == 77) GTEST_SKIP() << "no TensorBoard in " << test_python();
  ASSERT_EQ(read.exit_code, 0) << read.errors;
  EXPECT_EQ(base::Json::parse(read.output), base::Json::parse(R"({
    "scalars": {"loss": [[1, 3.0], [2, 2.0], [3, 0.5]], "learning_rate": [[3, 0.25]]},
    "texts": {"manifest": [[1, "**sft**"]]},
    "plugins": {"manifest": "text"}})"));
}

}  // namespace
}  // namespace tritonrl::track
