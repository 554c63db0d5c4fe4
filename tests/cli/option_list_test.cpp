// The list of options, and what is made of it: the page and what shells read.
#include "cli/option_list.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/files.h"
#include "base/subprocess.h"
#include "cli/completion_script.h"
#include "cli/field_options.h"
#include "cli/option_page.h"

namespace tritonrl::cli {
namespace {

constexpr const char* kPolicies[] = {"kernelbench", "strict"};

struct JudgeLike {
  std::string policy = "kernelbench";
  double rtol = 0.5;
  bool live = false, timing = true;
  std::vector<std::string> variations;
  void fields(base::FieldVisitor& field) {
    field("policy", policy, {.help = "it's the rules: [all] of them", .choices = kPolicies});
    field("min_rtol", rtol, {.help = "a|b <c>", .least = 0, .most = 1});
    field("live", live, {.help = "run"});
    field("timing", timing, {.help = "the clock"});
    field("variations", variations, {.help = "of inputs"});
  }
};

class ListedOptions : public ::testing::Test {
 protected:
  ListedOptions() {
    for (const char* name : {"verify", "serve", "eval"}) {
      CLI::App* verb = app_.add_subcommand(name, "does it");
      declare_fields(*verb, judge_);
      verb->add_option("--config", "FILE of options");
    }
    app_.get_subcommand("verify")->add_option("FILE", file_, "the candidate")->required();
    app_.add_subcommand("secret", "of programs")->group("");
    app_.add_subcommand("elsewhere", "of another program")->prefix_command();
  }
  const ListedOption& option(const char* verb, const std::string& name) const {
    for (const ListedVerb& one : list().verbs) {
      if (one.name != verb) continue;
      for (const ListedOption& each : one.options) {
        if (each.name == name) return each;
      }
    }
    throw std::runtime_error(name);
  }
  const OptionList& list() const {
    if (list_.verbs.empty()) list_ = option_list(app_);
    return list_;
  }

  JudgeLike judge_;
  std::string file_;
  CLI::App app_{"a program", "tritonrl"};
  mutable OptionList list_;
};

TEST_F(ListedOptions, SayWhatTheParserKnows) {
  ASSERT_EQ(list().verbs.size(), 3U);
  EXPECT_EQ(list().verbs.front().name, "verify");
  const ListedOption& policy = option("verify", "--policy");
  EXPECT_EQ(policy.choices, (std::vector<std::string>{"kernelbench", "strict"}));
  EXPECT_EQ(policy.type, "TEXT");
  EXPECT_EQ(policy.default_value, "kernelbench");
  EXPECT_EQ(option("verify", "--min-rtol").type, "FLOAT");
  EXPECT_TRUE(option("verify", "--live").flag);
  EXPECT_FALSE(option("verify", "--timing").flag);
  EXPECT_TRUE(option("verify", "--variations").several);
  EXPECT_TRUE(option("verify", "FILE").placed);
  EXPECT_TRUE(option("verify", "FILE").required);
}

TEST_F(ListedOptions, TravelAsJsonAndAreJoined) {
  const base::Result<OptionList> read = base::from_json<OptionList>(base::to_json(list()).dump(), "list");
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(base::to_json(read.value()).dump(), base::to_json(list()).dump());
  OptionList joined = {.verbs = {{.name = "serve", .help = "h", .options = {{.name = "--model"}}}}};
  add_options(joined, list());
  ASSERT_EQ(joined.verbs.size(), 3U);
  EXPECT_EQ(joined.verbs.front().options.size(), 1 + list().verbs[1].options.size());
}

TEST_F(ListedOptions, ThePageHasWhatIsSharedOnce) {
  const std::string page = option_page(list());
  EXPECT_NE(page.find("| `--policy kernelbench\\|strict` | `kernelbench` | it's the rules: [all] of them | verify, "
                      "serve, eval |\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("a\\|b &lt;c>"), std::string::npos);
  EXPECT_NE(page.find("## verify\n\ndoes it\n\n| option | default | meaning |\n|---|---|---|\n| `FILE` | must be given "
                      "| the candidate |\n"),
            std::string::npos)
      << page;
  EXPECT_EQ(page.find("secret"), std::string::npos);
}

// What bash would offer behind these words.
std::string offered(const std::string& script, const std::string& words) {
  const std::string file = ::testing::TempDir() + "/tritonrl_completion_test.bash";
  base::write_file_atomically(file, script);
  const base::CommandResult result =
      base::run_command({"bash", "-c",
                         "source " + file + "; COMP_WORDS=(" + words +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tritonrl; echo \"${COMPREPLY[*]}\""});
  std::filesystem::remove(file);
  EXPECT_EQ(result.errors, "");
  return result.output;
}

TEST_F(ListedOptions, AreCompletedByBash) {
  const std::string script = completion_script(list(), Shell::kBash);
  const struct {
    const char *words, *offered;
  } cases[] = {
      {"tritonrl ''", "verify serve eval --help --version\n"},
      {"tritonrl ver", "verify\n"},
      {"tritonrl verify --", "--policy --min-rtol --live --timing --variations --config --help\n"},
      {"tritonrl verify --pol", "--policy\n"},
      {"tritonrl verify --policy ''", "kernelbench strict\n"},
      {"tritonrl verify --policy = st", "strict\n"},
      {"tritonrl verify --policy =", "kernelbench strict\n"},
      {"tritonrl verify some", "\n"},  // files, by bash itself
      {"tritonrl nothing --", "\n"},
  };
  for (const auto& [words, wanted] : cases) EXPECT_EQ(offered(script, words), wanted) << words;
}

TEST_F(ListedOptions, AreWrittenForOtherShells) {
  const std::string zsh = completion_script(list(), Shell::kZsh), fish = completion_script(list(), Shell::kFish);
  EXPECT_NE(zsh.find("'--policy[it'\\''s the rules\\: \\[all\\] of them]:TEXT:(kernelbench strict)'"),
            std::string::npos)
      << zsh;
  EXPECT_NE(zsh.find("'*--variations[of inputs]:TEXT:_files'"), std::string::npos);
  EXPECT_NE(fish.find("complete -c tritonrl -n '__fish_seen_subcommand_from verify' -l policy -x -a 'kernelbench "
                      "strict' -d 'it\\'s the rules: [all] of them'\n"),
            std::string::npos)
      << fish;
  for (const auto& [shell, script] : {std::pair("zsh", zsh), std::pair("fish", fish)}) {
    const std::string file = ::testing::TempDir() + "/tritonrl_completion_test." + shell;
    base::write_file_atomically(file, script);
    const base::CommandResult result = base::run_command({shell, "-n", file});
    EXPECT_TRUE(!result.started || result.exit_code == 0) << result.errors;
    std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace tritonrl::cli
