#include "python/kernel_text.h"

#include <gtest/gtest.h>

namespace tritonrl::python {
namespace {

program::Kernel kernel() {
  program::Kernel out;
  out.name = "k";
  out.functions = {{"k", "def k(x):\n    y = helper(x)\n    tl.store(x, y)\n", {0, 10}},
                   {"helper", "def helper(x):\n    return x + SHIFT", {1, 3}}};
  out.constants = {{"SHIFT", "tl.constexpr(2)"}};
  out.imports = {{"exp", "triton.language:exp"}, {"tl", "triton.language"}};
  return out;
}

std::string failure_of(const program::Kernel& given) {
  const base::Result<KernelText> text = compose(given);
  return text.ok() ? "" : text.error();
}

TEST(KernelText, HoldsImportsConstantsAndFunctions) {
  const base::Result<KernelText> text = compose(kernel());
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text.value().text,
            "from triton import jit as _tritonrl_jit\n"
            "import triton.language as tl\n"
            "SHIFT = tl.constexpr(2)\n"
            "from triton.language import exp as exp\n"
            "import triton.language as tl\n"
            "\n"
            "@_tritonrl_jit\n"
            "def k(x):\n"
            "    y = helper(x)\n"
            "    tl.store(x, y)\n"
            "\n"
            "@_tritonrl_jit\n"
            "def helper(x):\n"
            "    return x + SHIFT\n");
}

TEST(KernelText, LeadsBackToTheUsersLines) {
  const base::Result<KernelText> text = compose(kernel());
  ASSERT_TRUE(text.ok());
  const KernelText& t = text.value();
  EXPECT_EQ(t.original(8), (program::SourceLine{0, 10}));
  EXPECT_EQ(t.original(10), (program::SourceLine{0, 12}));
  EXPECT_EQ(t.original(13), (program::SourceLine{1, 3}));
  EXPECT_EQ(t.original(14), (program::SourceLine{1, 4}));
  for (const int line : {-1, 0, 1, 7, 11, 12, 15, 1000}) EXPECT_EQ(t.original(line), program::SourceLine{}) << line;
  EXPECT_EQ(t.code(9), "y = helper(x)");
  EXPECT_EQ(t.code(14), "return x + SHIFT");
  for (const int line : {-1, 0, 15, 16, 1000}) EXPECT_EQ(t.code(line), "") << line;
  ASSERT_NE(t.function_at(14), nullptr);
  EXPECT_EQ(t.function_at(14)->name, "helper");
  EXPECT_EQ(t.function_at(7), nullptr);
}

TEST(KernelText, LeavesCommentsOutAndKnowsTheLinesStill) {
  program::Kernel commented = kernel();
  commented.functions[0].source = "def k(x):\n    # first\n\n    y = helper(x)  # then\n    tl.store(x, y)\n";
  const base::Result<KernelText> text = compose(commented);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text.value().text, compose(kernel()).value().text);
  EXPECT_EQ(text.value().original(8), (program::SourceLine{0, 10}));
  EXPECT_EQ(text.value().original(9), (program::SourceLine{0, 13}));
  EXPECT_EQ(text.value().original(10), (program::SourceLine{0, 14}));
}

TEST(KernelText, ANameThatOnlyConstantsUseIsGoneAfterThem) {
  program::Kernel given = kernel();
  given.imports.clear();
  const base::Result<KernelText> text = compose(given);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text.value().text.find("SHIFT = tl.constexpr(2)\ndel tl\n"), std::string::npos) << text.value().text;
}

TEST(KernelText, LineEndsAreCountedAsPythonCountsThem) {
  program::Kernel given = kernel();
  given.functions[0].source = "def k(x):\r\n    y = helper(x)\r    tl.store(x, y)\r\n";
  const base::Result<KernelText> text = compose(given);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text.value().text, compose(kernel()).value().text);
}

TEST(KernelText, RefusesWhatIsNoKernel) {
  program::Kernel none = kernel();
  none.functions.clear();
  EXPECT_NE(failure_of(none).find("no function"), std::string::npos);

  for (const char* source :
       {"", "x = 3\ndef k(x): pass", "@evil\ndef k(x): pass", " def k(x): pass", "class k: pass"}) {
    program::Kernel given = kernel();
    given.functions[0].source = source;
    EXPECT_NE(failure_of(given).find("source of k"), std::string::npos) << source;
  }
  for (const auto& [name, origin] :
       {std::pair{"os", "os"}, std::pair{"x", "os.path:join"}, std::pair{"t", "torch"}, std::pair{"t", "tritonic"},
        std::pair{"a b", "triton"}, std::pair{"a", "triton;os"}, std::pair{"a", "triton:b c"}, std::pair{"a", ""},
        std::pair{"a", "triton..x"}, std::pair{"a", "triton\nimport os"}, std::pair{"a", "triton:*"}}) {
    program::Kernel given = kernel();
    given.imports = {{name, origin}};
    EXPECT_NE(failure_of(given).find("import of"), std::string::npos) << name << " " << origin;
  }
  for (const auto& [name, value] : {std::pair{"A", "1\nimport os"}, std::pair{"A\rB", "1"}, std::pair{"", "1"},
                                    std::pair{"1A", "1"}, std::pair{"A.b", "1"}}) {
    program::Kernel given = kernel();
    given.constants = {{name, value}};
    EXPECT_NE(failure_of(given).find("no literal"), std::string::npos) << name;
  }
  program::Kernel long_one = kernel();
  long_one.functions[0].source += std::string(5 << 20, ' ');
  EXPECT_NE(failure_of(long_one).find("bytes of source"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::python
