#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/text/answer_files.h"
#include "text/extract_code.h"

namespace tritonrl::text {
namespace {

constexpr std::string_view kPieces[] = {"```",
                                        "```python\n",
                                        "\n```\n",
                                        "~~~",
                                        "````",
                                        "\"\"\"",
                                        "'''",
                                        "'",
                                        "\"",
                                        "\\",
                                        "\\n",
                                        "\r\n",
                                        "\r",
                                        "\n",
                                        "    ",
                                        "\t",
                                        "\xEF\xBB\xBF",
                                        "\xFF",
                                        "\xC2\xA0",
                                        "\xE2\x80\x8B",
                                        "<think>\n",
                                        "</think>",
                                        "<answer>",
                                        "</answer>",
                                        "<|im_end|>",
                                        "</s>",
                                        "<code>",
                                        "</code>",
                                        "&lt;",
                                        "&quot;",
                                        "> ",
                                        "- ",
                                        "1. ",
                                        ">>> ",
                                        "... ",
                                        "+",
                                        "-",
                                        "@@ ",
                                        "@",
                                        "#",
                                        "(",
                                        ")",
                                        "{\"",
                                        "import torch\n",
                                        "from ",
                                        "class ModelNew",
                                        "class ModelNew(nn.Module):\n",
                                        "def forward(self, x):\n",
                                        "ModelNew = ",
                                        "lambda ",
                                        "for ",
                                        " in ",
                                        "async ",
                                        "global ",
                                        "\f",
                                        "\\u00e9",
                                        "\\ud83d"};

class Mutator {
 public:
  explicit Mutator(std::vector<AnswerFile> files) : files_(std::move(files)) {}

  std::string next() {
    std::string text = any_answer();
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) edit(&text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& any_answer() { return files_[below(files_.size())].answer; }

  void edit(std::string* text) {
    std::size_t at = below(text->size() + 1);
    std::size_t length = below(std::min<std::size_t>(200, text->size() - at) + 1);
    switch (below(7)) {
      case 0:
        text->resize(at);
        break;
      case 1:
        text->erase(0, at);
        break;
      case 2:
        text->erase(at, length);
        break;
      case 3:
        text->insert(at, text->substr(at, length));
        break;
      case 4: {
        const std::string& other = any_answer();
        text->insert(at, other.substr(below(other.size()), below(400)));
        break;
      }
      case 5:
        text->insert(at, 1, static_cast<char>(below(256)));
        break;
      case 6:
        text->insert(at, kPieces[below(std::size(kPieces))]);
        break;
    }
  }

  std::vector<AnswerFile> files_;
  std::mt19937_64 random_{20240607};  // fixed, so that a failure comes back
};

// Decodes without the code under test; accepts just what Python's UTF-8 decoder does.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    auto byte = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u; };
    unsigned lead = byte(0);
    std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    if (length == 0) return false;
    unsigned long code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(k) & 0xC0) != 0x80) return false;
      code = code << 6 | (byte(k) & 0x3F);
    }
    constexpr unsigned long kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += length;
  }
  return true;
}

std::string broken_promise(const ExtractedCode& got) {
  if (got.reason.empty()) return "no reason";
  if (!got.found) return got.code.empty() ? "" : "code without found";
  std::string_view code = got.code;
  if (code.empty() || code.back() != '\n') return "no newline at the end";
  if (code.find_first_not_of(" \t\n") == std::string_view::npos) return "blank code";
  if (code.front() == '\n' || code.ends_with("\n\n")) return "blank lines at an end";
  if (code.find('\r') != std::string_view::npos) return "a carriage return";
  if (code.find('\0') != std::string_view::npos) return "a NUL byte";
  if (code.find("\xEF\xBB\xBF") != std::string_view::npos) return "a byte order mark";
  return is_utf8(code) ? "" : "not UTF-8";
}

TEST(ExtractCodeFuzz, MutatedAnswersKeepThePromises) {
  Mutator mutator(read_answer_files());
  int found = 0;
  constexpr int kRuns = 20'000;
  for (int run = 0; run < kRuns; ++run) {
    std::string answer = mutator.next();
    ExtractedCode got;
    ASSERT_NO_THROW(got = extract_code(answer)) << answer;
    ASSERT_EQ(broken_promise(got), "") << "run " << run << "\nanswer:\n" << answer << "\ncode:\n" << got.code;
    found += got.found;
  }
  // The mutations must leave something to find, or they test little.
  EXPECT_GT(found, kRuns / 2);
}

TEST(ExtractCodeFuzz, EveryPrefixKeepsThePromises) {
  for (const AnswerFile& file : read_answer_files()) {
    for (std::size_t size = 0; size < file.answer.size(); size += 37) {
      ExtractedCode got = extract_code(std::string_view(file.answer).substr(0, size));
      ASSERT_EQ(broken_promise(got), "") << file.name << " cut at " << size << "\ncode:\n" << got.code;
    }
  }
}

}  // namespace
}  // namespace tritonrl::text
