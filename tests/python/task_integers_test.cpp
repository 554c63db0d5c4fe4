// The integers of a task that may be sizes, and where they stand.
#include "python/task_integers.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "record/task_constants.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

std::vector<TaskInteger> integers(const std::string& source) {
  return test_recorder().integers({.id = "the_task.py", .source = source, .entry_point = {}});
}

// "name=value@line"
std::vector<std::string> texts(const std::string& source) {
  std::vector<std::string> out;
  for (const TaskInteger& one : integers(source)) {
    out.push_back(one.name + "=" + std::to_string(one.value) + "@" + std::to_string(one.line));
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(TaskIntegers, OfModuleLevelAssignments) {
  EXPECT_EQ(
      texts("N = 128\nM: int = 64\nA, B = 3, (4, 5)\nS = [2, {'rows': 7}]\nT = N * 2 + 9\nU = V = 6\nN *= 8\n"),
      (Texts{"N=128@1", "M=64@2", "A=3@3", "B=4@3", "B=5@3", "S=2@4", "S=7@4", "T=2@5", "T=9@5", "U=6@6", "N=8@7"}));
  EXPECT_EQ(texts("if True:\n    N = 5\nelse:\n    N = 6\nif __name__ == '__main__':\n    M = 7\n"),
            (Texts{"N=5@2", "N=6@4"}));
}

TEST(TaskIntegers, OfTheFunctionsThatMakeInputs) {
  EXPECT_EQ(
      texts("def get_inputs(n=16, *, m: int = 17):\n    k = 18\n    return [torch.rand(n, 19) for _ in range(3)]\n"
            "def get_init_inputs():\n    return [[20], {'width': 21}]\n"
            "def other():\n    return 22\nclass Model:\n    size = 23\n    def forward(self): return 24\n"),
      (Texts{"=16@1", "=17@1", "=18@2", "=19@3", "=3@3", "=20@5", "=21@5"}));
}

TEST(TaskIntegers, LeavesOutWhatIsNoSize) {
  EXPECT_EQ(texts("A = 1\nB = 0\nC = True\nD = 2.0\nE = '7'\nF = -100\nG = shape[3]\nH = shape[2:4]\nI = f'{8}'\n"
                  "torch.manual_seed(42)\nJ = torch.manual_seed(43)\ntorch.config.limit = 44\n"
                  "K = x.sum(dim=2) + x.sum(axis=3) + x.sum(dims=(4, 5)) + x.rand(size=6)\n"
                  "def get_inputs():\n    torch.manual_seed(45)\n    x[6] = 7\n    return x[:, 8, 9:10]\n"),
            (Texts{"K=6@13", "=7@16"}));
}

TEST(TaskIntegers, LeavesOutWhatTheModelReadsItself) {
  EXPECT_EQ(
      texts("A = 5\nB = 6\nC = 7\nD = C * 8\nE = 9\nclass Model:\n    def __init__(self, n=A):\n"
            "        E = n\n        self.d = [D for _ in range(E)]\ndef get_inputs():\n    return [A, B, C, D, E]\n"),
      (Texts{"B=6@2", "E=9@5"}));
}

TEST(TaskIntegers, SpansAreBytesOfTheSource) {
  const std::string source =
      "\xEF\xBB\xBF"
      "A = 0x10\r\n# gr\u00f6\u00dfe\r\ns, B = 'gr\u00f6\u00dfe', 1_000\r\nC = 0b11\ndef get_inputs():\n\treturn [A, "
      "0o17, B]\n";
  std::vector<std::pair<record::TaskSpan, std::int64_t>> spans;
  Texts literals;
  for (const TaskInteger& one : integers(source)) {
    literals.push_back(source.substr(one.begin, one.end - one.begin));
    spans.push_back({{one.begin, one.end}, one.value * 10});
  }
  EXPECT_EQ(literals, (Texts{"0x10", "1_000", "0b11", "0o17"}));
  EXPECT_EQ(record::with_integers(source, spans),
            "\xEF\xBB\xBF"
            "A = 160\r\n# gr\u00f6\u00dfe\r\ns, B = 'gr\u00f6\u00dfe', 10000\r\nC = 30\ndef get_inputs():\n\treturn "
            "[A, 150, B]\n");
}

TEST(TaskIntegers, NothingIsExecuted) {
  EXPECT_EQ(texts("import os\nos._exit(1)\nN = 5\n"), Texts{"N=5@3"});
}

TEST(TaskIntegers, OfATaskThatDoesNotParseNameFileAndLine) {
  const auto message = [](const std::string& source) -> std::string {
    try {
      integers(source);
    } catch (const base::UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("N = 5\nclass Model(:\n").find("the_task.py:2: invalid syntax"), std::string::npos)
      << message("N = 5\nclass Model(:\n");
  EXPECT_NE(message("N = '\xff'\n").find("UTF-8"), std::string::npos);
  EXPECT_NE(message(std::string("N = 5\0", 6)).find("null bytes"), std::string::npos);
}

TEST(TaskIntegers, RepliesThatDoNotFitTheSourceAreRefused) {
  const record::Task task{.id = "t.py", .source = "N = 128\n", .entry_point = {}};
  const auto reply = [&](const std::string& rows) {
    return task_integers_from_reply("{\"kind\":\"integers\",\"integers\":" + rows + "}", task);
  };
  EXPECT_EQ(reply("[[128,4,7,\"N\",1]]").size(), 1u);
  for (const char* rows : {"[[128,4,70,\"N\",1]]", "[[128,3,7,\"N\",1]]", "[[128,7,4,\"N\",1]]", "[[128,4,8,\"N\",1]]",
                           "[[128,4,7,\"N\",1],[12,4,6,\"N\",1]]", "[[128]]", "7"}) {
    EXPECT_THROW(reply(rows), base::InfrastructureError) << rows;
  }
}

}  // namespace
}  // namespace tritonrl::python
