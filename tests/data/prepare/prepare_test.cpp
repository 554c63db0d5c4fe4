#include "data/prepare/prepare.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "data/prepare/benchmark_hashes.h"
#include "record/labelled_task.h"
#include "record/training_pair.h"
#include "tests/base/scratch_folder.h"
#include "tests/python/test_recorder.h"
#include "tests/python/test_syntax.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;
using record::Split;

const char* const kFunctions[] = {"relu", "sigmoid", "tanh", "exp",   "sin",   "cos",
                                  "sqrt", "abs",     "erf",  "log1p", "floor", "neg"};

// A module that applies a chain of functions, told by the digits of `number`.
std::string module(int number) {
  std::string body;
  for (int rest = number + 12; rest > 0; rest /= 12) {
    body += "        x = torch." + std::string(kFunctions[rest % 12]) + "(x)  # step\n";
  }
  return "import torch\nimport torch.nn as nn\n\n\nclass Chain(nn.Module):\n    \"\"\"Applies some functions.\"\"\"\n\n"
         "    def __init__(self, size=64):\n        super(Chain, self).__init__()\n        self.linear = "
         "nn.Linear(size, size)\n\n"
         "    def forward(self, x):\n        x = self.linear(x)\n" +
         body +
         "        return x\n\n\ndef get_inputs():\n    return [torch.rand([64, 64])]\n\n\ndef get_init_inputs():\n    "
         "return [[], {}]\n";
}

base::Json row(int number) {
  return {{"python_code", module(number)},
          {"triton_code",
           "import triton\n@triton.jit\ndef kernel" + std::to_string(number) + "():\n    pass\nclass ChainNew: pass\n"},
          {"entry_point", "Chain"},
          {"repo_name", "owner" + std::to_string(number % 7) + "/project" + std::to_string(number % 41)},
          {"licenses", base::Json::array({"MIT"})},
          {"uuid", number}};
}

class Prepare : public ::testing::Test {
 protected:
  Prepare() {
    tools_.make_reader = [] { return std::make_unique<python::SyntaxReader>(python::test_syntax_options()); };
    tools_.recorder = []() -> python::Recorder& { return python::test_recorder(); };
    tools_.target = &program::find_target("h200");
    options_.out.folder = scratch_.path("out");
    options_.labels = LabelBy::kText;
    options_.split = {.validation = 0.2, .test = 0.2, .seed = 0};
    options_.workers = 2;
  }

  void rows(int count) {
    std::ofstream file(scratch_.path("rows.jsonl"));
    for (int i = 0; i < count; ++i) file << row(i).dump() << "\n";
    options_.sources = {scratch_.path("rows.jsonl")};
  }
  void lines(const std::vector<std::string>& texts) {
    std::ofstream file(scratch_.path("rows.jsonl"), std::ios::binary);
    for (const std::string& text : texts) file << text << "\n";
    options_.sources = {scratch_.path("rows.jsonl")};
  }

  std::vector<std::string> written(const fs::path& file) const {
    std::ifstream in(file);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  std::vector<record::TrainingPair> pairs(Split split) const {
    std::vector<record::TrainingPair> out;
    for (const std::string& line : written(options_.out.pairs(split)))
      out.push_back(record::training_pair_from_json(line).value());
    return out;
  }
  std::vector<record::LabelledTask> labels() const {
    std::vector<record::LabelledTask> out;
    for (const std::string& line : written(options_.out.labels()))
      out.push_back(record::labelled_task_from_json(line).value());
    return out;
  }
  std::map<std::string, std::string> all_files() const {
    std::map<std::string, std::string> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(options_.out.folder))
      out[entry.path().filename().string()] = base::read_file(entry.path());
    return out;
  }

  base::ScratchFolder scratch_;
  PrepareOptions options_;
  PrepareTools tools_;
};

