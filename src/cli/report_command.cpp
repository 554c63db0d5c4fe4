#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/terminal_text.h"
#include "report/page/page.h"
#include "report/report.h"

namespace tritonrl::cli {
namespace {

struct ReportCommandOptions {
  report::ReportOptions report;
  std::filesystem::path out = "report.html";
  bool markdown = false;
};

int run_report(const ReportCommandOptions& options, bool writes_page) {
  const report::Document document = report::make_report(options.report);
  if (options.markdown) print(report::markdown_page(document));
  if (!writes_page) return kDone;
  const std::string page = report::html_page(document);
  base::make_folder_of(options.out);
  base::write_file_atomically(options.out, page);
  std::cerr << "wrote " << without_binary(options.out.string()) << ": " << document.sections.size() << " parts, "
            << (page.size() + 512) / 1024 << " KiB\n";
  return kDone;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReportCommandOptions>();
  CLI::App* command = app.add_subcommand("report", "What runs and evaluations gave, as one page that opens offline");
  command->add_option("RUN", options->report.runs, "folders of runs, as runs/sft");
  command->add_option("--eval", options->report.evaluations,
                      "files that eval wrote, as outputs/eval_base.json; each is compared with the first");
  CLI::Option* out = command->add_option("--out", options->out, "the page to be written")->capture_default_str();
  command->add_flag("--markdown", options->markdown,
                    "print it as Markdown; the page is written only where --out is given too");
  declare_fields(*command, options->report);
  command->callback(
      [options, out, &exit_code] { exit_code = run_report(*options, !options->markdown || out->count() > 0); });
}

}  // namespace tritonrl::cli
