#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/fields.h"
#include "base/files.h"
#include "check/report.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::check {
namespace {

namespace fs = std::filesystem;

// Scripts with their bugs written beside the lines: "# expect: race" at the end of each line that is to be found.
using Found = std::set<std::string>;  // "12: race"

Found expected_of(const std::string& script) {
  Found out;
  std::ifstream file(script);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string mark = "# expect: ";
    const std::size_t at = line.find(mark);
    if (at != std::string::npos) out.insert(std::to_string(number) + ": " + line.substr(at + mark.size()));
  }
  return out;
}

std::vector<std::string> scripts_in(const char* folder) {
  std::vector<std::string> out;
  for (const fs::directory_entry& one : fs::directory_iterator(source_path(folder))) {
    if (one.path().extension() == ".py") out.push_back(one.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

class Check : public cli::RunRecorder {
 protected:
  Report check(std::vector<std::string> arguments, int exit_code) {
    const std::string json = folder() + "/report.json";
    arguments.insert(arguments.begin(), {"check", "--quiet", "--json", json});
    const base::CommandResult result = tritonrl(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.output << result.errors;
    base::Result<Report> report = base::from_json<Report>(base::read_file(json), "report");
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error());
    return report.ok() ? std::move(report).value() : Report{};
  }
};

// Few processes: importing torch takes longer than the scripts.
TEST_F(Check, FindsEachSeededBugWhereItIsAndNothingElse) {
  std::vector<std::string> scripts = scripts_in("tests/check/bugs");
  const std::vector<std::string> clean = scripts_in("tests/check/clean");
  scripts.insert(scripts.end(), clean.begin(), clean.end());
  const Report report = check(scripts, 1);
  ASSERT_EQ(report.scripts.size(), scripts.size());
  for (const ScriptReport& script : report.scripts) {
    Found found;
    for (const CheckFinding& one : script.findings) {
      EXPECT_EQ(one.place.file, script.script) << one.message;
      found.insert(std::to_string(one.place.line) + ": " + one.rule);
    }
    EXPECT_EQ(found, expected_of(script.script)) << script.script << "\n" << base::to_json(script)["findings"].dump(1);
    EXPECT_EQ(script.raised, "") << script.script;
    EXPECT_TRUE(script.unchecked.empty()) << script.script << ": " << script.unchecked.front();
  }
}

TEST_F(Check, TellsWhatWasNotExecutedAndBlamesNobodyForItsValues) {
  for (const ScriptReport& script : check(scripts_in("tests/check/unchecked"), 2).scripts) {
    EXPECT_EQ(script.unchecked.size(), 1u) << script.script;
    EXPECT_TRUE(script.findings.empty()) << script.script << ": " << script.findings.front().message;
    EXPECT_NE(script.raised.find("a launch before it was not executed"), std::string::npos) << script.raised;
  }
}

TEST_F(Check, EndsAScriptThatTakesTooLong) {
  const std::string script = folder() + "/sleeps.py";
  std::ofstream(script) << "import time\ntime.sleep(1000)\n";
  const Report report = check({script, "--script-seconds", "0.5"}, 2);
  EXPECT_NE(report.scripts.at(0).raised.find("ended after"), std::string::npos) << report.scripts.at(0).raised;
}

}  // namespace
}  // namespace tritonrl::check
