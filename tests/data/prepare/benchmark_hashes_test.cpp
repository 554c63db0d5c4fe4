#include "data/prepare/benchmark_hashes.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::data {
namespace {

TEST(BenchmarkHashes, ComeWithTheProgram) {
  const BenchmarkHashes hashes = BenchmarkHashes::built_in();
  EXPECT_GT(hashes.size(), 200u);
  EXPECT_FALSE(hashes.contains(""));
}

TEST(BenchmarkHashes, ReadsFilesAndNamesBadLines) {
  const base::ScratchFolder scratch;
  const std::string hash(32, 'a');
  std::ofstream(scratch.path("good")) << "# a comment\n\n" << hash << "  # why\n";
  BenchmarkHashes hashes;
  hashes.add_file(scratch.path("good"));
  EXPECT_TRUE(hashes.contains(hash));
  EXPECT_FALSE(hashes.contains(std::string(32, 'b')));
  std::ofstream(scratch.path("bad")) << hash << "\nnonsense\n";
  try {
    hashes.add_file(scratch.path("bad"));
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("bad:2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tritonrl::data
