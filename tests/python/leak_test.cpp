// Hundreds of recordings in one process: no descriptor, process, file or memory may be left.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/python/process_census.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

namespace fs = std::filesystem;

int entries(const fs::path& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

double resident_mib() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return static_cast<double>(resident) * 4096 / (1 << 20);
}

TEST(Leaks, ManyRecordingsLeaveNothing) {
  // a folder of its own: others make and remove files beside us
  std::string own = (fs::temp_directory_path() / "leaks.XXXXXX").string();
  ASSERT_NE(::mkdtemp(own.data()), nullptr);
  ::setenv("TMPDIR", own.c_str(), 1);
  Recorder recorder(test_recorder_options());
  const RecordRequest honest = task_request(kPlainTask);
  const RecordRequest raising = candidate_request(kPlainTask, "raise ValueError('no')\n");
  const auto round = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const RecordOutcome outcome = recorder.record(i % 5 == 4 ? raising : honest);
      ASSERT_EQ(outcome.kind, i % 5 == 4 ? RecordOutcome::Kind::kRaised : RecordOutcome::Kind::kRecorded)
          << outcome.message;
    }
  };
  round(50);
  const int descriptors = open_descriptors(), files = entries(own);
  const double memory = resident_mib();
  round(300);
  std::printf("after 300 recordings: %d descriptors (were %d), %.1f MiB (were %.1f), %d child processes\n",
              open_descriptors(), descriptors, resident_mib(), memory, lasting_descendants());
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(lasting_descendants(), 1);  // the zygote
  EXPECT_LE(entries(own), files);
  EXPECT_LT(resident_mib(), memory + 3);
  fs::remove_all(own);
}

}  // namespace
}  // namespace tritonrl::python