TEST_F(Prepare, NoProjectIsOnTwoSides) {
  rows(300);
  const PrepareOutcome outcome = prepare(options_, tools_);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.statistics.kept(), 300) << to_text(outcome.statistics);
  std::map<std::string, std::set<Split>> sides;
  std::size_t in_all = 0;
  for (const Split split : record::kSplits) {
    for (const record::TrainingPair& pair : pairs(split)) {
      sides[pair.repository.substr(pair.repository.find('/'))].insert(split);
      ++in_all;
    }
  }
  EXPECT_EQ(in_all, 300u);
  EXPECT_EQ(sides.size(), 41u);
  std::set<Split> used;
  for (const auto& [project, splits] : sides) {
    EXPECT_EQ(splits.size(), 1u) << project;
    used.insert(splits.begin(), splits.end());
  }
  EXPECT_EQ(used.size(), 3u);
  ASSERT_EQ(labels().size(), 300u);
  EXPECT_EQ(labels()[0].source, "kernelbook");
  EXPECT_EQ(labels()[0].labelled_by, "text");
  EXPECT_FALSE(labels()[0].why.empty());
}

TEST_F(Prepare, WordsPairsAsTheOptionsSay) {
  rows(1);
  options_.split = {.validation = 0, .test = 0, .seed = 0};
  prepare(options_, tools_);
  record::TrainingPair pair = pairs(Split::kTrain).at(0);
  EXPECT_EQ(pair.id, "kernelbook/0");
  EXPECT_EQ(pair.pytorch_code, module(0));
  EXPECT_NE(pair.instruction.find("```python\n" + module(0)), std::string::npos);
  EXPECT_EQ(pair.output,
            "```python\nimport triton\n@triton.jit\ndef kernel0():\n    pass\nclass ModelNew: pass\n```\n");

  options_.prompt.form = text::PromptForm::kShort;
  prepare(options_, tools_);
  pair = pairs(Split::kTrain).at(0);
  EXPECT_EQ(pair.instruction.find('#'), std::string::npos) << pair.instruction;
  EXPECT_EQ(pair.instruction.find("Applies"), std::string::npos) << pair.instruction;
  EXPECT_TRUE(pair.instruction.starts_with(
      "import torch\nimport torch.nn as nn\n\nclass Chain(nn.Module):\n\n    def __init__"))
      << pair.instruction;
  EXPECT_TRUE(pair.output.starts_with("import triton\n"));

  options_.prompt.form = text::PromptForm::kPlan;
  prepare(options_, tools_);
  pair = pairs(Split::kTrain).at(0);
  EXPECT_NE(pair.output.find("# plan: kernels: kernel0\n"), std::string::npos) << pair.output;
  EXPECT_NE(pair.output.find("linear"), std::string::npos) << pair.output;
}

TEST_F(Prepare, WorkersDoNotChangeTheOutput) {
  rows(200);
  options_.workers = 1;
  prepare(options_, tools_);
  const auto one = all_files();
  options_.workers = 3;
  prepare(options_, tools_);
  EXPECT_EQ(all_files(), one);
}

TEST_F(Prepare, GoesOnWhereItWasStopped) {
  std::vector<std::string> texts;  // the later ones repeat the first, which an earlier round has seen
  for (int i = 0; i < 400; ++i) texts.push_back(row(i % 250).dump());
  lines(texts);
  prepare(options_, tools_);
  const auto whole = all_files();
  fs::remove_all(options_.out.folder);
  int rounds = 0, seen = 0;
  std::int64_t earlier = 0;
  PrepareTools stopping = tools_;
  stopping.row_done = [&](const std::string&) { ++seen; };
  stopping.stopped = [&] { return seen >= 100; };
  stopping.rows_done_earlier = [&](std::int64_t rows) { earlier = rows; };
  while (!prepare(options_, stopping).complete) {
    EXPECT_GE(seen, 100);
    EXPECT_FALSE(fs::exists(options_.out.labels()));
    seen = 0;
    ++rounds;
    ASSERT_LT(rounds, 10);
  }
  EXPECT_GE(rounds, 2);
  EXPECT_GT(earlier, 100);
  EXPECT_EQ(all_files(), whole);
}

