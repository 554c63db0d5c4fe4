#include "cli/model/remote_model.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "base/error.h"
#include "cli/model/loaded_model.h"

namespace tritonrl::cli {

void declare(CLI::App& command, RemoteArguments& arguments) {
  const char* group = "Server (--model http://HOST:PORT, which speaks OpenAI's /v1/completions)";
  command
      .add_option("--tokenizer", arguments.tokenizer, "folder, .gguf file or owner/name whose tokenizer the model has")
      ->group(group);
  command.add_option("--served-model", arguments.served, "the model's name there (default: the only one)")
      ->group(group);
  command.add_option("--connections", arguments.connections, "requests on their way at once")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str()
      ->group(group);
}

text::ModelText remote_text(const RemoteArguments& arguments) {
  if (arguments.tokenizer.empty())
    throw base::UserError("model",
                          "a server is sent token ids; pass --tokenizer with the folder or hub id of the model's own");
  return weights::open_tokenizer(locate_model(arguments.tokenizer));
}

std::unique_ptr<generate::RemoteGenerator> remote_generator(const std::string& url, const RemoteArguments& arguments,
                                                            const text::ModelText& text) {
  const char* token = std::getenv("TRITONRL_TOKEN");
  generate::RemoteOptions options;
  options.url = url;
  options.token = token == nullptr ? "" : token;
  options.model = arguments.served;
  options.concurrency = arguments.connections;
  return std::make_unique<generate::RemoteGenerator>(options, text.tokenizer);
}

}  // namespace tritonrl::cli
