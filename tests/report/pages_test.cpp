#include "base/error.h"
#include "report/page/html_text.h"
#include "report/page/page.h"
#include "report/page/python_html.h"
#include "tests/report/found_text.h"

namespace tritonrl::report {
namespace {

TEST(HtmlText, LeavesNothingThatIsMarkup) {
  EXPECT_EQ(html_text("<a href='x' b=\"&amp;\">"), "&lt;a href=&#39;x&#39; b=&quot;&amp;amp;&quot;&gt;");
  EXPECT_EQ(html_text("größer 💡\n\t"), "größer 💡\n\t");
}

TEST(HtmlText, ShowsWhatCannotBeShown) {
  EXPECT_EQ(html_text(std::string("a\0\x1b[31m\x80z", 9)), "a\uFFFD\uFFFD[31m\uFFFDz");
  EXPECT_EQ(html_text("x\u202Ey\u2066"), "x[U+202E]y[U+2066]");
}

TEST(HtmlText, IsCutBetweenCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("aüb", 2), "a…");
  EXPECT_EQ(shortened("", 0), "");
}

TEST(PythonHtml, NamesWhatWordsAre) {
  const std::string html = python_html("@triton.jit\ndef f(x):  # 'why'\n    return x @ \"a\" + 1.5");
  EXPECT_EQ(html,
            "<span class=\"line\"><span class=\"d\">@</span><span class=\"d\">triton</span><span class=\"d\">.</span>"
            "<span class=\"d\">jit</span></span>\n"
            "<span class=\"line\"><span class=\"k\">def</span> <span class=\"f\">f</span>(x):  "
            "<span class=\"c\"># &#39;why&#39;</span></span>\n"
            "<span class=\"line\">    <span class=\"k\">return</span> x @ <span class=\"s\">&quot;a&quot;</span> + "
            "<span class=\"n\">1.5</span></span>\n");
}

TEST(PythonHtml, SpansEndWithTheirLine) {
  EXPECT_EQ(python_html("'''a\n<b>\n'''", 2),
            "<span class=\"line\"><span class=\"s\">&#39;&#39;&#39;a</span></span>\n"
            "<span class=\"line marked\"><span class=\"s\">&lt;b&gt;</span></span>\n"
            "<span class=\"line\"><span class=\"s\">&#39;&#39;&#39;</span></span>\n");
}

TEST(PythonHtml, LongTextsAreCut) {
  std::string code;
  for (int i = 0; i < 10; ++i) code += "x = 1\n";
  EXPECT_TRUE(contains(python_html(code, 0, 4), "… 6 more lines"));
  EXPECT_FALSE(contains(python_html(code, 0, 10), "more lines"));
  const std::string line = python_html("x = '" + std::string(1'000'000, 'a') + "'; y = 1");
  EXPECT_LT(line.size(), 5000u);
  EXPECT_TRUE(contains(line, "…"));
}

// Whatever stands in it, a listing is lines of text in spans that are closed.
TEST(PythonHtml, AnyBytesWillDo) {
  const std::string pieces[] = {"<script>",           "'''", "\"", "#", "\n", "@", "def ", "\\", "\xff",
                                std::string(1, '\0'), "f'{", "0x", "\r"};
  std::uint64_t state = 1;
  for (int round = 0; round < 300; ++round) {
    std::string code;
    for (int i = 0; i < 20; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      code += pieces[(state >> 33) % std::size(pieces)];
    }
    std::string html = python_html(code);
    int open = 0;
    for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos; ++at) {
      if (html.compare(at, 13, "<span class=\"") == 0) {
        ++open;
      } else {
        ASSERT_EQ(html.compare(at, 7, "</span>"), 0) << code << "\n" << html;
        ASSERT_GE(--open, 0);
      }
    }
    EXPECT_EQ(open, 0) << code;
  }
}

constexpr const char* kHostile = "<script>alert(1)</script>\" onload='x' `|*[a](b)\n# heading";

// Every kind of block, with hostile text wherever a text goes.
Document hostile_document() {
  Listing listing{.title = kHostile,
                  .facts = {{kHostile, kHostile}},
                  .message = kHostile,
                  .code = std::string("```\n") + kHostile,
                  .marked_line = 1};
  LineChart lines{.title = kHostile,
                  .x_label = kHostile,
                  .curves = {{kHostile, {{1, 1}, {2, 3}}}, {kHostile, {{1, 2}}}},
                  .mark = 2,
                  .mark_name = kHostile};
  AreaChart areas{
      .title = kHostile, .x_label = kHostile, .curves = {{kHostile, {{1, 1}, {2, 3}}}, {kHostile, {{1, 2}}}}};
  BarChart bars{.title = kHostile, .bars = {{.name = kHostile, .value = 1, .text = kHostile}}};
  RatioHistogram histogram{.title = kHostile, .x_label = kHostile, .values = {1, 2, 3}};
  IntervalChart intervals{.title = kHostile, .rows = {{.name = kHostile, .value = 0.5, .low = 0.1, .high = 0.9}}};
  return {
      .title = kHostile,
      .subtitle = kHostile,
      .sections = {{.id = kHostile,
                    .title = kHostile,
                    .blocks = {Heading{kHostile}, Paragraph{kHostile}, Notice{kHostile},
                               Table{.head = {kHostile, kHostile}, .rows = {{kHostile, kHostile}}, .note = kHostile},
                               Highlights{{{kHostile, kHostile, kHostile}}},
                               Charts{{lines, areas, bars, histogram, intervals}}, listing}}}};
}

// The names of all attributes and elements of a page are our own: hostile text has added none.
TEST(HtmlPage, HostileTextStaysText) {
  const std::string page = html_page(hostile_document());
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "onload='"));
  EXPECT_FALSE(contains(page, "\" onload"));
  EXPECT_TRUE(contains(page, "&lt;script&gt;alert(1)"));
  // all scripts are forbidden, whatever stands in it
  EXPECT_TRUE(contains(page, "Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\""));
}

TEST(HtmlPage, NeedsNothingBesideIt) {
  const std::string page = html_page(hostile_document());
  for (const char* part : {"src=", "http://", "https://", "@import", "url(", "<link", "<iframe"})
    EXPECT_FALSE(contains(page, part)) << part;
}

TEST(MarkdownPage, HostileTextStaysText) {
  const std::string page = markdown_page(hostile_document());
  EXPECT_FALSE(contains(page, "\n# heading\n\n## "));  // the only headings are ours
  EXPECT_TRUE(contains(page, "\\<script\\>"));
  EXPECT_TRUE(contains(page, "\\[a\\](b)"));
  // the code's own fence is shorter than the one around it
  EXPECT_TRUE(contains(page, "````python\n```\n")) << page;
  EXPECT_EQ(unfenced(page).find("\n<"), std::string::npos);
  EXPECT_EQ(count_of(unfenced(page), "<"), count_of(unfenced(page), "\\<"));
}

TEST(MarkdownPage, TablesHaveAColumnEach) {
  const Document document{
      .title = "t",
      .subtitle = "s",
      .sections = {{.id = "i", .title = "x", .blocks = {Table{.head = {"a", "b"}, .rows = {{"1|2", "3"}, {"only"}}}}}}};
  EXPECT_EQ(markdown_page(document),
            "# t\n\ns\n\n## x\n\n| a    | b   |\n|------|----:|\n| 1\\|2 | 3   |\n| only |     |\n");
}

TEST(Pages, NothingGivesAPage) {
  EXPECT_TRUE(contains(html_page({}), "</html>"));
  EXPECT_FALSE(markdown_page({}).empty());
}

}  // namespace
}  // namespace tritonrl::report
