// What is said of a candidate's text before any of it runs.
#include "python/source_report.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

const std::string kImports = "import torch\nimport triton\nimport triton.language as tl\n";
const std::string kModule = "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n";
const std::string kBody = "(x, y):\n    tl.store(y, tl.load(x))\n";

RecordOutcome checked(const std::string& candidate, const std::string& task = kPlainTask) {
  RecordRequest request = candidate_request(task, candidate);
  request.check_source = true;
  return test_recorder().record(request);
}

SourceReport report(const std::string& candidate, const std::string& task = kPlainTask) {
  const RecordOutcome outcome = checked(candidate, task);
  EXPECT_TRUE(outcome.source.has_value()) << outcome.message;
  return outcome.source.value_or(SourceReport{});
}

// "name real read", in the order of the text
std::vector<std::string> functions(const std::string& candidate) {
  std::vector<std::string> out;
  for (const JitFunction& one : report(candidate).jit_functions) {
    out.push_back(one.name + (one.real_body ? " real" : " empty") + (one.referenced ? " read" : " unread"));
  }
  return out;
}

using Names = std::vector<std::string>;

TEST(SourceReport, IsMadeOnlyWhereAskedFor) {
  EXPECT_FALSE(test_recorder().record(candidate_request(kPlainTask, "import torch\n" + kModule)).source.has_value());
  RecordRequest task_alone = task_request(kPlainTask);
  task_alone.check_source = true;
  EXPECT_FALSE(test_recorder().record(task_alone).source.has_value());
}

TEST(SourceReport, NamesTheErrorWithItsLine) {
  const RecordOutcome outcome = checked("import torch\nclass ModelNew(:\n    pass\n");
  const SourceReport& source = outcome.source.value();
  EXPECT_FALSE(source.parses);
  EXPECT_EQ(source.error, "invalid syntax");
  EXPECT_EQ(source.line, 2);
  EXPECT_EQ(source.code, "class ModelNew(:");
  EXPECT_EQ(to_string(outcome.kind), "raised");
  EXPECT_EQ(outcome.exception, "SyntaxError");
  EXPECT_EQ(outcome.line, 2);
}

TEST(SourceReport, KnowsTheFormsOfAJitFunction) {
  EXPECT_EQ(functions(kImports + "@triton.jit\ndef k" + kBody + kModule + "k"), Names{"k real read"});
  EXPECT_EQ(functions(kImports + "@triton.jit(debug=True)\ndef k" + kBody + kModule + "k"), Names{"k real read"});
  EXPECT_EQ(functions(kImports + "from triton import jit as fast\n@fast\ndef k" + kBody + kModule),
            Names{"k real unread"});
  EXPECT_EQ(
      functions("import torch\nimport triton as t\nimport triton.language as tl\n@t.jit\ndef k" + kBody + kModule),
      Names{"k real unread"});
  EXPECT_EQ(functions(kImports +
                      "@triton.autotune(configs=[triton.Config({})], key=[])\n@triton.heuristics({})\n"
                      "@triton.jit\ndef k" +
                      kBody + kModule + "k"),
            Names{"k real read"});
  EXPECT_EQ(functions(kImports + "def plain" + kBody + "k = triton.jit(plain)\n" + kModule + "k"),
            Names{"k real read"});
  EXPECT_EQ(functions(kImports + "def plain" + kBody + "k = triton.jit(plain)\n" + kModule), Names{"k real unread"});
  EXPECT_EQ(functions(kImports + "def plain" + kBody + "triton.jit(plain)\n" + kModule), Names{"plain real unread"});
  EXPECT_EQ(functions(kImports + "def jit(f): return f\n@jit\ndef k" + kBody + kModule + "k"), Names{});
  EXPECT_EQ(functions("import torch\n@torch.jit.ignore\ndef k(x): return x + 1\n" + kModule + "k"), Names{});
}

TEST(SourceReport, KnowsTorchInductorsForm) {
  const std::string kernel =
      "'''\nimport triton\nimport triton.language as tl\n@triton.jit\ndef k(x, y):\n    tl.store(y, tl.load(x))\n'''";
  const std::string made =
      "class Later:\n    def triton(self, *given, **named): return None\nasync_compile = Later()\n";
  EXPECT_EQ(functions("import torch\n" + made + "k = async_compile.triton('k', " + kernel + ")\n" + kModule + "k"),
            Names{"k real read"});
  EXPECT_EQ(functions("import torch\n" + made + "k = async_compile.triton('k', 'def k(): pass')\n" + kModule),
            Names{"k empty unread"});
}

TEST(SourceReport, TellsARealBodyFromAnEmptyOne) {
  const auto body = [](const std::string& lines) {
    return functions(kImports + "@triton.jit\ndef k(x, y):\n" + lines + kModule);
  };
  const Names empty{"k empty unread"}, real{"k real unread"};
  EXPECT_EQ(body("    pass\n"), empty);
  EXPECT_EQ(body("    '''loads and stores'''\n    return\n"), empty);
  EXPECT_EQ(body("    a = 1\n    b = 2 * 3\n    return x\n"), empty);
  EXPECT_EQ(body("    for i in range(3):\n        pass\n"), empty);
  EXPECT_EQ(body("    return x * 2\n"), real);
  EXPECT_EQ(body("    tl.store(y, 1)\n"), real);
}

