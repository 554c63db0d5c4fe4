// The teacher as a source: generated pairs, and modules that get solutions.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "base/files.h"
#include "base/json.h"
#include "data/prepare/prepare.h"
#include "tests/base/scratch_folder.h"
#include "tests/python/test_recorder.h"
#include "tests/python/test_syntax.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;
using base::Json;

class Teacher : public ::testing::Test {
 protected:
  Teacher() {
    options_.out.folder = scratch_.path("out");
    options_.labels = LabelBy::kText;
    options_.workers = 1;
    tools_.target = &program::find_target("h200");
  }
  void with_python() {
    tools_.make_reader = [] { return std::make_unique<python::SyntaxReader>(python::test_syntax_options()); };
    tools_.recorder = []() -> python::Recorder& { return python::test_recorder(); };
  }
  std::vector<Json> pairs() const {
    std::vector<Json> out;
    for (const record::Split split : record::kSplits) {
      std::ifstream in(options_.out.pairs(split));
      for (std::string line; std::getline(in, line);) out.push_back(Json::parse(line));
    }
    return out;
  }
  std::string all_bytes() const {
    std::string out = base::read_file(options_.out.labels());
    for (const record::Split split : record::kSplits) out += base::read_file(options_.out.pairs(split));
    return out;
  }
  base::ScratchFolder scratch_;
  PrepareOptions options_;
  PrepareTools tools_;
};

TEST_F(Teacher, GeneratesWithoutPythonAndTheSameBytesAgain) {
  options_.teacher.generate = 60;
  options_.teacher.seed = 7;
  const PrepareOutcome outcome = prepare(options_, tools_);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.statistics.read, 60);
  EXPECT_GT(outcome.statistics.kept_pairs(), 40);
  for (const Json& pair : pairs()) {
    EXPECT_EQ(pair["source"], "generated");
    EXPECT_TRUE(pair.contains("policy") && pair.contains("variant") && pair.contains("family")) << pair.dump();
  }
  const std::string first = all_bytes();
  fs::remove_all(options_.out.folder);
  prepare(options_, tools_);
  EXPECT_EQ(all_bytes(), first);
  options_.teacher.seed = 8;
  prepare(options_, tools_);
  EXPECT_NE(all_bytes(), first);
}

TEST_F(Teacher, GoesOnWhereItWasStopped) {
  options_.teacher.generate = 200;
  prepare(options_, tools_);
  const std::string whole = all_bytes();
  fs::remove_all(options_.out.folder);
  int rows = 0;
  tools_.row_done = [&](const std::string&) { ++rows; };
  tools_.stopped = [&] { return rows > 50; };
  EXPECT_FALSE(prepare(options_, tools_).complete);
  std::int64_t earlier = 0;
  tools_.stopped = {};
  tools_.rows_done_earlier = [&](std::int64_t done) { earlier = done; };
  EXPECT_TRUE(prepare(options_, tools_).complete);
  EXPECT_GT(earlier, 0);
  EXPECT_EQ(all_bytes(), whole);
}

TEST_F(Teacher, RewritesModulesWithAndWithoutInputs) {
  with_python();
  const fs::path folder = scratch_.path("project");
  fs::create_directories(folder);
  base::write_file_atomically(
      folder / "task.py",
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        # both\n        "
      "return torch.relu(x * 2 + 1)\ndef get_inputs():\n    return [torch.rand(8, 16)]\n");
  base::write_file_atomically(
      folder / "gate.py",
      "import torch.nn as nn\nclass Gate(nn.Module):\n    def __init__(self, dim):\n        "
      "super().__init__()\n        self.fc = nn.Linear(dim, dim)\n    def forward(self, x):\n        "
      "return self.fc(x).sigmoid() * x\nclass Plain(nn.Module):\n    def forward(self, x):\n        "
      "return x.view(-1)\n");
  options_.sources = {folder};
  options_.teacher.rewrite = true;
  options_.decontaminate = false;
  const PrepareOutcome outcome = prepare(options_, tools_);
  EXPECT_EQ(outcome.statistics.read, 3);
  EXPECT_EQ(outcome.statistics.left_out.at("no_region"), 1);
  std::vector<Json> made = pairs();
  ASSERT_EQ(made.size(), 2u);
  std::sort(made.begin(), made.end(), [](const Json& a, const Json& b) { return a["id"].text() < b["id"].text(); });
  EXPECT_EQ(made[0]["id"], "modules/gate.py:Gate");
  EXPECT_EQ(made[0]["source"], "rewritten");
  EXPECT_NE(made[0]["pytorch_code"].get<std::string>().find("return [[], {'dim': 64}]"), std::string::npos);
  EXPECT_NE(made[1]["output"].get<std::string>().find("triton.jit"), std::string::npos);
  EXPECT_EQ(made[1]["pytorch_code"].get<std::string>().find("# both"), std::string::npos);  // in normal form
}

TEST_F(Teacher, GivesFurtherPairsUnderOtherNamesAndTellsFacts) {
  with_python();
  const fs::path folder = scratch_.path("project");
  fs::create_directories(folder);
  base::write_file_atomically(
      folder / "task.py",
      "import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
      "        self.strength = 0.5\n    def forward(self, picture):\n        doubled = picture * self.strength + 1\n"
      "        return torch.relu(doubled)\ndef get_inputs():\n    return [torch.rand(8, 16)]\n");
  options_.sources = {folder};
  options_.teacher.rewrite = true;
  options_.teacher.renames = 2;
  options_.teacher.plan = teacher::PlanForm::kLines;
  options_.prompt = {.form = text::PromptForm::kShort, .facts = text::PromptFacts::kLeaves};
  options_.decontaminate = false;
  prepare(options_, tools_);
  const std::vector<Json> made = pairs();
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[1]["id"], "modules/task.py/renamed/1");
  std::set<std::string> prompts;
  for (const Json& pair : made) {
    const std::string prompt = pair["instruction"].get<std::string>(), output = pair["output"].get<std::string>();
    prompts.insert(prompt);
    EXPECT_NE(prompt.find(": f32[n,n]\n"), std::string::npos) << prompt;
    EXPECT_NE(prompt.find(": float\n"), std::string::npos) << prompt;
    EXPECT_TRUE(output.starts_with("# fused1 pointwise\n#   ")) << output;
  }
  EXPECT_EQ(prompts.size(), 3u);
}

TEST_F(Teacher, PlantsFormulasInModules) {
  with_python();
  const fs::path folder = scratch_.path("project");
  fs::create_directories(folder);
  base::write_file_atomically(folder / "task.py",
                              "import torch\nclass Model(torch.nn.Module):\n    def forward(self, picture):\n"
                              "        doubled = picture * 2 + 1\n        return torch.relu(doubled)\n"
                              "def get_inputs():\n    return [torch.rand(8, 16)]\n");
  options_.sources = {folder};
  options_.teacher.rewrite = true;
  options_.teacher.plants = 6;
  options_.decontaminate = false;
  EXPECT_EQ(prepare(options_, tools_).statistics.read, 1);  // what is made of a row is none
  std::set<std::string> modules, ids;
  for (const Json& pair : pairs()) {
    ids.insert(pair["id"].get<std::string>());
    modules.insert(pair["pytorch_code"].get<std::string>());
    EXPECT_NE(pair["output"].get<std::string>().find("triton.jit"), std::string::npos);
  }
  EXPECT_TRUE(ids.contains("modules/task.py"));
  EXPECT_GE(ids.size(), 5u);
  EXPECT_EQ(modules.size(), ids.size());
}

}  // namespace
}  // namespace tritonrl::data