// What was judged before and what is judged now must mean the same.
TEST_F(Prepare, GoesOnUnderTheSameJudgeAlone) {
  rows(300);
  int seen = 0;
  PrepareTools judging = tools_;
  judging.verify = [](const Example&) { return Checked{true, "passed", ""}; };
  judging.verify_key = R"({"policy":"kernelbench","seed":0})";
  judging.row_done = [&](const std::string&) { ++seen; };
  judging.stopped = [&] { return seen >= 100; };
  ASSERT_FALSE(prepare(options_, judging).complete);
  PrepareTools other = judging;
  other.verify_key = R"({"policy":"kernelbench","seed":7})";
  try {
    prepare(options_, other);
    FAIL() << "it went on under another judge";
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("seed was 0, is 7;"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(".prepare to begin again"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("policy"), std::string::npos) << error.what();
  }
  judging.stopped = nullptr;
  std::int64_t earlier = 0;
  judging.rows_done_earlier = [&](std::int64_t rows) { earlier = rows; };
  EXPECT_TRUE(prepare(options_, judging).complete);
  EXPECT_GE(earlier, 100);
}

TEST_F(Prepare, StopsAfterSoManySamples) {
  rows(300);
  options_.num_samples = 130;
  const PrepareOutcome outcome = prepare(options_, tools_);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.statistics.kept(), 130);
  EXPECT_EQ(labels().size(), 130u);
}

TEST_F(Prepare, CountsAndNamesWhatItLeavesOut) {
  base::Json gpl = row(5), null = row(6), python2 = row(7), without = row(8), unsolved = row(9), same = row(1),
             longest = row(10);
  gpl["licenses"] = base::Json::array({"GPL-3.0"});
  null["python_code"] = nullptr;
  python2["python_code"] = "class Chain:\n    print 'x'\n";
  without["python_code"] = "x = 1\n";
  unsolved["triton_code"] = nullptr;
  longest["python_code"] = module(10) + std::string(2 << 20, '#');
  lines({row(1).dump(), gpl.dump(), null.dump(), "{ broken", python2.dump(), without.dump(), unsolved.dump(),
         same.dump(), longest.dump(), "{\"python_code\": \"\xff\"}", "{\"other\": 1}", row(2).dump()});
  const PrepareOutcome outcome = prepare(options_, tools_);
  const std::map<std::string, std::int64_t> expected = {{"license", 1},    {"null_code", 1}, {"not_json", 1},
                                                        {"not_python", 1}, {"no_module", 1}, {"duplicate", 1},
                                                        {"too_long", 1},   {"not_utf8", 1},  {"missing_column", 1}};
  EXPECT_EQ(outcome.statistics.left_out, expected) << to_text(outcome.statistics);
  EXPECT_EQ(outcome.statistics.read, 12);
  EXPECT_EQ(outcome.statistics.kept(), 3);
  EXPECT_EQ(outcome.statistics.kept_pairs(), 2);
  EXPECT_EQ(outcome.statistics.task_only.at("its triton_code is empty"), 1);
  const std::vector<std::string> left = written(options_.out.left_out());
  ASSERT_EQ(left.size(), 9u);
  EXPECT_EQ(base::Json::parse(left[3])["row"], 5);
  EXPECT_NE(left[3].find("line 2"), std::string::npos) << left[3];
}

TEST_F(Prepare, LeavesBenchmarkCompositionsOut) {
  rows(30);
  PrepareOptions one = options_;
  one.sources = {scratch_.path("benchmark")};
  fs::create_directories(scratch_.path("benchmark/level1"));
  std::ofstream(scratch_.path("benchmark/level1/1_Chain.py")) << module(17);
  std::ofstream(scratch_.path("hashes.txt")) << benchmark_hashes_text(one, tools_);
  options_.hash_files = {scratch_.path("hashes.txt")};
  const PrepareOutcome outcome = prepare(options_, tools_);
  EXPECT_EQ(outcome.statistics.left_out, (std::map<std::string, std::int64_t>{{"in_benchmark", 1}}));
  for (const record::LabelledTask& task : labels()) EXPECT_NE(task.id, "kernelbook/17");
}

TEST_F(Prepare, KeepsWhatTheJudgePasses) {
  rows(10);
  tools_.verify = [](const Example& example) {
    const bool passed = example.id.back() % 2 == 0;
    return Checked{passed, passed ? "passed" : "wrong_result", ""};
  };
  const PrepareOutcome outcome = prepare(options_, tools_);
  EXPECT_EQ(outcome.statistics.verdicts, (std::map<std::string, std::int64_t>{{"passed", 5}, {"wrong_result", 5}}));
  EXPECT_EQ(outcome.statistics.kept(), 10);
  EXPECT_EQ(outcome.statistics.kept_pairs(), 5);
}

