#include "track/metrics_file.h"

#include <cmath>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::track {
namespace {

void append(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

TEST(MetricsFile, WritesALineAStepWithItsValuesInOrder) {
  const base::ScratchFolder folder;
  MetricsFile file(folder.path("run/metrics.jsonl"), -1);
  file.write({.step = 1, .values = {{"loss", 1.5}, {"accuracy", 0.25}}});
  file.write({.step = 2, .values = {{"loss", std::nan("")}}});
  EXPECT_EQ(base::read_file(folder.path("run/metrics.jsonl")),
            "{\"step\":1,\"loss\":1.5,\"accuracy\":0.25}\n{\"step\":2,\"loss\":null}\n");
  const std::vector<StepMetrics> read = read_metrics(folder.path("run/metrics.jsonl"));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0], (StepMetrics{.step = 1, .values = {{"loss", 1.5}, {"accuracy", 0.25}}}));
  EXPECT_TRUE(std::isnan(read[1].values.at(0).second));
}

// What a killed run wrote after its checkpoint goes, and the line that it was writing.
TEST(MetricsFile, IsCutToTheStepOfTheCheckpoint) {
  const base::ScratchFolder folder;
  const std::string path = folder.path("metrics.jsonl");
  append(path, "{\"step\":1,\"loss\":3}\n{\"step\":2,\"loss\":2}\n{\"step\":2,\"validation\":2.5}\n{\"step\":3,\"lo");
  {
    MetricsFile file(path, 2, {.sync_every = 1});
    file.write({.step = 3, .values = {{"loss", 1}}});
  }
  EXPECT_EQ(
      base::read_file(path),
      "{\"step\":1,\"loss\":3}\n{\"step\":2,\"loss\":2}\n{\"step\":2,\"validation\":2.5}\n{\"step\":3,\"loss\":1.0}\n");
  { const MetricsFile file(path, 1); }
  EXPECT_EQ(base::read_file(path), "{\"step\":1,\"loss\":3}\n");
  { const MetricsFile file(path, -1); }
  EXPECT_EQ(base::read_file(path), "");
}

TEST(MetricsFile, IsWrittenByOneAtATime) {
  const base::ScratchFolder folder;
  const MetricsFile file(folder.path("metrics.jsonl"), -1);
  EXPECT_THROW(MetricsFile(folder.path("metrics.jsonl"), -1), base::UserError);
}

TEST(MetricsFile, NamesTheLineThatIsNoneOfOurs) {
  const base::ScratchFolder folder;
  for (const std::string line : {"loss 3", "[1]", "{\"loss\":1}", "{\"step\":1.5}", "{\"step\":2,\"loss\":\"low\"}"}) {
    const std::string path = folder.path("metrics.jsonl");
    base::write_file_atomically(path, "{\"step\":1}\n" + line + "\n");
    try {
      MetricsFile(path, 5);
      ADD_FAILURE() << line;
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find("metrics.jsonl:2: "), std::string::npos) << error.what();
    }
    EXPECT_THROW(read_metrics(path), base::UserError) << line;
    EXPECT_EQ(base::read_file(path), "{\"step\":1}\n" + line + "\n");  // nothing was cut
  }
}

}  // namespace
}  // namespace tritonrl::track
