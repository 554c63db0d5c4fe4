#include "data/prepare/example_reader.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;

class ExampleReaderTest : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = scratch_.path(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::vector<std::string> ids(ExampleReader& reader) {
    std::vector<std::string> out;
    while (const auto item = reader.next())
      out.push_back(item->example ? item->example->id
                                  : item->file + ":" + std::to_string(item->row) + " " + item->problem.reason);
    return out;
  }
  base::ScratchFolder scratch_;
};

TEST_F(ExampleReaderTest, ReadsFilesOfRowsOneAfterTheOther) {
  const fs::path first = write(
      "a.jsonl", "{\"python_code\":\"x\",\"uuid\":1}\n{\"python_code\":null}\n{\"python_code\":\"y\",\"uuid\":2}\n");
  const fs::path second = write("b.json", "[{\"pytorch_code\":\"z\",\"id\":\"c\"}]");
  ExampleReader reader({first, second}, {});
  EXPECT_EQ(ids(reader), (std::vector<std::string>{"kernelbook/1", "a:2 null_code", "kernelbook/2", "pairs/c"}));
}

TEST_F(ExampleReaderTest, GoesOnBehindAFileThatCannotBeRead) {
  const fs::path good = write("good.jsonl", "{\"code\":\"x\",\"level\":1,\"problem_id\":3,\"name\":\"3_A\"}\n");
  const fs::path bad = write("bad.parquet", "PAR1 cut off");
  ExampleReader reader({bad, good}, {});
  EXPECT_EQ(ids(reader), (std::vector<std::string>{"bad:0 unreadable", "kernelbench/level1/3_A"}));
}

TEST_F(ExampleReaderTest, ReadsFoldersOfModules) {
  write("modules/deep/b.py", "class B: pass");
  write("modules/a.py", "class A: pass");
  write("modules/empty.py", " \n");
  write("modules/latin.py", "x = '\xe4'");
  write("modules/.git/c.py", "class C: pass");
  write("modules/readme.txt", "no module");
  ExampleReader reader({scratch_.path("modules")}, {});
  EXPECT_EQ(reader.total(), 4);
  EXPECT_EQ(ids(reader), (std::vector<std::string>{"modules/a.py", "modules/deep/b.py", "modules/empty.py:1 empty_code",
                                                   "modules/latin.py:1 not_utf8"}));
}

TEST_F(ExampleReaderTest, ReadsACheckoutOfKernelBench) {
  write("bench/KernelBench/level1/23_Softmax.py", "class Model: pass");
  write("bench/KernelBench/level2/1_Conv2D_ReLU_BiasAdd.py", "class Model: pass");
  write("bench/scripts/other.py", "x = 1");
  ExampleReader reader({scratch_.path("bench")}, {});
  const auto first = reader.next();
  ASSERT_TRUE(first && first->example);
  EXPECT_EQ(first->example->id, "kernelbench/level1/23_Softmax");
  EXPECT_EQ(first->example->own_level, 1);
  EXPECT_EQ(first->example->problem, 23);
  EXPECT_FALSE(first->example->degenerate.empty());
  EXPECT_EQ(ids(reader), (std::vector<std::string>{"kernelbench/level2/1_Conv2D_ReLU_BiasAdd"}));
}

TEST_F(ExampleReaderTest, GoesOnFromAPosition) {
  const fs::path first =
      write("a.jsonl", "{\"python_code\":\"x\",\"uuid\":1}\nbroken\n{\"python_code\":\"y\",\"uuid\":2}\n");
  const fs::path second = write("m/b.py", "z = 1");
  ExampleReader reader({first, second}, {});
  std::vector<ReadPosition> positions = {reader.position()};
  std::vector<std::string> all;
  while (const auto item = reader.next()) {
    all.push_back(item->example ? item->example->id : item->problem.reason);
    positions.push_back(reader.position());
  }
  ASSERT_EQ(all, (std::vector<std::string>{"kernelbook/1", "not_json", "kernelbook/2", "modules/b.py"}));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    ExampleReader again({first, second}, {});
    again.go_to(positions[i]);
    std::vector<std::string> rest;
    while (const auto item = again.next()) rest.push_back(item->example ? item->example->id : item->problem.reason);
    EXPECT_EQ(rest, std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(i), all.end())) << i;
  }
}

TEST_F(ExampleReaderTest, NamesASourceThatIsNone) {
  fs::create_directories(scratch_.path("nothing"));
  for (const std::string name : {"missing", "nothing"}) {
    try {
      ExampleReader reader({scratch_.path(name)}, {});
      FAIL() << name;
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
}

TEST_F(ExampleReaderTest, FingerprintsTellContentsApart) {
  const fs::path file = write("a.jsonl", "{}\n");
  const std::string before = ExampleReader({file}, {}).fingerprint();
  EXPECT_EQ(ExampleReader({file}, {}).fingerprint(), before);
  write("a.jsonl", "{}\n{}\n");
  EXPECT_NE(ExampleReader({file}, {}).fingerprint(), before);
}

}  // namespace
}  // namespace tritonrl::data
