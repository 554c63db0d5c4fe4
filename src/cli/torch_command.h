#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tritonrl::cli {

// The path of tritonrl-model, whether it is there or not.
std::string model_program();

// Verbs that need torch live in the program tritonrl-model beside this one, so that the others start fast and work
// without it. When one of them is chosen, this process becomes that program with the same arguments, --help included.
// UserError if it was not built. `argv` is the program's own, verb and all.
void add_torch_commands(CLI::App& app, char** argv);

// `serve` needs torch only with --model. True: the command line has it, and the verb was added as one of those.
bool add_model_server(CLI::App& app, int argc, char** argv);

}  // namespace tritonrl::cli
