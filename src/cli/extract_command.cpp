#include <iostream>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/source_file.h"
#include "cli/terminal_text.h"
#include "text/extract_code.h"

namespace tritonrl::cli {
namespace {

struct ExtractCommandOptions {
  std::string answer;
  text::ExtractOptions extract;
  bool json = false;
};

int run_extract(const ExtractCommandOptions& options) {
  const text::ExtractedCode extracted = text::extract_code(read_source(options.answer), options.extract);
  if (options.json) {
    const base::Json out = {{"found", extracted.found}, {"reason", extracted.reason}, {"code", extracted.code}};
    std::cout << out.dump() << "\n";
  } else {
    if (stdout_is_terminal() && is_binary(extracted.code))
      throw base::UserError(
          "extract", "the code holds control characters, which a terminal would obey; write it to a file: > FILE");
    std::cout << extracted.code << std::flush;
    std::cerr << (extracted.found ? "extracted: " : "nothing extracted: ") << extracted.reason << "\n";
  }
  return extracted.found ? kDone : kAnswerIsNo;
}

}  // namespace

void add_extract_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExtractCommandOptions>();
  CLI::App* command = app.add_subcommand("extract", "From a model's answer to the Python code it means");
  command->add_option("ANSWER", options->answer, "file with the answer, or -")->required();
  command->add_option("--entry", options->extract.entry_point, "class that the wanted code defines")
      ->capture_default_str();
  command->add_flag("--json", options->json, "print {found, reason, code}");
  command->callback([options, &exit_code] { exit_code = run_extract(*options); });
}

}  // namespace tritonrl::cli