TEST(SourceReport, AFunctionThatOnlyItselfReadsIsUnread) {
  EXPECT_EQ(functions(kImports + "@triton.jit\ndef k(x):\n    return k(x - 1)\n" + kModule), Names{"k real unread"});
  EXPECT_EQ(functions(kImports + "class Holder:\n    @triton.jit\n    def k(x):\n        return x + 1\n" + kModule +
                      "Holder.k"),
            Names{"k real read"});
}

TEST(SourceReport, FindsTheClassToRecord) {
  const std::string forward = "(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n";
  const std::string block_task =
      "import torch\nclass Block" + forward + "def get_inputs():\n    return [torch.rand(4)]\n";
  EXPECT_TRUE(report("import torch\n" + kModule).has_entry_class);
  EXPECT_TRUE(report("import torch\nclass Model" + forward).has_entry_class);
  EXPECT_TRUE(report("import torch\nif True:\n    class Other" +
                     [&] {
                       std::string inner = forward;
                       for (std::size_t at = 0; (at = inner.find("\n    ", at)) != std::string::npos; at += 5)
                         inner.insert(at + 1, "    ");
                       return inner;
                     }() +
                     "ModelNew = Other\n")
                  .has_entry_class);
  EXPECT_TRUE(report("import torch\nclass BlockNew" + forward, block_task).has_entry_class);
  EXPECT_TRUE(report("import torch\nclass Block" + forward, block_task).has_entry_class);
  EXPECT_FALSE(report("import torch\nclass Block" + forward).has_entry_class);
  EXPECT_FALSE(report("import torch\ndef f():\n    class ModelNew: pass\n").has_entry_class);
}

TEST(SourceReport, StaysWhenTheCandidateKillsItsProcess) {
  const RecordOutcome outcome =
      checked(kImports + "@triton.jit\ndef k" + kBody + "import os\nos._exit(0)\n" + kModule + "k");
  EXPECT_EQ(to_string(outcome.kind), "crashed");
  ASSERT_TRUE(outcome.source.has_value());
  EXPECT_TRUE(outcome.source->parses);
  EXPECT_EQ(outcome.source->jit_functions.size(), 1u);
}

// The candidate of the first request could write what it likes into the channel.
TEST(SourceReport, OfALaterRequestIsNotOfTheCandidatesMaking) {
  const std::string forged =
      "import json, os, struct, sys, torch\n"
      "body = json.dumps({'kind': 'source', 'source': {'parses': True, 'error': '', 'line': 0, 'code': '', "
      "'has_entry_class': True, 'jit_functions': [{'name': 'k', 'line': 1, 'real_body': True, 'referenced': True}]}})\n"
      "os.write(3, struct.pack('<I', len(body)) + body.encode())\n" +
      kModule;
  std::vector<RecordRequest> requests(3, candidate_request(kPlainTask, forged));
  for (RecordRequest& request : requests) request.check_source = true;
  for (const RecordOutcome& outcome : test_recorder().record_all(requests)) {
    EXPECT_EQ(to_string(outcome.kind), "malformed");
    ASSERT_TRUE(outcome.source.has_value());
    EXPECT_TRUE(outcome.source->jit_functions.empty());
  }
}

TEST(SourceReport, OfWhatTheParserCannotTakeIsAnError) {
  const auto repeated = [](const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  const std::vector<std::pair<const char*, std::string>> texts = {
      {"null bytes", std::string("x = 1\0\n", 7)},
      {"no UTF-8", "x = '\xff\xfe\xed\xa0\x80'\n("},
      {"brackets", repeated("(", 100'000)},
      {"minus signs", repeated("-", 100'000) + "1"},
      {"attributes", "a" + repeated(".b", 100'000)},
      {"sums", "1" + repeated("+1", 100'000)},
      {"branches", "if a: pass\n" + repeated("elif a: pass\n", 15'000)},
      {"lambdas", repeated("lambda: ", 20'000) + "1"},
      {"long", repeated("x = 1\n", 1'000'000)},
      {"another encoding", "# -*- coding: nonsense -*-\nx = 1\n"},
  };
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(name);
    const RecordOutcome outcome = checked(text);
    ASSERT_TRUE(outcome.source.has_value()) << outcome.message;
    EXPECT_FALSE(outcome.source->parses);
    EXPECT_FALSE(outcome.source->error.empty());
    EXPECT_EQ(to_string(outcome.kind), "raised") << outcome.message;
  }
}

TEST(SourceReport, OfAnotherFormIsRefused) {
  EXPECT_TRUE(
      source_report_from_json("{\"parses\":true,\"error\":\"\",\"line\":0,\"code\":\"\",\"has_entry_class\":true,"
                              "\"jit_functions\":[]}")
          .ok());
  for (const char* text : {"", "[]", "{}", "{\"parses\":1}",
                           "{\"parses\":true,\"error\":\"\",\"line\":0,\"code\":\"\",\"has_entry_class\":true,"
                           "\"jit_functions\":[{\"name\":7}]}"}) {
    EXPECT_FALSE(source_report_from_json(text).ok()) << text;
  }
}

}  // namespace
}  // namespace tritonrl::python
