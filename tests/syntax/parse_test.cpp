#include "syntax/parse.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "syntax/unparse.h"
#include "tests/python/test_syntax.h"
#include "tests/syntax/library_files.h"

namespace tritonrl::syntax {
namespace {

std::string difference(const SyntaxNode* a, const SyntaxNode* b, bool places);

// Where two values differ; empty: nowhere.
std::string difference(const SyntaxValue& a, const SyntaxValue& b, bool places) {
  if (a.index() != b.index()) return "of another type";
  if (const auto* node = std::get_if<const SyntaxNode*>(&a))
    return difference(*node, std::get<const SyntaxNode*>(b), places);
  if (const auto* nodes = std::get_if<std::vector<const SyntaxNode*>>(&a)) {
    const auto& others = std::get<std::vector<const SyntaxNode*>>(b);
    if (nodes->size() != others.size()) return "of another length";
    for (std::size_t i = 0; i < nodes->size(); ++i) {
      if (std::string found = difference((*nodes)[i], others[i], places); !found.empty())
        return "[" + std::to_string(i) + "]" + found;
    }
    return "";
  }
  return a == b ? "" : "of another value";
}

std::string difference(const SyntaxNode* a, const SyntaxNode* b, bool places) {
  if (a == nullptr || b == nullptr) return a == b ? "" : "absent";
  const auto where = [](const SyntaxNode& n) {
    return std::to_string(n.line) + ":" + std::to_string(n.column) + "-" + std::to_string(n.end_line) + ":" +
           std::to_string(n.end_column);
  };
  if (a->kind != b->kind) return "a " + std::string(a->kind) + " for a " + std::string(b->kind) + " at " + where(*b);
  if (places && where(*a) != where(*b)) return std::string(a->kind) + " at " + where(*a) + " for " + where(*b);
  if (a->fields.size() != b->fields.size()) return "with other fields";
  // Places within f-strings are those of Python 3.11.
  static const bool kSamePlaces = python_is_3_11();
  const bool inner = places && (kSamePlaces || !a->is("JoinedStr"));
  for (std::size_t i = 0; i < a->fields.size(); ++i) {
    if (a->fields[i].first != b->fields[i].first) return "with a field " + std::string(a->fields[i].first);
    if (std::string found = difference(a->fields[i].second, b->fields[i].second, inner); !found.empty())
      return "." + std::string(a->fields[i].first) + " " + found + " at " + where(*b);
  }
  return "";
}

void expect_pythons(std::string_view text) {
  SyntaxArena arena;
  const Parsed ours = parse(text, arena);
  const python::ParsedSource pythons = python::parse_text(text);
  ASSERT_TRUE(pythons.tree) << text << "\n" << pythons.error;
  ASSERT_NE(ours.module, nullptr) << text << "\nline " << ours.line << ": " << ours.error;
  EXPECT_EQ(difference(ours.module, &pythons.tree->root(), true), "") << text;
}

TEST(Parse, GivesPythonsTreeOfItsLibrary) {
  const std::vector<LibraryFile> files = library_files(/*deep=*/false);
  ASSERT_GT(files.size(), 100u);
  std::vector<std::string_view> texts;
  for (const LibraryFile& file : files) texts.push_back(file.text);
  const std::vector<python::ParsedSource> pythons = python::test_syntax().parse(texts);
  std::size_t refused = 0;
  SyntaxArena arena, second;
  for (std::size_t i = 0; i < files.size(); ++i) {
    ASSERT_TRUE(pythons[i].tree) << files[i].path << ": " << pythons[i].error;
    arena.clear();
    const Parsed ours = parse(files[i].text, arena);
    if (ours.module == nullptr) {
      ++refused;
      std::cout << files[i].path << ":" << ours.line << ": " << ours.error << "\n";
      continue;
    }
    EXPECT_EQ(difference(ours.module, &pythons[i].tree->root(), true), "") << files[i].path;
    const std::string normal = unparse(*ours.module);
    EXPECT_EQ(normal, unparse(pythons[i].tree->root())) << files[i].path;
    second.clear();
    const Parsed repeated = parse(normal, second);
    if (repeated.module == nullptr) {
      // What Python's unparse writes is not always what it reads, see f-strings.
      EXPECT_FALSE(python::parse_text(normal).tree) << files[i].path << ":" << repeated.line << ": " << repeated.error;
      continue;
    }
    EXPECT_EQ(unparse(*repeated.module), normal) << files[i].path;
  }
  std::cout << refused << " of " << files.size() << " files refused\n";
  EXPECT_LT(refused * 10, files.size());
}

TEST(Parse, GivesPythonsTreeOfEveryConstruct) {
  for (
      const std::string_view text : {
          "",
          "\n\n# only a comment",
          "a;b ;c;\nif x: y;\nz",
          "x, = y = *a, b = [c, *d] = (e) = (f, (g)) = [] = () = yield",
          "x: int\n(x): int = 1\nx.y: z = yield 1\nx[0]: a = 1, *b",
          "x += 1; (x) @= y,; x.y[z] **= yield; x <<= 1; x >>= 2; x //= 3; x |= x ^ x & ~x",
          "return a, *b\nreturn\nyield\nyield a, b\nyield from c\nawait x ** await y",
          "del a, (b), [c, d], (e, f), g.h, i[j],",
          "raise\nraise A\nraise A(b) from c\nassert a\nassert a, b\nglobal a, b\nnonlocal c\npass\nbreak\ncontinue",
          "import a, b.c as d\nfrom a.b import c\nfrom .. import (a, b as c,)\nfrom ...a import *\nfrom .... import x",
          "if a: pass\nelif (b := c): d\nelif e:\n\tf\nelse:\n        g\nwhile a: b\nelse: c",
          "for a, *b in c, *d: e\nelse: f\nfor x, in y: pass\nfor (x.y), z[0] in w: pass\nfor (i) in j: k",
          "with a: b\nwith a as b, c as (d, e): f\nwith (a, b): c\nwith (a as b, c as d,): e\nwith (a, b) as c: d\n"
          "with (a): b\nwith (yield): b\nwith (a for a in b): c\nwith (a).b as c: d\nwith (a), (b): c\n"
          "with a as b.c: d\nwith (a, *b): c\nwith (a := b): c\nwith (): c",
          "try: a\nexcept: b\ntry: a\nfinally: b\ntry: a\nexcept (A, B) as c: d\nexcept D: e\nelse: f\nfinally: g\n"
          "try: a\nexcept* A: b\nexcept *B as c: d",
          "async def f(): \n  async for x in y: pass\n  async with a as b: pass\n  return [i async for i in j]",
          "@a\n@b.c(d)\n@(e := f)\ndef g(): pass\n@h\nclass I: pass\n@j\nasync def k(): pass",
          "class A: pass\nclass A(): pass\nclass A(B, *c, d=e, **f): 'x'",
          "def f(a, b: c, /, d=1, *, e, f: g = 2, **h: i) -> j: pass\ndef f(*a: *b): pass\ndef f(a, /): pass\n"
          "def f(a=1, /, b=2, *c,): pass\ndef f(*, a,): pass\ndef f(a, /, *b, **c,): pass",
          "lambda: 0\nlambda a, /, b=1, *c, d, e=2, **f: (a, lambda: b)\nlambda *a: a\nlambda **a: a\nlambda *, a: a",
          "a if b else c if d else e\nnot not a\na or b or c and d and not e\n(a or b) or c",
          "a < b == c != d is e is not f in g not in h >= i <= j > k",
          "a | b ^ c & d << e >> f + g - h * i / j // k % l @ m ** -n ** o\n(a + b) * (c)\n-(-a) + +~b",
          "a.b(c)[d](e, *f, g=h, *i, **j, k=l, **m).n\na(b for c in d)\na((b for c in d), e)\na(b := 1)\na(*b or c)",
          "a[b]\na[b:c]\na[:]\na[::]\na[b:c:d, ..., None, :e]\na[b,]\na[*b]\na[*b, c:d]\na[(b, c)]\na[b:=1]\na[()]",
          "*a\nprint *a,\n()\n(a)\n(a,)\n(a, *b,)\n[]\n[a]\n[*a, b,]\n{}\n{a}\n{*a, b}\n{a: b}\n{**a, b: c, **d | "
          "e,}\n((a))\n(yield)",
          "[a for b in c if d if e for f, in g]\n{a for b in c}\n{a: b for c in d}\n(a := b for c in d or e)\n"
          "[(lambda: a) for b in c if (d if e else f)]",
          "0, 00, 0_0, 1_000, 0xFF, 0X_f, 0o17, 0b1_0, 9223372036854775807, 9223372036854775808, 0xFFFFFFFFFFFFFFFFF",
          "1., .5, 1.5e3, 1e-5, 1E+5, 0_1.5, 1e400, 1e-400, 0.0, 5e-324, 1_0.0_1e1_0, 012.5, 09e1, 1j, 0J, 1.5e3j",
          "1e400j, 123456789012345678.0, 1e16, 1e15, 1e22, 1e23, 0.1, 1e-4, 0.00001, 2.5e-310",
          R"('a' "b" '''c
d''' """e""" r'\n' R"\"" u'f' 'g\
h')",
          "u'a' 'b'\n'a' u'b'\nU'a'",
          R"('\a\b\f\n\r\t\v\\\'\"\0\12\777\x41\u00e9\U0001F600\q\ud800\ud83d\ude00')",
          R"(b'a\x00\xff\u00e9' B"b" rb'\n' bR'\x' b'\777')",
          R"(f'' f'a{b}c' 'd' f"{e!r}{f!s:>10}{g:{h}.{i}}{{j}}" F'{k}' rf'\{l}' fr'{m}\n')",
          R"(f'{a, b}' f'{ {c: d}[e] }' f'{(lambda: f)}' f'{g if h else i}' f'{j:=5}' f'{k!=l}' f'{*m, n}' f'{yield}')",
          R"(f'{a=}' f'{b = }' f'{c=!s}' f'{d=:3}' f'x{e= :{f=}}y' f'{g for h in i}' f'{j["k:l"]}' f'{m < n > o == p}')",
          R"(f'''a
{b}
  {
c}
{d +
 e} {f:
}'''
x = (f'{a}'
     'b' f'c{d:e{f}g}'
  u'h'))",
          "x = f'a\\\n{b}' + f'\\x41\\n{c}' + f'{d:\\x41}' + f'\\{e}'",
          "a = \\\n  b\nif a and \\\n   b: c\nx = (a,  # comment\n\n  b\n)",
          "if a:\n\tb\n\tif c:\n\t\td\n\f\ne",
          "a = '''b\r\nc'''\r\nif f:\r\n  g\rh",
          "match = 1; case = match; match.x; match(x)[case]; _ = type\nprint(match, case)",
          "x = 'caf\xC3\xA9'; y = '\xE2\x82\xAC' + z  # \xF0\x9F\x98\x80\nf'\xC3\xA9{a}\xC3\xA9{b}'",
      })
    expect_pythons(text);
}

TEST(Parse, RefusesWhatPythonRefuses) {
  for (const std::string_view text : {
           "x = (",
           "x = )",
           "x = (]",
           "x = 'a",
           "x = '''a",
           "a b",
           "a = = b",
           "f(a=1, b)",
           "f(**a, *b)",
           "f(a for b in c, d)",
           "def f(a=1, b): pass",
           "def f(*): pass",
           "def f(*, **a): pass",
           "def f(**a, b): pass",
           "def f(/): pass",
           "def f():",
           "def f():\npass",
           "if a:\n  b\n c",
           "  a",
           "a\n  b",
           "if a:\n\tb\n        c",
           "if a:\n  \tif b:\n    \tc",
           "1 = a",
           "f() = a",
           "a + b += c",
           "(a, b) += c",
           "(a, b): int",
           "a, b: int",
           "a if b",
           "lambda a: int: b",
           "for a + b in c: d",
           "del a + b",
           "del *a",
           "with a as 1: b",
           "try: a",
           "try: a\nelse: b",
           "try: a\nexcept* A: b\nexcept B: c",
           "class A(b for c in d): pass",
           "(*a)",
           "{a: b, c}",
           "{a, b: c}",
           "[*a for b in c]",
           "{**a for b in c}",
           "a[]",
           "012",
           "0x",
           "1__0",
           "1_",
           "1a",
           "b'\xC3\xA9'",
           "'a' b'b'",
           "'\\x4'",
           "'\\U00110000'",
           "f'{'",
           "f'}'",
           "f'{}'",
           "f'{a b}'",
           "f'{a!x}'",
           "f'{a:{b:{c}}}'",
           "f'{\"\\n\"}'",
           "f'{a#}'",
           "f'{lambda: 1}'",
           "a \\ b",
           "a \\",
           "a ? b",
           "a ! b",
           "$",
           "not",
           "a not b",
           "import",
           "from . import",
           "from a import (b",
           "import a.",
           "from a import b,",
           "global",
           "return = 1",
           "True = 1",
           "None += 1",
           "async x",
           "@a\nx",
           "else: a",
           "x = yield = a",
           "a := 1",
           "f(a.b=1)",
           "f(a=b for c in d)",
           "a[b:=1:c]",
           "{a := b: c}",
           "\xEF\xBB\xBF"
           "a",
       }) {
    SyntaxArena arena;
    const bool accepted = python::parse_text(text).tree.has_value();
    const Parsed ours = parse(text, arena);
    if (accepted) {
      ADD_FAILURE() << "Python accepts " << text;
    } else {
      EXPECT_EQ(ours.module, nullptr) << text;
      EXPECT_FALSE(ours.error.empty());
      EXPECT_GT(ours.line, 0) << text;
    }
  }
  SyntaxArena arena;
  EXPECT_EQ(parse(std::string_view("a\0b", 3), arena).module, nullptr);
  EXPECT_EQ(parse("'\xff'", arena).module, nullptr);
  const Parsed second = parse("x = 1\ny = 2 3\n", arena);
  EXPECT_EQ(second.line, 2);
  EXPECT_EQ(second.error, "'3' where the end of the statement should stand");
}

// Texts are changed at random; what we still read must be what Python reads.
TEST(Parse, NeverReadsWhatPythonReadsOtherwise) {
  const std::vector<LibraryFile> files = library_files(/*deep=*/false);
  ASSERT_FALSE(files.empty());
  std::mt19937_64 random(7);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  constexpr std::string_view kPieces[] = {"(",  ")",      "[",     "]",      "{", "}",    ":",   ",",    "=",
                                          ":=", "*",      "**",    "\n",     " ", "    ", "if ", "else", "f'",
                                          "'",  "\"\"\"", "\\",    "@",      "/", "->",   "not", "in",   "for ",
                                          "1",  ".",      "yield", "lambda", "#", ";"};
  std::vector<std::string> texts;
  while (texts.size() < 4000) {
    const std::string& whole = files[pick(files.size())].text;
    if (whole.size() < 100) continue;
    std::size_t begin = whole.rfind('\n', pick(whole.size()));
    begin = begin == std::string::npos ? 0 : begin + 1;
    std::size_t end = whole.find('\n', std::min(whole.size() - 1, begin + 50 + pick(600)));
    std::string text = whole.substr(begin, end == std::string::npos ? end : end - begin + 1);
    for (std::size_t changes = 1 + pick(3); changes > 0; --changes) {
      const std::size_t at = pick(text.size() + 1);
      switch (pick(4)) {
        case 0:
          text.insert(at, kPieces[pick(std::size(kPieces))]);
          break;
        case 1:
          text.erase(at, 1 + pick(4));
          break;
        case 2:
          text.insert(at, text.substr(pick(text.size() + 1), pick(20)));
          break;
        default:
          text.resize(text.size() - pick(text.size() / 8 + 1));
      }
    }
    SyntaxArena arena;
    const Parsed ours = parse(text, arena);
    EXPECT_EQ(ours.module == nullptr, !ours.error.empty());
    if (ours.module != nullptr) texts.push_back(text);
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const std::vector<python::ParsedSource> pythons = python::test_syntax().parse(views);
  SyntaxArena arena;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    arena.clear();
    const Parsed ours = parse(texts[i], arena);
    if (!pythons[i].tree) {
      ADD_FAILURE() << "Python refuses: " << pythons[i].error << " in line " << pythons[i].line << " of\n" << texts[i];
    } else {
      EXPECT_EQ(difference(ours.module, &pythons[i].tree->root(), true), "") << texts[i];
    }
  }
}

TEST(Parse, LimitsDepth) {
  SyntaxArena arena;
  const auto repeated = [](std::string_view part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
  };
  for (const std::string_view part :
       {"(", "[", "{", "a[", "a(", "-", "not ", "lambda: ", "a if b else ", "a ** ", "(yield ", "f'{"}) {
    EXPECT_EQ(parse(repeated(part, 100'000) + "a", arena).module, nullptr) << part;
  }
  for (const std::string_view part : {".a", "()", "[a]", "+a", "*a"})
    EXPECT_EQ(parse("a" + repeated(part, 100'000), arena).module, nullptr) << part;
  EXPECT_EQ(parse(repeated("(", 100) + "a" + repeated("+a)", 100), arena).error, "");
  // A long chain in the first operand of a long chain, and so on.
  EXPECT_EQ(parse(repeated("(", 100) + "a" + repeated(repeated("+a", 500) + ")", 100), arena).module, nullptr);
  std::string blocks;
  for (int i = 0; i < 200; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "if a:\n";
  EXPECT_EQ(parse(blocks, arena).module, nullptr);
  EXPECT_EQ(parse("if a: b\n" + repeated("elif a: b\n", 100'000), arena).module, nullptr);
  EXPECT_EQ(parse("if a: b\n" + repeated("elif a: b\n", 300), arena).error, "");
  EXPECT_EQ(parse("x = [" + repeated("a.b + c, ", 100'000) + "]", arena).error, "");
}

}  // namespace
}  // namespace tritonrl::syntax
