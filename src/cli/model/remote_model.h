#pragma once

#include <memory>
#include <string>

#include "generate/remote_generator.h"
#include "text/model_text.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// What is to be known of a model that a server has: --model is its address then.
struct RemoteArguments {
  std::string tokenizer;  // folder, .gguf file or hub id of the model's tokenizer
  std::string served;     // the model's name there; empty: the only one
  int connections = 16;
};
void declare(CLI::App& command, RemoteArguments& arguments);

// UserError where no tokenizer is named: prompts go as token ids.
text::ModelText remote_text(const RemoteArguments& arguments);
std::unique_ptr<generate::RemoteGenerator> remote_generator(const std::string& url, const RemoteArguments& arguments,
                                                            const text::ModelText& text);

}  // namespace tritonrl::cli
