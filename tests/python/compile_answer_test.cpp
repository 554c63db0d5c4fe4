#include "python/compile_answer.h"

#include <gtest/gtest.h>

#include <random>

#include "base/json.h"
#include "tests/python/test_compiler.h"

namespace tritonrl::python {
namespace {

using base::Json;
using Kind = CompileOutcome::Kind;

CompileOutcome read(const std::string& answer, bool machine_code = false, const std::string& log = "") {
  CompileOutcome outcome;
  outcome.kernel.source =
      compose(
          make_kernel("def k(x):\n    tl.store(x, f(1.0))\n\ndef f(v):\n    return w\n", {{"x", "*fp32", {}}}).kernel)
          .value();
  outcome.log = log;
  read_answer(answer, machine_code, std::int64_t{512} << 20, outcome);
  return outcome;
}

Json compiled() {
  return {{"kind", "compiled"},
          {"ir", "module {}"},
          {"figures", {{"num_warps", 8}, {"num_ctas", 1}, {"num_stages", 2}, {"shared", 64}, {"name", "k"}}}};
}

TEST(CompileAnswer, ACompiledKernel) {
  const CompileOutcome outcome = read(compiled().dump());
  EXPECT_EQ(outcome.kind, Kind::kCompiled) << outcome.message;
  EXPECT_EQ(outcome.kernel.ir, "module {}");
  EXPECT_EQ(outcome.kernel.num_warps, 8);
}

TEST(CompileAnswer, AnErrorWithItsCalls) {
  const Json error = {{"kind", "error"},
                      {"exception", "NameError"},
                      {"message", "w is not defined"},
                      {"frames", {{{"function", "lies"}, {"line", 6}}, {{"line", 10}}}}};
  const CompileOutcome outcome = read(error.dump());
  EXPECT_EQ(outcome.kind, Kind::kError);
  EXPECT_EQ(outcome.function, "f");
  EXPECT_EQ(outcome.at, (program::SourceLine{0, 5}));
  EXPECT_EQ(outcome.code, "return w");
  ASSERT_EQ(outcome.calls.size(), 2u);
  EXPECT_EQ(outcome.calls[0].function, "k");
  EXPECT_EQ(outcome.message, "w is not defined\n  called by k, line 2: tl.store(x, f(1.0))");
}

TEST(CompileAnswer, AVagueErrorTakesItsReasonFromTheLog) {
  const Json vague = {{"kind", "error"}, {"message", "PassManager::run failed"}, {"vague", true}};
  const CompileOutcome outcome = read(vague.dump(), false, "kernel.py:6:4: error: the real reason\n");
  EXPECT_EQ(outcome.message, "the real reason");
  EXPECT_EQ(outcome.at.line, 2);
  EXPECT_EQ(read(vague.dump()).message, "PassManager::run failed");
}

TEST(CompileAnswer, NoMemory) {
  const CompileOutcome outcome = read(R"({"kind": "memory"})");
  EXPECT_EQ(outcome.kind, Kind::kCrashed);
  EXPECT_NE(outcome.message.find("512 MiB"), std::string::npos);
}

TEST(CompileAnswer, TheRestIsMalformed) {
  for (const char* text : {"", "{", "[]", "3", "null", "{}", R"({"kind": 3})", R"({"kind": "won"})",
                           R"({"kind": "compiled"})", "{\"kind\": \"\xff\"}"}) {
    EXPECT_EQ(read(text).kind, Kind::kMalformed) << text;
  }
  for (const auto& [name, value] : std::vector<std::pair<std::string, Json>>{
           {"ir", ""}, {"ir", 3}, {"ir", std::string(40 << 20, 'x')}, {"figures", 3}, {"figures", Json::object()}}) {
    Json changed = compiled();
    changed[name] = value;
    EXPECT_EQ(read(changed.dump()).kind, Kind::kMalformed) << name;
  }
  for (const Json& value : {Json(-1), Json(1e9), Json(std::uint64_t{1} << 63), Json(1 << 30), Json("4"), Json()}) {
    Json changed = compiled();
    changed["figures"]["num_warps"] = value;
    EXPECT_EQ(read(changed.dump()).kind, Kind::kMalformed) << value;
  }
  // machine code that is none
  EXPECT_EQ(read(compiled().dump(), true).kind, Kind::kMalformed);
  for (const Json& value : {Json("AAAA"), Json("!"), Json(3), Json("f0VMRgIB")}) {
    Json changed = compiled();
    changed["cubin"] = value;
    EXPECT_EQ(read(changed.dump(), true).kind, Kind::kMalformed) << value;
  }
}

TEST(CompileAnswer, DescriptorsAreWhatTheHardwareHas) {
  const Json good = {
      {"swizzle", 3}, {"elem_size", 4}, {"elem_type", 7}, {"block_size", {32, 16}}, {"fp4_padded", false}};
  Json answer = compiled();
  answer["descriptors"] = Json::array();
  answer["descriptors"].push_back(good);
  EXPECT_EQ(read(answer.dump()).kind, Kind::kCompiled);
  for (const auto& [name, value] : std::vector<std::pair<std::string, Json>>{{"swizzle", -1},
                                                                             {"swizzle", 99},
                                                                             {"elem_size", 0},
                                                                             {"elem_type", 1000},
                                                                             {"block_size", 3},
                                                                             {"block_size", Json::array()},
                                                                             {"block_size", {1, 1, 1, 1, 1, 1}},
                                                                             {"block_size", {0}},
                                                                             {"block_size", {257}},
                                                                             {"fp4_padded", 1}}) {
    Json bad = good;
    bad[name] = value;
    answer["descriptors"][0] = bad;
    EXPECT_EQ(read(answer.dump()).kind, Kind::kMalformed) << name << " " << value;
  }
}

TEST(CompileAnswer, ChangedBytesAreAlwaysSomeOutcome) {
  const Json error = {{"kind", "error"}, {"message", "m"}, {"line", 4}, {"frames", {{{"line", 6}}, {{"line", 11}}}}};
  const std::string texts[] = {compiled().dump(), error.dump()};
  std::mt19937 random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = texts[random() % 2];
    for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n)
      text[random() % text.size()] = static_cast<char>(random());
    const CompileOutcome outcome = read(text, random() % 4 == 0);
    EXPECT_GE(outcome.kernel.num_warps, 0);
    EXPECT_LE(outcome.calls.size(), 40u);
  }
}

}  // namespace
}  // namespace tritonrl::python
