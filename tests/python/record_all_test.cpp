// Several recordings in one process: each as if it were alone, and what becomes of the rest when one ends the process.
#include <gtest/gtest.h>

#include <chrono>

#include "program/program_json.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

using Kind = RecordOutcome::Kind;

std::vector<std::string> kinds(const std::vector<RecordOutcome>& outcomes) {
  std::vector<std::string> out;
  for (const RecordOutcome& one : outcomes) out.push_back(to_string(one.kind));
  return out;
}

std::string text(const RecordOutcome& outcome) {
  return outcome.program ? program::to_json(*outcome.program) : to_string(outcome.kind) + ": " + outcome.message;
}

std::string task_of_size(const std::string& rows, const std::string& body = "return x + 1") {
  return "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        " + body +
         "\ndef get_inputs():\n    return [torch.rand(" + rows + ", 16)]\ndef get_init_inputs():\n    return []\n";
}

// The kernel's text holds its block size, so that a text remembered from an earlier load shows.
std::string kernel_candidate(const std::string& block) {
  return "import torch\nimport triton\nimport triton.language as tl\n"
         "@triton.jit\ndef add(x, y, n, BLOCK: tl.constexpr):\n"
         "    at = tl.program_id(0) * " +
         block +
         " + tl.arange(0, BLOCK)\n"
         "    tl.store(y + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)\n"
         "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        y = torch.empty_like(x)\n"
         "        add[(triton.cdiv(x.numel(), " +
         block + "),)](x, y, x.numel(), BLOCK=" + block + ")\n        return y\n";
}

// Dies, hangs or does nothing by what the task says: the same text in every request.
const char* const kObedient =
    "import os, sys, time, torch\ntask = sys.modules['task']\n"
    "if getattr(task, 'DIE', False): os._exit(3)\nif getattr(task, 'HANG', False):\n    while True: pass\n"
    "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n";

RecordRequest obedient(const std::string& order) {
  return candidate_request(order + "\n" + kPlainTask, kObedient);
}

TEST(RecordAll, OfNothingIsNothing) {
  EXPECT_TRUE(test_recorder().record_all({}).empty());
}

TEST(RecordAll, EachIsWhatItWouldBeAlone) {
  std::vector<RecordRequest> requests;
  for (const char* block : {"128", "256", "512"}) {  // texts of one length, written within one tick of the clock
    requests.push_back(candidate_request(task_of_size(block), kernel_candidate(block)));
  }
  requests.push_back(task_request(task_of_size("32", "return torch.softmax(x @ x.t(), -1)")));
  requests.push_back(candidate_request(task_of_size("64"), kernel_candidate("128")));
  requests.back().forwards = 3;
  requests.back().target = &program::find_target("a100");
  requests.push_back(requests.front());
  const std::vector<RecordOutcome> together = test_recorder().record_all(requests);
  ASSERT_EQ(together.size(), requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(together[i].kind, Kind::kRecorded) << together[i].message;
    EXPECT_EQ(text(together[i]), text(test_recorder().record(requests[i]))) << "request " << i;
  }
}

TEST(RecordAll, ASettingOfOneTaskIsNotTheNextOnes) {
  const std::string plain = task_of_size("8");
  const std::vector<RecordRequest> requests = {
      task_request("import torch\ntorch.set_default_dtype(torch.float64)\ntorch.set_default_device('cuda')\n" + plain),
      task_request(plain)};
  const std::vector<RecordOutcome> together = test_recorder().record_all(requests);
  EXPECT_EQ(text(together[1]), text(test_recorder().record(requests[1])));
  EXPECT_NE(text(together[0]), text(together[1]));
}

TEST(RecordAll, AnExceptionIsTheOutcomeOfItsRequestAlone) {
  const std::vector<RecordRequest> requests = {
      task_request(kPlainTask), task_request(task_of_size("8", "raise ValueError('no')")), task_request(kPlainTask)};
  const std::vector<RecordOutcome> outcomes = test_recorder().record_all(requests);
  EXPECT_EQ(kinds(outcomes), (std::vector<std::string>{"recorded", "raised", "recorded"}));
  EXPECT_EQ(outcomes[1].line, 4);
  EXPECT_EQ(outcomes[1].code, "raise ValueError('no')");
}

