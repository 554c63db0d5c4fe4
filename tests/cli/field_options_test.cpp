#include "cli/field_options.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "cli/config_file.h"

namespace tritonrl::cli {
namespace {

constexpr const char* kColours[] = {"red", "blue"};

struct Inner {
  double share = 0.5;
  void fields(base::FieldVisitor& field) { field("share", share, {.help = "a part", .least = 0, .most = 1}); }
};

struct Options {
  int timing_num_trials = 50;
  std::string colour = "red";
  bool live = false, staged = true, decontaminate = true;
  std::vector<std::string> names = {"a", "b"};
  std::optional<std::uint64_t> seed;
  Inner inner;
  int hidden = 1;
  void fields(base::FieldVisitor& field) {
    field("timing_num_trials", timing_num_trials, {.help = "measured runs", .least = 1, .most = 100});
    field("colour", colour, {.choices = kColours});
    field("live", live);
    field("staged", staged);
    field("decontaminate", decontaminate, {.option = "no_decontaminate", .inverse = true});
    field("names", names);
    field("seed", seed);
    field("inner", inner);
    field("hidden", hidden, {.settable = false});
  }
};

// The command line of a program with two verbs, of which `verify` has the options above and a file.
struct Program {
  CLI::App app;
  Options options;
  std::string file;
  bool ran = false;

  Program() {
    CLI::App* verb = app.add_subcommand("verify", "");
    declare_fields(*verb, options);
    verb->add_option("FILE", file);
    verb->callback([this] { ran = true; });
    app.add_subcommand("other", "")->prefix_command();
    declare_config(app);
  }
  void parse(std::vector<std::string> words) {
    words.insert(words.begin(), "tritonrl");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    app.parse(with_config(app, static_cast<int>(argv.size()), argv.data()));
  }
  std::string failure(const std::vector<std::string>& words) {
    try {
      parse(words);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
};

struct ConfigFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tritonrl_config_" + std::to_string(::getpid()));
  explicit ConfigFile(const std::string& text) { base::write_file_atomically(path, text); }
  ~ConfigFile() { std::filesystem::remove(path); }
};

TEST(FieldOptions, SetsFieldsInBothSpellings) {
  Program program;
  program.parse({"verify", "--timing-num-trials", "7", "--colour=blue", "--live", "--staged", "0", "--seed",
                 "18446744073709551615", "--share", "0.25", "--no-decontaminate", "file.py"});
  EXPECT_EQ(program.options.timing_num_trials, 7);
  EXPECT_EQ(program.options.colour, "blue");
  EXPECT_TRUE(program.options.live);
  EXPECT_FALSE(program.options.staged);
  EXPECT_FALSE(program.options.decontaminate);
  EXPECT_EQ(program.options.seed, 18446744073709551615u);
  EXPECT_EQ(program.options.inner.share, 0.25);
  EXPECT_EQ(program.file, "file.py");
  Program other;
  other.parse({"verify", "--timing_num_trials=9"});
  EXPECT_EQ(other.options.timing_num_trials, 9);
  EXPECT_EQ(other.options.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(other.options.decontaminate);
}

TEST(FieldOptions, TakesListsWithCommasAndRepeated) {
  Program program;
  program.parse({"verify", "--names", "x,y", "--names", "z", "file.py"});
  EXPECT_EQ(program.options.names, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(program.file, "file.py");
}

TEST(FieldOptions, RefusesByNameAndSaysWhatMayBe) {
  EXPECT_EQ(Program().failure({"verify", "--timing-num-trials", "0"}),
            "--timing-num-trials is 0; it must be at least 1 and at most 100");
  EXPECT_EQ(Program().failure({"verify", "--timing-num-trials", "many"}),
            "--timing-num-trials is not a whole number in range");
  EXPECT_EQ(Program().failure({"verify", "--colour", "green"}), "--colour is 'green'; choose one of red, blue");
  EXPECT_NE(Program().failure({"verify", "--hidden", "2"}), "");
}

TEST(FieldOptions, HelpShowsMeaningAndDefault) {
  Program program;
  const std::string help = program.app.get_subcommand("verify")->help();
  EXPECT_NE(help.find("--timing-num-trials"), std::string::npos) << help;
  EXPECT_NE(help.find("measured runs"), std::string::npos);
  EXPECT_NE(help.find("=50"), std::string::npos) << help;
  EXPECT_NE(help.find("{red,blue}"), std::string::npos) << help;
}

TEST(ConfigFile, GivesOptionsThatTheCommandLineOverrides) {
  const ConfigFile file(
      "timing-num-trials = 7\nnames = [\"x\", \"y,z\"]\nlive = true\nseed = 3\n[verify]\nseed = 4\nshare = 0.125\n");
  Program program;
  program.parse({"verify", "--config", file.path, "--timing_num_trials", "8", "file.py"});
  EXPECT_EQ(program.options.timing_num_trials, 8);
  EXPECT_EQ(program.options.names.front(), "x");
  EXPECT_TRUE(program.options.live);
  EXPECT_EQ(program.options.seed, 4u);
  EXPECT_EQ(program.options.inner.share, 0.125);
  EXPECT_EQ(program.file, "file.py");
  EXPECT_TRUE(program.ran);
}

TEST(ConfigFile, NamesFileAndLineOfWhatIsWrong) {
  const auto failure = [](const std::string& text) {
    const ConfigFile file(text);
    std::string message = Program().failure({"verify", "--config=" + file.path.string()});
    const std::size_t at = message.find(file.path.string());
    return at == std::string::npos ? message : message.replace(at, file.path.string().size(), "FILE");
  };
  EXPECT_EQ(failure("seed = 1\ntrials = 2\n"),
            "[config] FILE:2: trials is no option of verify; see `tritonrl verify --help`");
  EXPECT_EQ(failure("[other]\nx = 1\n"), "");  // another verb's
  EXPECT_EQ(failure("\n[verfy]\nseed = 1\n").substr(0, 47), "[config] FILE:2: [verfy] is no verb of tritonrl");
  EXPECT_EQ(failure("seed = = 1\n").substr(0, 17), "[config] FILE:1: ");
  EXPECT_EQ(failure("seed = 1979-05-27\n").substr(0, 35), "[config] FILE:1: seed must be a tex");
  EXPECT_NE(Program().failure({"verify", "--config", "/there/is/none"}).find("/there/is/none"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::cli
