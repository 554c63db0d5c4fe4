#include "cli/model/model_prompt.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"

namespace tritonrl::cli {

namespace fs = std::filesystem;

void write_prompt_file(const fs::path& folder, const text::PromptOptions& options) {
  base::write_file_atomically(folder / kPromptFile, base::to_json(options).dump() + "\n");
}

std::optional<text::PromptOptions> prompt_of(const std::string& model) {
  const fs::path file = fs::path(model) / kPromptFile;
  std::error_code unreachable;
  if (!fs::is_regular_file(file, unreachable)) return std::nullopt;
  text::PromptOptions out;
  const auto refuse = [&](const std::string& problem) {
    throw base::UserError(file.string(), problem + "; it says how the model is asked: mend it, or take it away");
  };
  const std::optional<base::Json> json = base::Json::try_parse(base::read_file(file));
  if (!json) refuse("is not JSON");
  try {
    base::read_fields(*json, out, {}, base::Unknown::kRefuse, /*partial=*/true);
  } catch (const base::FieldError& error) {
    refuse(error.what());
  }
  return out;
}

void take_prompt_of(const std::string& model, const CLI::App& command, text::PromptOptions& options) {
  for (const char* name : {"--prompt", "--facts", "--names", "--one-shot"}) {
    if (command.get_option(name)->count() > 0) return;
  }
  const text::PromptAct act = options.act;
  if (const std::optional<text::PromptOptions> told = prompt_of(model)) options = *told;
  if (command.get_option("--act")->count() > 0) options.act = act;
}

}  // namespace tritonrl::cli
