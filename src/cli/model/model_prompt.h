#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "text/prompt.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// How a model was trained to be asked lies beside its weights: who asks it need not know. A file prompt.json with the
// fields of text::PromptOptions.
inline constexpr const char* kPromptFile = "prompt.json";

void write_prompt_file(const std::filesystem::path& folder, const text::PromptOptions& options);

// Of a model's or adapter's folder; none where it has no such file. UserError for one that cannot be read.
std::optional<text::PromptOptions> prompt_of(const std::string& model);

// `options` as the model's file has them, unless the command line gave one that says how a task is worded; --act holds
// whoever words it.
void take_prompt_of(const std::string& model, const CLI::App& command, text::PromptOptions& options);

}  // namespace tritonrl::cli