TEST(RecordAll, QuestionsAreAnsweredInEach) {
  const std::string source = task_of_size("8", "return x * x.sum().item()");
  std::vector<RecordRequest> requests(3, task_request(source));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].answer = [i](const program::Program&, const program::Question&) {
      return program::Value{static_cast<double>(i) + 0.5};
    };
  }
  const std::vector<RecordOutcome> outcomes = test_recorder().record_all(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_EQ(outcomes[i].kind, Kind::kRecorded) << outcomes[i].message;
    const auto& question = std::get<program::Question>(outcomes[i].program->forwards.at(0).steps.at(1));
    EXPECT_EQ(question.answer, program::Value{static_cast<double>(i) + 0.5});
  }
}

TEST(RecordAll, OneThatDiesLeavesTheOthers) {
  const std::vector<RecordOutcome> outcomes = test_recorder().record_all(
      std::vector<RecordRequest>{obedient(""), obedient("DIE = True"), obedient(""), obedient("")});
  EXPECT_EQ(kinds(outcomes), (std::vector<std::string>{"recorded", "crashed", "recorded", "recorded"}));
  EXPECT_NE(outcomes[1].message.find("code 3"), std::string::npos) << outcomes[1].message;
}

TEST(RecordAll, AfterThreeProcessesTheRestShareTheLastOutcome) {
  const std::vector<RecordOutcome> outcomes = test_recorder().record_all(
      std::vector<RecordRequest>{obedient("DIE = True"), obedient(""), obedient("DIE = True"), obedient("DIE = True"),
                                 obedient(""), obedient("")});
  EXPECT_EQ(kinds(outcomes),
            (std::vector<std::string>{"crashed", "recorded", "crashed", "crashed", "crashed", "crashed"}));
}

TEST(RecordAll, OneThatHangsCostsItsOwnLimit) {
  RecorderOptions options = test_recorder_options();
  options.policy.wall_ms = 2000;
  Recorder recorder(options);
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<RecordOutcome> outcomes = recorder.record_all(std::vector<RecordRequest>{
      obedient(""), obedient("HANG = True"), obedient(""), obedient(""), obedient(""), obedient("")});
  EXPECT_EQ(kinds(outcomes),
            (std::vector<std::string>{"recorded", "timeout", "recorded", "recorded", "recorded", "recorded"}));
  EXPECT_EQ(outcomes[1].message, "no answer within 2000 ms");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(6));  // not six limits
}

TEST(RecordAll, OneThatEvadesItsLimitCostsOneLimit) {
  RecorderOptions options = test_recorder_options();
  options.policy.wall_ms = 1000;
  Recorder recorder(options);
  const RecordRequest request =
      candidate_request(kPlainTask, "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass\n");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(kinds(recorder.record_all(std::vector<RecordRequest>(3, request))),
            (std::vector<std::string>{"timeout", "timeout", "timeout"}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(2'800));  // not three
}

TEST(RecordAll, WhatWasPrintedIsKept) {
  const RecordRequest request =
      candidate_request(kPlainTask,
                        "import torch\nprint('hello')\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n"
                        "        return x + 1\n");
  for (const RecordOutcome& outcome : test_recorder().record_all(std::vector<RecordRequest>(2, request))) {
    EXPECT_EQ(outcome.log, "hello\nhello\n");
  }
}

// Names are hashed otherwise, so a program that follows a set's order differs; one that does not is the same.
TEST(HashSeed, ASecondRecorderWithAnotherOneWorksBesideTheFirst) {
  RecorderOptions options = test_recorder_options();
  options.hash_seed = 7;
  Recorder other(options);
  const RecordRequest plain = candidate_request(task_of_size("8"), kernel_candidate("128"));
  EXPECT_EQ(text(other.record(plain)), text(test_recorder().record(plain)));
  const RecordRequest by_hash = task_request(task_of_size("8", "return x * (hash('tritonrl') % 1000003)"));
  const std::string first = text(test_recorder().record(by_hash));
  EXPECT_EQ(text(test_recorder().record(by_hash)), first);
  EXPECT_NE(text(other.record(by_hash)), first);
}

}  // namespace
}  // namespace tritonrl::python
