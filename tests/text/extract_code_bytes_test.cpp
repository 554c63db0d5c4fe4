#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "text/extract_code.h"

namespace tritonrl::text {
namespace {

constexpr std::string_view kModel =
    "import torch\n"
    "\n"
    "\n"
    "class ModelNew(torch.nn.Module):\n"
    "    def forward(self, x):\n"
    "        return x\n";

std::string fenced(std::string_view code) {
  return "```python\n" + std::string(code) + "```\n";
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    bool here = text.substr(i).starts_with(from);
    out += here ? to : text.substr(i, 1);
    i += here ? from.size() : 1;
  }
  return out;
}

std::string repeated(std::string_view unit, std::size_t size) {
  std::string out;
  out.reserve(size + unit.size());
  while (out.size() < size) out += unit;
  return out;
}

TEST(ExtractCodeBytes, LineEndsBecomeNewlines) {
  EXPECT_EQ(extract_code(replaced(fenced(kModel), "\n", "\r\n")).code, kModel);
  EXPECT_EQ(extract_code(replaced(fenced(kModel), "\n", "\r")).code, kModel);
  EXPECT_EQ(extract_code(replaced(kModel, "\n", "\r\n")).code, kModel);
}

TEST(ExtractCodeBytes, ByteOrderMarksGo) {
  EXPECT_EQ(extract_code("\xEF\xBB\xBF" + fenced(kModel)).code, kModel);
  EXPECT_EQ(extract_code(fenced("\xEF\xBB\xBF" + std::string(kModel))).code, kModel);
  EXPECT_EQ(extract_code("\xEF\xBB\xBF" + std::string(kModel)).code, kModel);
}

TEST(ExtractCodeBytes, NulBytesGo) {
  std::string answer = fenced(kModel);
  answer.insert(answer.find("class"), std::string("\0\0", 2));
  EXPECT_EQ(extract_code(answer).code, kModel);
}

TEST(ExtractCodeBytes, FormFeedsBetweenDefinitionsGo) {
  EXPECT_EQ(extract_code(fenced(replaced(kModel, "\nclass", "\f\nclass"))).code, kModel);
  EXPECT_EQ(extract_code(fenced(replaced(kModel, "class", "\fclass"))).code, kModel);
}

TEST(ExtractCodeBytes, OddSpacesBecomeSpacesInCodeOnly) {
  std::string odd = fenced("x\u00A0=\u20071  \nModelNew = \"a\u00A0b\u200B\"  # c\u00A0d\n");
  EXPECT_EQ(extract_code(odd).code, "x = 1\nModelNew = \"a\u00A0b\u200B\"  # c\u00A0d\n");
}

TEST(ExtractCodeBytes, WhiteSpaceInsideStringsStays) {
  std::string code = "ModelNew = \"\"\"a  \n\tb\t\n\"\"\"\n";
  EXPECT_EQ(extract_code(fenced(code)).code, code);
}

TEST(ExtractCodeBytes, WhatIsNotUtf8IsReplaced) {
  std::string code = "ModelNew = '\xFF\xC3(\xED\xA0\x80'\n";
  EXPECT_EQ(extract_code(fenced(code)).code, "ModelNew = '\uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD'\n");
}

TEST(ExtractCodeBytes, TabsStay) {
  std::string code = replaced(kModel, "    ", "\t");
  EXPECT_EQ(extract_code(fenced(code)).code, code);
}

TEST(ExtractCodeBytes, NothingGivesAReason) {
  for (std::string_view answer : {"", " ", "\n\n", "\r\n\t", "\xEF\xBB\xBF"}) {
    ExtractedCode got = extract_code(answer);
    EXPECT_FALSE(got.found);
    EXPECT_EQ(got.reason, "the answer is empty");
  }
}

TEST(ExtractCodeBytes, EntryPointIsAnOption) {
  std::string answer = fenced(kModel) + fenced("def run(x):\n    return x\n");
  EXPECT_EQ(extract_code(answer, {.entry_point = "run"}).code, "def run(x):\n    return x\n");
  EXPECT_EQ(extract_code(answer, {.entry_point = ""}).code, kModel);
  EXPECT_EQ(extract_code(answer, {.entry_point = ""}).reason, "the longest of 2 Python fenced blocks");
  EXPECT_NE(extract_code(answer, {.entry_point = "walk"}).reason.find("walk is not defined"), std::string::npos);
}

TEST(ExtractCodeBytes, TenMegabytesOfBackticks) {
  EXPECT_FALSE(extract_code(std::string(10'000'000, '`')).found);
  EXPECT_EQ(extract_code(fenced(kModel) + repeated("```\n", 10'000'000)).code, kModel);
}

// Each would take many minutes if one of the scans were quadratic; the limit only has to tell that from a slow machine.
TEST(ExtractCodeBytes, LargeAnswersTakeLinearTime) {
  constexpr std::size_t kSize = 1'000'000;
  constexpr std::string_view kUnits[] = {"`",      "```\n", "```python\nx = 1\n```\n",  "```python\n\"\"\"\n```\n",
                                         "<think", "(",     "import a\n\nprose here\n", "class ModelNew(nn.Module):\n",
                                         "f()",    "\xFF",  "\"\"\"\n```python\n",      "{\"\\n"};
  for (std::string_view unit : kUnits) {
    auto start = std::chrono::steady_clock::now();
    ExtractedCode got = extract_code(repeated(unit, kSize));
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_LT(seconds, 60) << unit;
    EXPECT_FALSE(got.reason.empty());
  }
}

}  // namespace
}  // namespace tritonrl::text
