#include "text/python_tokens.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tritonrl::text {
namespace {

std::string joined(std::string_view code) {
  std::string out;
  for (const PythonToken& token : python_tokens(code)) out += (out.empty() ? "" : "|") + std::string(token.text);
  return out;
}

TEST(PythonTokens, CutsWordsNumbersStringsAndSymbols) {
  EXPECT_EQ(joined("def f(a, b=1e-5):  # why\n\treturn a**2 // b"), "def|f|(|a|,|b|=|1e-5|)|:|return|a|**|2|//|b");
  EXPECT_EQ(joined("x = r'a\\'b' + f\"{y}\" + rb'c'"), "x|=|r'a\\'b'|+|f\"{y}\"|+|rb'c'");
  EXPECT_EQ(joined("x.y[1:.5, 0xE+1]"), "x|.|y|[|1|:|.5|,|0xE|+|1|]");
  EXPECT_EQ(joined("a<<=b>=c!=d->e:=f...g@=h"), "a|<<=|b|>=|c|!=|d|->|e|:=|f|...|g|@=|h");
  EXPECT_EQ(joined("'''a\n'b'\n''' \"\" '#'"), "'''a\n'b'\n'''|\"\"|'#'");
  EXPECT_EQ(joined("x = 'open\ny = 1"), "x|=|'open|y|=|1");
  EXPECT_EQ(joined(""), "");
}

TEST(PythonTokens, KindsFit) {
  const auto tokens = python_tokens("a 1 'b' +");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[0].kind, PythonToken::Kind::kName);
  EXPECT_EQ(tokens[1].kind, PythonToken::Kind::kNumber);
  EXPECT_EQ(tokens[2].kind, PythonToken::Kind::kString);
  EXPECT_EQ(tokens[3].kind, PythonToken::Kind::kSymbol);
}

// Whatever the bytes: tokens lie in the text, in order, none empty.
TEST(PythonTokens, TakesAnyBytes) {
  std::mt19937 random(7);
  const std::string alphabet = "ab1.\"'\\#\n ()=*<>rf\xff{}0xe+-";
  for (int round = 0; round < 3000; ++round) {
    std::string code;
    for (std::size_t i = random() % 60; i > 0; --i) code += alphabet[random() % alphabet.size()];
    const char* at = code.data();
    for (const PythonToken& token : python_tokens(code)) {
      ASSERT_FALSE(token.text.empty());
      ASSERT_GE(token.text.data(), at);
      at = token.text.data() + token.text.size();
      ASSERT_LE(at, code.data() + code.size());
    }
  }
}

}  // namespace
}  // namespace tritonrl::text
