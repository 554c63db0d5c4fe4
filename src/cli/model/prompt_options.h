#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weights/model_files.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// What a model is asked. One of prompt, prompt_file and task is given.
struct PromptOptions {
  std::string prompt;       // the text itself
  std::string prompt_file;  // a file with it, or -
  std::string task;         // a file with a PyTorch module, or -: the model is asked for a kernel
  std::string system;       // system message; empty: the template's own
  bool chat = false;        // through the model's chat template
  bool raw = false;         // as it is; if neither is chosen: chat if the model has a template
};

void declare(CLI::App& command, PromptOptions& options);

struct AskedPrompt {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> stop_tokens;  // what ends a turn of the chat, beside the model's own
};

// UserError if there is no prompt or it is empty, and for a chat through a template that we do not know.
AskedPrompt make_prompt(const PromptOptions& options, const weights::ModelText& text);

}  // namespace tritonrl::cli
