#include "syntax/unparse.h"

#include <gtest/gtest.h>

#include "syntax/arena.h"
#include "tests/python/test_syntax.h"
#include "tests/syntax/library_files.h"

namespace tritonrl::syntax {
namespace {

std::string again(std::string_view text) {
  const python::ParsedSource parsed = python::parse_text(text);
  EXPECT_TRUE(parsed.tree) << text << ": " << parsed.error;
  return parsed.tree ? unparse(parsed.tree->root()) : "";
}

TEST(Unparse, IsPythonsOwnByteForByte) {
  if (!python_is_3_11()) GTEST_SKIP() << "the spelling is Python 3.11's";
  const std::vector<LibraryFile> files = library_files(/*deep=*/false);
  ASSERT_GT(files.size(), 100u);
  const std::vector<std::string> expected = unparsed_by_python(files);
  ASSERT_EQ(expected.size(), files.size());
  std::vector<std::string_view> texts;
  for (const LibraryFile& file : files) texts.push_back(file.text);
  const std::vector<python::ParsedSource> parsed = python::test_syntax().parse(texts);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    ASSERT_TRUE(parsed[i].tree) << files[i].path << ": " << parsed[i].error;
    if (expected[i] == "refused") continue;
    const std::string got = unparse(parsed[i].tree->root());
    bytes += got.size();
    EXPECT_TRUE(got == expected[i]) << files[i].path;
  }
  std::cout << files.size() << " files, " << bytes << " bytes\n";
}

// Python writes each as it stands here.
TEST(Unparse, KeepsWhatIsNormal) {
  if (!python_is_3_11()) GTEST_SKIP() << "the spelling is Python 3.11's";
  for (const std::string_view text : {
           "x = (1,)\na, b = (b, a)\nfor i, j in (1, 2):\n    pass\nelse:\n    x[1:2, ::3, ...] += ()",
           "x = (a + b) * c ** (-d) - (e - f) @ g // h % i",
           "x = -(-1) ** (-2) ** 0.5 - (a - b) + (a + b) + (c ** d) ** e",
           "x = not (a and b or c) and (not d == e)",
           "x = (yield)\ny = (yield a)\nawait f()\nyield from g()",
           "y = [i async for i in a if (b if c else d)]",
           "f(*a, b=1, **c)(lambda: 0, lambda x, /, y=2, *z, w, v=3, **u: x)",
           "def f(a, /, b: int=1, *args: int, c, d='x', **k) -> None:\n    \"\"\"text\"\"\"\n    return",
           "@a.b\n@c(1)\nclass A(B, metaclass=C):\n    'x'[0]\n\n    def f(self):\n        pass",
           "try:\n    pass\nexcept (A, B) as e:\n    raise X from e\nexcept:\n    raise\nelse:\n    pass\nfinally:\n"
           "    del a, b[0]",
           "with a as b, c:\n    global x, y\nwhile (x := f()):\n    break",
           "if a:\n    pass\nelif b:\n    pass\nelse:\n    if c:\n        pass\n    continue",
           "from ..a import b as c, d\nimport x.y as z\nfrom . import *",
           "x = {**a, 'b': 1, **c | d}\ny = {1, *z}\nw = {*()}\nv = {k: v for k, v in x}",
           "x = f'{a!r:>{w}}' + f\"{d['k']}\" + f'{{}}{x}\\n' + f'{ {1: 2}}' + f'{(lambda: 1)}'",
           "x = 1 .real + True .real + 1.0.real + 1e-06 + 1e309 + 1e+16 + 123456789012345.0 + 0.0001",
           "x = 3j + 1.5j + 98765432109876543210 + b'\\x00\\'\"' == u'a' != ...",
           "x: int = 1\n(y): int\nz.a: str = 'it\\'s \"'\nassert a, 'b'",
           "x = \"it's\" + '\\x7f\\u200b\\U000e0001\xC3\xA9\\ud800\\n'",
           "\"\"\"a\n'''\nb\"\"\"",
           "match a:\n    case {'k': [1, *_], **r} if b:\n        pass\n    case A(x, y=B() | None as c) | -1:\n"
           "        pass\n    case _:\n        pass",
       })
    EXPECT_EQ(again(text), text);
  EXPECT_EQ(again("x=(1,2);y=a[1,];z=a[(1,2)]"), "x = (1, 2)\ny = a[1,]\nz = a[1, 2]");
}

TEST(Unparse, WritesWhatTheArenaMakes) {
  SyntaxArena arena;
  const SyntaxNode* call = arena.call(arena.dotted("torch.nn.functional.gelu"), {arena.name("x"), arena.integer(-2)},
                                      {{"approximate", arena.text("tanh")}});
  const SyntaxNode* sum = arena.binary(arena.binary(call, "Add", arena.real(-0.5)), "Mult", arena.none());
  EXPECT_EQ(unparse(*sum), "(torch.nn.functional.gelu(x, -2, approximate='tanh') + -0.5) * None");
  const SyntaxNode* module = arena.module({arena.assign(arena.name_target("y"), arena.tuple({sum, arena.truth(true)})),
                                           arena.assign(arena.dotted("self.y"), arena.name("y")),
                                           arena.give_back(arena.integer(std::numeric_limits<std::int64_t>::min()))});
  EXPECT_EQ(unparse(*module),
            "y = ((torch.nn.functional.gelu(x, -2, approximate='tanh') + -0.5) * None, True)\nself.y = y\n"
            "return -9223372036854775808");
  std::string out = "#\n";
  unparse_to(*module->nodes("body")[1], out, 2);
  EXPECT_EQ(out, "#\n        self.y = y");

  SyntaxNode& copy = arena.copy(*sum);
  copy.fields[1].second = SyntaxArena::bare("Div");
  EXPECT_NE(unparse(copy), unparse(*sum));
  EXPECT_TRUE(arena.real(-0.0)->is("UnaryOp") && arena.integer(-1)->is("UnaryOp"));  // as Python reads them
  EXPECT_TRUE(module->nodes("body")[1]->nodes("targets")[0]->node("ctx")->is("Store"));
  arena.clear();
  const SyntaxNode* first = &arena.make("Pass");
  arena.name("x");
  arena.clear();
  EXPECT_EQ(&arena.make("Pass"), first);
  EXPECT_EQ(unparse(*arena.name("again")), "again");
}

}  // namespace
}  // namespace tritonrl::syntax
