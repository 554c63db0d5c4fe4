#include "judge/row_task.h"

#include <gtest/gtest.h>

#include "judge/resizable_task.h"
#include "tests/judge/test_funnel.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::judge {
namespace {

Replayer& row_replayer() {
  static Replayer replayer(test_replayer_options());
  return replayer;
}

// `constants` are lines `NAME = value`.
record::Task row_subject(const std::string& constants, const std::string& forward, const std::string& inputs,
                         const std::string& init = "pass") {
  return {.id = "task.py",
          .source = "import torch\n" + constants +
                    "class Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        " +
                    init + "\n    def forward(self, x, *more):\n        return " + forward +
                    "\ndef get_inputs():\n    return [" + inputs + "]\n",
          .entry_point = {}};
}

std::optional<RowTask> rows_found_in(const record::Task& task, std::uint64_t seed = 5) {
  Replayer& replayer = row_replayer();
  python::RecordRequest request = python::task_request(task.source);
  request.task = task;
  const python::RecordOutcome real = replayer.recorder().record(request);
  EXPECT_TRUE(real.program) << real.message;
  if (!real.program) return std::nullopt;
  const ResizableTask resizable(replayer.recorder(), request, replayer.recorder().integers(task));
  RowSearch search;
  search.reference = &*real.program;
  search.request = request;
  search.seed = seed;
  search.constants = resizable.constants();
  search.resized = [&](const SizeConstant& constant, std::int64_t value) {
    return resizable.resized({{constant, value}});
  };
  return find_rows(replayer, std::move(search));
}

std::vector<std::int64_t> numbers_of(const RowTask& task) {
  std::vector<std::int64_t> out;
  for (const RowTask::Narrow& one : task.sizes) out.push_back(one.rows);
  return out;
}

TEST(RowTask, ABatchHasRows) {
  const auto found =
      rows_found_in(row_subject("ROWS = 8192\nCOLUMNS = 300\n", "torch.relu(x)", "torch.randn(ROWS, COLUMNS)"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 8192);
  EXPECT_EQ(found->inputs, std::vector<int>{0});
  EXPECT_EQ(found->outputs, std::vector<int>{0});
  EXPECT_EQ(numbers_of(*found), (std::vector<std::int64_t>{64, 1024}));
  const program::Program& narrow = found->sizes.front().reference;
  ASSERT_FALSE(narrow.forwards.empty());
  bool sixty_four = false;
  for (const program::Tensor& tensor : narrow.tensors)
    sixty_four = sixty_four || tensor.sizes == std::vector<std::int64_t>{64, 300};
  EXPECT_TRUE(sixty_four);
}

// Each channel has weights of its own, which are drawn otherwise for fewer channels.
TEST(RowTask, ChannelsWithParametersOfTheirOwnAreNoRows) {
  const record::Task task{
      .id = "task.py",
      .source =
          "import torch\nCHANNELS = 128\n"
          "class Model(torch.nn.Module):\n"
          "    def __init__(self, channels):\n"
          "        super().__init__()\n"
          "        self.conv = torch.nn.Conv2d(channels, channels, 3, groups=channels, bias=False)\n"
          "    def forward(self, x):\n        return self.conv(x)\n"
          "def get_inputs():\n    return [torch.rand(4, CHANNELS, 512, 512)]\n"
          "def get_init_inputs():\n    return [CHANNELS]\n",
      .entry_point = {}};
  for (const std::uint64_t seed : {0, 1, 2}) {
    const auto found = rows_found_in(task, seed);
    EXPECT_TRUE(!found || found->count != 128) << seed;
  }
}

// So that nobody can leave them out at the real sizes; not where the reference takes no others.
TEST(RowTask, ConstantsOfTheStateGetOtherValues) {
  const auto found = [](const std::string& forward) {
    return rows_found_in(
        row_subject("ROWS = 4096\n", forward, "torch.randn(ROWS, 32)",
                    "self.w = torch.nn.Parameter(torch.zeros(32)); self.d = torch.nn.Parameter(torch.randn(32))"));
  };
  const auto scaled = found("x * self.w + self.d");
  ASSERT_TRUE(scaled);
  ASSERT_EQ(scaled->state.size(), 1U);
  EXPECT_EQ(scaled->state[0].name, "w");
  EXPECT_EQ(scaled->state[0].contents.bytes.size(), 32 * sizeof(float));
  EXPECT_NE(scaled->state[0].contents.bytes, std::string(32 * sizeof(float), '\0'));
  const auto rooted = found("x * torch.sqrt(self.w) + self.d");  // some would be negative
  ASSERT_TRUE(rooted);
  EXPECT_TRUE(rooted->state.empty());
}

// The largest constant is tried first; what all rows share has none.
TEST(RowTask, AProductHasRowsOrColumns) {
  const std::string inputs = "torch.randn(M, K), torch.randn(K, N)";
  const auto rows = rows_found_in(row_subject("M = 2048\nK = 192\nN = 96\n", "x @ more[0]", inputs));
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->count, 2048);
  EXPECT_EQ(rows->inputs, (std::vector<int>{0, -1}));
  EXPECT_EQ(rows->outputs, std::vector<int>{0});
  const auto columns = rows_found_in(row_subject("M = 96\nK = 192\nN = 2048\n", "x @ more[0]", inputs));
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->count, 2048);
  EXPECT_EQ(columns->inputs, (std::vector<int>{-1, 1}));
  EXPECT_EQ(columns->outputs, std::vector<int>{1});
}

