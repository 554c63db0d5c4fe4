#include "base/files.h"
#include "base/json.h"
#include "tests/cli/on_terminal.h"
#include "tests/cli/run_tritonrl.h"
#include "tests/paths.h"

namespace tritonrl::cli {
namespace {

using Terminal = RunTritonrl;

const std::string kProgram = build_path("tritonrl");

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& line : lines_of(text)) longest = std::max(longest, line.size());
  return longest;
}

// In one line, as it was written.
std::string words_of(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : c;
  }
  return out;
}

TEST_F(Terminal, HelpIsAsWideAsIt) {
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"--help"}, {"verify", "--help"}, {"prepare", "--help"}, {"record", "--help"}}) {
    std::vector<std::string> command = {kProgram};
    command.insert(command.end(), verb.begin(), verb.end());
    std::string words;
    for (const int columns : {64, 80, 132, 400}) {
      const Shown shown = run_on_terminal(command, columns);
      EXPECT_EQ(shown.exit_code, 0);
      EXPECT_LE(longest_line(shown.text), static_cast<std::size_t>(columns)) << verb[0] << "\n" << shown.text;
      EXPECT_TRUE(contains(shown.text, "--help")) << shown.text;
    }
  }
  const base::CommandResult piped = tritonrl({"verify", "--help"});
  EXPECT_LE(longest_line(piped.output), 80u) << piped.output;
  EXPECT_TRUE(contains(words_of(piped.output),
                       "--config TOML file with options of this verb by their names; the "
                       "command line wins"))
      << piped.output;
  const base::CommandResult wide = shell("COLUMNS=200 \"$0\" verify --help", {});
  EXPECT_GT(longest_line(wide.output), 80u);
  EXPECT_LE(longest_line(wide.output), 200u);
}

TEST_F(Terminal, GetsNoControlCharacters) {
  const std::string answer = file("answer.md", "```python\nclass ModelNew:\n    name = '\x1b[31mred'\n```\n");
  const Shown refused = run_on_terminal({kProgram, "extract", answer}, 80);
  EXPECT_EQ(refused.exit_code, 2) << refused.text;
  EXPECT_TRUE(contains(refused.text, "control characters, which a terminal would obey; write it to a file"))
      << refused.text;
  EXPECT_EQ(refused.text.find('\x1b'), std::string::npos);
  const base::CommandResult piped = tritonrl({"extract", answer});
  EXPECT_EQ(piped.exit_code, 0) << piped.errors;
  EXPECT_TRUE(contains(piped.output, "\x1b[31mred"));
  EXPECT_EQ(
      run_on_terminal({kProgram, "extract", file("good.md", "```python\nclass ModelNew:\n    \xC3\xA9 = 1\n```\n")}, 80)
          .exit_code,
      0);
}

TEST_F(Terminal, ABatchShowsThatItBegins) {
  const base::Json line = {{"id", 1}, {"task", "class Model:\n  pass\n"}, {"code", "sleep 300 passed"}};
  const std::string in = file("in.jsonl", line.dump() + "\n" + line.dump() + "\n");
  const Shown shown = run_on_terminal({build_path("tests/scripted_batch"), in, folder() + "/out.jsonl"}, 80);
  EXPECT_EQ(shown.exit_code, 0) << shown.text;
  const std::size_t first = shown.text.find("] 0/2 candidates\x1b[K"), last = shown.text.find("] 2/2 candidates");
  EXPECT_NE(first, std::string::npos) << shown.text;
  EXPECT_NE(last, std::string::npos) << shown.text;
  EXPECT_LT(first, last);
}

}  // namespace
}  // namespace tritonrl::cli
