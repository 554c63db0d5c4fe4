#include "data/prepare/prepared_files.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;
using File = PreparedFiles::File;

TEST(PreparedFiles, AppearsOnlyWhenComplete) {
  const base::ScratchFolder scratch;
  const record::DataFolder data{.folder = scratch.path("out")};
  PreparedFiles files(data, "f");
  EXPECT_FALSE(files.earlier_state());
  files.write(File::kTrain, "{\"a\":1}");
  files.write(File::kLabels, "b");
  files.checkpoint("state");
  EXPECT_FALSE(fs::exists(data.labels()));
  files.finish("{}");
  EXPECT_EQ(base::read_file(data.pairs(record::Split::kTrain)), "{\"a\":1}\n");
  EXPECT_EQ(base::read_file(data.labels()), "b\n");
  EXPECT_EQ(base::read_file(data.pairs(record::Split::kTest)), "");
  EXPECT_EQ(base::read_file(data.report()), "{}\n");
  EXPECT_FALSE(fs::exists(data.folder / ".prepare"));
}

TEST(PreparedFiles, GoesOnFromTheLastCheckpoint) {
  const base::ScratchFolder scratch;
  const record::DataFolder data{.folder = scratch.path("out")};
  {
    PreparedFiles files(data, "f");
    files.write(File::kTrain, "one");
    files.checkpoint("at one");
    files.write(File::kTrain, "two, which is lost");
    files.write(File::kLeftOut, "lost too");
  }
  {
    PreparedFiles files(data, "f");
    EXPECT_EQ(files.earlier_state(), "at one");
    files.write(File::kTrain, "two");
    files.finish("{}");
  }
  EXPECT_EQ(base::read_file(data.pairs(record::Split::kTrain)), "one\ntwo\n");
  EXPECT_EQ(base::read_file(data.left_out()), "");
}

TEST(PreparedFiles, ThrowsAnotherRunsWorkAway) {
  const base::ScratchFolder scratch;
  const record::DataFolder data{.folder = scratch.path("out")};
  {
    PreparedFiles files(data, "f");
    files.write(File::kTrain, "one");
    files.checkpoint("at one");
  }
  PreparedFiles files(data, "g");
  EXPECT_FALSE(files.earlier_state());
  files.finish("{}");
  EXPECT_EQ(base::read_file(data.pairs(record::Split::kTrain)), "");
}

TEST(PreparedFiles, OneRunAtATime) {
  const base::ScratchFolder scratch;
  const record::DataFolder data{.folder = scratch.path("out")};
  PreparedFiles files(data, "f");
  EXPECT_THROW(PreparedFiles(data, "f"), base::UserError);
}

TEST(PreparedFiles, SurvivesAStateThatIsDamaged) {
  const base::ScratchFolder scratch;
  const record::DataFolder data{.folder = scratch.path("out")};
  {
    PreparedFiles files(data, "f");
    files.write(File::kTrain, "one");
    files.checkpoint("at one");
  }
  base::write_file_atomically(data.folder / ".prepare" / "state.json", "{\"fingerprint\":\"f\",\"state\":");
  EXPECT_FALSE(PreparedFiles(data, "f").earlier_state());
}

TEST(PreparedFiles, SaysWhichPlaceCannotBeWritten) {
  const base::ScratchFolder scratch;
  base::write_file_atomically(scratch.path("file"), "x");
  try {
    PreparedFiles files({.folder = scratch.path("file")}, "f");
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("--out"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tritonrl::data
