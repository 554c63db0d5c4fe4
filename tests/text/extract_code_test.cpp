#include "text/extract_code.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/text/answer_files.h"

namespace tritonrl::text {
namespace {

class AnswerTest : public testing::TestWithParam<AnswerFile> {};

TEST_P(AnswerTest, GivesTheExpectedCode) {
  const AnswerFile& file = GetParam();
  ExtractedCode got = extract_code(file.answer);
  EXPECT_EQ(got.found, file.found) << "reason: " << got.reason << "\ncode:\n" << got.code;
  EXPECT_EQ(got.code, file.code) << "reason: " << got.reason;
  EXPECT_NE(got.reason.find(file.reason), std::string::npos) << "reason: " << got.reason;
}

// Line ends and marks that an editor would change must not depend on how the file is kept.
TEST_P(AnswerTest, GivesTheSameWithOtherLineEnds) {
  const AnswerFile& file = GetParam();
  for (std::string_view line_end : {"\r\n", "\r"}) {
    std::string bytes = "\xEF\xBB\xBF";
    for (char c : file.answer) {
      if (c == '\n') {
        bytes += line_end;
      } else {
        bytes += c;
      }
    }
    ExtractedCode got = extract_code(bytes);
    EXPECT_EQ(got.code, file.code) << "reason: " << got.reason;
  }
}

// The code of an answer, given as an answer, is the code.
TEST_P(AnswerTest, GivesItsOwnResultAgain) {
  const AnswerFile& file = GetParam();
  if (!file.found) GTEST_SKIP();
  EXPECT_EQ(extract_code("```python\n" + file.code + "```\n").code, file.code);
  EXPECT_EQ(extract_code(file.code).code, file.code);
}

INSTANTIATE_TEST_SUITE_P(Answers, AnswerTest, testing::ValuesIn(read_answer_files()),
                         [](const testing::TestParamInfo<AnswerFile>& file) { return file.param.name; });

TEST(ExtractCode, ThereAreManyAnswers) {
  EXPECT_GE(read_answer_files().size(), 120u);
}

}  // namespace
}  // namespace tritonrl::text
