#include "python/code_lines.h"

#include <gtest/gtest.h>

namespace tritonrl::python {
namespace {

TEST(CodeLines, AreThoseThatSaySomething) {
  const CodeLines lines = code_lines(
      "def k(x):  # a kernel\n"
      "\n"
      "    # what it does\n"
      "    y = x  \n"
      "    z = f(y,  # one\n"
      "          # nothing\n"
      "          1)\n"
      "    return z\n"
      "# the end\n");
  EXPECT_EQ(lines.text,
            "def k(x):\n"
            "    y = x\n"
            "    z = f(y,\n"
            "          1)\n"
            "    return z\n");
  EXPECT_EQ(lines.from, (std::vector<int>{0, 3, 4, 6, 7}));
}

TEST(CodeLines, StringsAndContinuedLinesStay) {
  const std::string text =
      "def k(x):\n"
      "    \"\"\"A text  \n"
      "\n"
      "    # of its own\n"
      "    \"\"\"\n"
      "    y = \"# none\" + \\\n"
      "        x\n"
      "    return y\n";
  const CodeLines lines = code_lines(text);
  EXPECT_EQ(lines.text, text);
  EXPECT_EQ(lines.from, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(CodeLines, WhatIsNoPythonStaysAsItIs) {
  const std::string text = "def k(x):\n    y = \"no end  # really\n\n    $\n";
  EXPECT_EQ(code_lines(text).text, text);
}

TEST(CodeLines, OtherCommentsMakeNoOtherText) {
  EXPECT_EQ(code_lines("def k(x):\n    return x  # one\n").text,
            code_lines("def k(x):\n    # two\n\n    return x\n").text);
}

}  // namespace
}  // namespace tritonrl::python