TEST_F(Prepare, ASolutionWithoutItsClassIsNone) {
  base::Json other = row(1), alias = row(2), unnamed = row(3);
  const std::string kernel = "import triton\n@triton.jit\ndef kernel():\n    pass\n";
  other["triton_code"] = kernel + "class Other: pass  # ModelNew\n";
  alias["triton_code"] = kernel + "class Other: pass\nModelNew = Other\n";
  unnamed.erase("entry_point");
  lines({other.dump(), alias.dump(), unnamed.dump()});
  options_.split = {.validation = 0, .test = 0, .seed = 0};
  const PrepareOutcome outcome = prepare(options_, tools_);
  EXPECT_EQ(outcome.statistics.kept(), 3) << "the task is one all the same";
  EXPECT_EQ(outcome.statistics.task_only,
            (std::map<std::string, std::int64_t>{{"its triton_code defines no ModelNew", 1}}));
  ASSERT_EQ(pairs(Split::kTrain).size(), 2u);
  EXPECT_NE(pairs(Split::kTrain)[1].output.find("class ModelNew: pass"), std::string::npos);
}

TEST_F(Prepare, BenchmarksAreTestsAndLabelledByTheirPrograms) {
  fs::create_directories(scratch_.path("KernelBench/level2"));
  std::string code = module(3);
  code.replace(code.find("class Chain"), 11, "class Model");
  code.replace(code.find("super(Chain"), 11, "super(Model");
  std::ofstream(scratch_.path("KernelBench/level2/7_Chain.py")) << code;
  std::ofstream(scratch_.path("KernelBench/level2/8_Broken.py")) << code << "\nraise RuntimeError('no')\n";
  options_.sources = {scratch_.path("KernelBench")};
  options_.labels = LabelBy::kAuto;
  const PrepareOutcome outcome = prepare(options_, tools_);
  ASSERT_EQ(labels().size(), 2u);
  EXPECT_EQ(labels()[0].id, "kernelbench/level2/7_Chain");
  EXPECT_EQ(labels()[0].split, "test");
  EXPECT_EQ(labels()[0].labelled_by, "program");
  EXPECT_EQ(labels()[0].own_level, 2);
  EXPECT_TRUE(labels()[0].runnable);
  EXPECT_EQ(labels()[1].labelled_by, "text");
  EXPECT_FALSE(labels()[1].runnable) << "it could not be recorded, so no kernel for it can be judged";
  EXPECT_NE(labels()[1].why.back().find("RuntimeError: no"), std::string::npos) << labels()[1].why.back();
  EXPECT_EQ(outcome.statistics.not_runnable, 1);
  EXPECT_EQ(labels()[0].difficulty, labels()[1].difficulty);
  EXPECT_EQ(outcome.statistics.odd_confusion[2][2] + outcome.statistics.odd_confusion[2][1], 1);
}

// KernelBook's inputs are often 4 x 4: what is computed on them is no bookkeeping.
TEST_F(Prepare, TinyInputsAreLabelledAlike) {
  std::string code = module(3);
  code.replace(code.find("size=64"), 7, "size=4");
  code.replace(code.find("[64, 64]"), 8, "[4, 4]");
  base::Json tiny = row(3);
  tiny["python_code"] = code;
  lines({tiny.dump()});
  for (const LabelBy by : {LabelBy::kProgram, LabelBy::kText}) {
    options_.labels = by;
    prepare(options_, tools_);
    ASSERT_EQ(labels().size(), 1u);
    EXPECT_EQ(labels()[0].labelled_by, by == LabelBy::kText ? "text" : "program");
    EXPECT_EQ(labels()[0].difficulty, 2);
  }
}

TEST_F(Prepare, SaysWhyNothingIsLeft) {
  lines({"{\"python_code\": null}"});
  try {
    prepare(options_, tools_);
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("null_code"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(options_.out.labels()));
}

}  // namespace
}  // namespace tritonrl::data
