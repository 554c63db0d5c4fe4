#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/text/answer_files.h"
#include "text/extract_code.h"

namespace tritonrl::text {
namespace {

std::string per_line(std::string_view code, const std::function<std::string(std::string_view)>& edit) {
  std::string out;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = code.find('\n', at);
    out += edit(code.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

std::string prefixed(std::string_view code, std::string_view prefix) {
  return per_line(code, [&](std::string_view line) { return std::string(prefix).append(line); });
}

std::string escaped(std::string_view code, const std::vector<std::pair<char, std::string_view>>& escapes) {
  std::string out;
  for (char c : code) {
    std::string one(1, c);
    for (const auto& [from, to] : escapes) {
      if (c == from) one = to;
    }
    out += one;
  }
  return out;
}

std::string json_string(std::string_view code) {
  return "\"" + escaped(code, {{'\n', "\\n"}, {'"', "\\\""}, {'\\', "\\\\"}, {'\t', "\\t"}}) + "\"";
}

std::string html(std::string_view code) {
  return escaped(code, {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

constexpr std::string_view kDraft =
    "```python\nclass ModelNew(nn.Module):\n    def forward(self, x):\n        return x\n```\n";

struct Coat {
  std::string_view name;
  std::function<std::string(const std::string&)> wrap;
};

const std::vector<Coat>& coats() {
  static const std::vector<Coat> kCoats = {
      {"fence", [](const std::string& c) { return "Here:\n\n```python\n" + c + "```\n\nIt's fast.\n"; }},
      {"bare fence", [](const std::string& c) { return "Here:\n\n```\n" + c + "```\n"; }},
      {"tildes", [](const std::string& c) { return "~~~py\n" + c + "~~~\n"; }},
      {"long fence", [](const std::string& c) { return "`````python\n" + c + "`````\n"; }},
      {"unclosed", [](const std::string& c) { return "Here:\n\n```python\n" + c; }},
      {"list", [](const std::string& c) { return "1. Code:\n\n" + prefixed("```python\n" + c + "```\n", "   "); }},
      {"quote", [](const std::string& c) { return "> Code:\n" + prefixed("```python\n" + c + "```\n", "> "); }},
      {"diff", [](const std::string& c) { return "```diff\n" + prefixed(c, "+") + "```\n"; }},
      {"json", [](const std::string& c) { return "{\"why\": \"a\\nb\", \"code\": " + json_string(c) + "}"; }},
      {"html", [](const std::string& c) { return "<p>So:</p><pre><code>" + html(c) + "</code></pre>"; }},
      {"answer", [](const std::string& c) { return "<answer>\n```python\n" + c + "```\n</answer><|im_end|>"; }},
      {"plain", [](const std::string& c) { return "Here is the file.\n\n" + c; }},
      {"plain, prose", [](const std::string& c) { return "Here is the file.\n\n" + c + "\nThis is fast.\n"; }},
      {"thinking",
       [](const std::string& c) { return "<think>\n" + std::string(kDraft) + "</think>\n```python\n" + c + "```\n"; }},
      {"draft", [](const std::string& c) { return std::string(kDraft) + "Better:\n\n```python\n" + c + "```\n"; }},
      {"usage",
       [](const std::string& c) {
         return "```python\n" + c + "```\n\n```python\nmodel = ModelNew()\nprint(model(x))\n```\n";
       }},
  };
  return kCoats;
}

// Every code of the answers comes out of every coat as it went in.
TEST(ExtractCodeCoats, TheCodeComesOutAsItWentIn) {
  for (const AnswerFile& file : read_answer_files()) {
    bool partial = false;
    for (std::string_view flaw : {"not defined", "cut off", "no forward"}) {
      partial |= file.reason.find(flaw) != std::string::npos;
    }
    if (!file.found || partial) continue;
    for (const Coat& coat : coats()) {
      ExtractedCode got = extract_code(coat.wrap(file.code));
      EXPECT_EQ(got.code, file.code) << file.name << " as " << coat.name << ": " << got.reason;
    }
  }
}

}  // namespace
}  // namespace tritonrl::text
