#include "python/compile_diagnostics.h"

#include <gtest/gtest.h>

namespace tritonrl::python {
namespace {

TEST(CompileDiagnostics, FindsReasonAndLine) {
  const auto found = find_diagnostic("warning: x\nkernel.py:12:8: error: 'tt.dot' op is wrong\n  code\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->reason, "'tt.dot' op is wrong");
  EXPECT_EQ(found->line, 12);
  EXPECT_EQ(find_diagnostic("loc(\"kernel.py\":7:1): error: why")->line, 7);
  EXPECT_EQ(find_diagnostic("error: nowhere")->line, 0);
  EXPECT_EQ(find_diagnostic("/lib/standard.py:30:2: error: elsewhere")->line, 0);
  EXPECT_EQ(find_diagnostic("kernel.py:99999999999999:8: error: far")->line, 0);
  EXPECT_EQ(find_diagnostic("kernel.py: error: ")->reason, "");
}

TEST(CompileDiagnostics, OrdinaryTextIsNone) {
  EXPECT_FALSE(find_diagnostic(""));
  EXPECT_FALSE(find_diagnostic("no errors: all is well\nterror: none\n"));
  EXPECT_FALSE(last_words(""));
  EXPECT_FALSE(last_words("kernel.py:1:1: error: a diagnostic\nbye\n"));
  EXPECT_FALSE(ran_out_of_memory("plenty of memory"));
}

TEST(CompileDiagnostics, LastWordsAreTheLast) {
  EXPECT_EQ(last_words("error: first\nLLVM ERROR: second\nPLEASE submit a bug report\n"), "second");
  EXPECT_EQ(last_words("error: " + std::string(100'000, 'x'))->size(), 1000u);
  EXPECT_TRUE(ran_out_of_memory("LLVM ERROR: out of memory\n"));
  EXPECT_TRUE(ran_out_of_memory("terminate called after throwing an instance of 'std::bad_alloc'\n"));
}

}  // namespace
}  // namespace tritonrl::python
