#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/files.h"
#include "check/check.h"
#include "check/junit.h"
#include "check/sarif.h"
#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/machine.h"
#include "cli/terminal_text.h"
#include "program/target.h"

namespace tritonrl::cli {
namespace {

struct CheckCommandOptions {
  std::vector<std::string> scripts;
  std::string python;
  std::string target = "h200";
  bool all_configs = false, all_sizes = false;
  double launch_seconds = 600, script_seconds = 0;
  bool quiet = false;
  std::string json, junit, sarif;
  void fields(base::FieldVisitor& field) {
    field("python", python, {.help = "Python with torch >= 2.11 and triton >= 3.6 (default: the active one)"});
    field("target", target, {.help = "GPU to imitate and to model"});
    field("all_configs", all_configs, {.help = "autotuners run all their configurations (default: the first)"});
    field("all_sizes", all_sizes, {.help = "benchmarks run all their sizes (default: the first)"});
    field("launch_seconds", launch_seconds, {.help = "seconds for one launch", .least = 0.001, .most = 1e6});
    field("script_seconds", script_seconds,
          {.help = "seconds for one script, whose findings until then count; 0: as long as it takes",
           .least = 0,
           .most = 1e6});
    field("quiet", quiet, {.help = "leave out what the scripts print"});
    field("json", json, {.help = "write everything to this file"});
    field("junit", junit, {.help = "write a JUnit report to this file, for CI"});
    field("sarif", sarif, {.help = "write the findings as SARIF to this file, for code hosts"});
  }
};

int exit_code_of(const check::Report& report) {
  int code = kDone;
  for (const check::ScriptReport& script : report.scripts) {
    if (!script.findings.empty()) return kAnswerIsNo;
    if (!script.raised.empty() || !script.unchecked.empty()) code = kUserMustFix;
  }
  return code;
}

int run_check(const CheckCommandOptions& given, const std::vector<std::string>& arguments) {
  check::CheckOptions options;
  options.interpreter = python::probe_interpreter(find_python({.python = given.python}));
  options.library = check_library();
  options.target = program::find_target(given.target).name;
  options.arguments = arguments;
  options.quiet = given.quiet;
  options.script_seconds = given.script_seconds;
  options.all_configs = given.all_configs;
  options.all_sizes = given.all_sizes;
  options.machine.wall_ms = static_cast<std::int64_t>(given.launch_seconds * 1000);
  options.machine.cover = false;
  options.machine.go_on = options.machine.check_masked = true;
  options.machine.check_hints = options.machine.check_orders = true;
  const check::Report report = check::check({given.scripts.begin(), given.scripts.end()}, options);
  for (const check::ScriptReport& script : report.scripts) print(check_text(script));
  if (!given.junit.empty()) base::write_file_atomically(given.junit, check::junit_text(report));
  if (!given.sarif.empty())
    base::write_file_atomically(given.sarif, check::sarif_text(report, std::filesystem::current_path()));
  if (!given.json.empty()) base::write_file_atomically(given.json, base::to_json(report).dump(2) + "\n");
  return exit_code_of(report);
}

}  // namespace

void add_check_command(CLI::App& app, int& argc, char** argv, int& exit_code) {
  std::vector<std::string> arguments;
  char** const end = argv + argc;
  char** const dashes =
      argc > 1 && std::string_view(argv[1]) == "check" ? std::find(argv, end, std::string_view("--")) : end;
  if (dashes != end) arguments.assign(dashes + 1, end);
  argc = static_cast<int>(dashes - argv);
  auto options = std::make_shared<CheckCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "check", "run scripts that launch Triton kernels, without a GPU: memory errors, races, bytes and modelled times");
  command->add_option("SCRIPT", options->scripts, "Python files; what stands behind -- are their arguments")
      ->required();
  declare_fields(*command, *options);
  command->callback([options, arguments, &exit_code] { exit_code = run_check(*options, arguments); });
}

}  // namespace tritonrl::cli