// The shapes say nothing: that rows depend on one another shows by example.
TEST(RowTask, RowsThatDependOnOneAnotherAreNone) {
  const std::string inputs = "torch.randn(ROWS, COLUMNS)";
  const auto by_column = rows_found_in(row_subject("ROWS = 4096\nCOLUMNS = 256\n", "x - x.mean(0)", inputs));
  ASSERT_TRUE(by_column);
  EXPECT_EQ(by_column->count, 256) << "each column for itself";
  EXPECT_EQ(by_column->inputs, std::vector<int>{1});
  EXPECT_EQ(by_column->outputs, std::vector<int>{1});
  EXPECT_FALSE(rows_found_in(row_subject("ROWS = 4096\nCOLUMNS = 256\n", "x - x.mean()", inputs)));
  EXPECT_FALSE(rows_found_in(row_subject("ROWS = 4096\nCOLUMNS = 256\n", "x.cumsum(0).cumsum(1)", inputs)));
}

// Several neighbours of an output belong to one row.
TEST(RowTask, ARowMayBeAGroupOfNeighbours) {
  const auto found =
      rows_found_in(row_subject("BATCH = 4096\nHEADS = 12\nWIDTH = 40\n", "torch.relu(x).view(BATCH * HEADS, WIDTH)",
                                "torch.randn(BATCH, HEADS, WIDTH)"));
  // the module reads BATCH itself: it is no constant that may change
  EXPECT_FALSE(found && found->count == 4096);
  const auto free =
      rows_found_in(row_subject("BATCH = 4096\n", "torch.relu(x).flatten(0, 1)", "torch.randn(BATCH, 12, 40)"));
  ASSERT_TRUE(free);
  EXPECT_EQ(free->count, 4096);
  EXPECT_EQ(free->outputs, std::vector<int>{0});
  EXPECT_EQ(numbers_of(*free), (std::vector<std::int64_t>{64, 1024}));
}

TEST(RowTask, RandomReferencesHaveNone) {
  EXPECT_FALSE(rows_found_in(
      row_subject("ROWS = 4096\n", "torch.nn.functional.dropout(x, 0.5, True)", "torch.randn(ROWS, 64)")));
}

// Fewer rows where each is large; none where one alone takes too long.
TEST(RowTask, AsManyAsCanBeComputed) {
  const auto few = rows_found_in(row_subject("ROWS = 2048\n", "torch.softmax(x, 1)", "torch.randn(ROWS, 200000)"));
  ASSERT_TRUE(few);
  EXPECT_EQ(few->count, 2048);
  EXPECT_EQ(numbers_of(*few), std::vector<std::int64_t>{4}) << "of 200,000 elements sixteen are too many";
  EXPECT_FALSE(rows_found_in(row_subject("ROWS = 64\nWIDTH = 20000\n", "self.layer(x)", "torch.randn(ROWS, WIDTH)",
                                         "self.layer = torch.nn.Linear(20000, 20000)")));
}

}  // namespace
}  // namespace tritonrl::judge
