#pragma once

namespace CLI {
class App;
}

namespace tritonrl::cli {

// The subcommands of the program tritonrl-model; as in cli/commands.h.
void add_eval_command(CLI::App& app, int& exit_code);
void add_generate_command(CLI::App& app, int& exit_code);
void add_merge_command(CLI::App& app, int& exit_code);
void add_optimize_command(CLI::App& app, int& exit_code);
void add_pretrain_command(CLI::App& app, int& exit_code);
void add_rl_command(CLI::App& app, int& exit_code);
void add_serve_model_command(CLI::App& app, int& exit_code);
void add_sft_command(CLI::App& app, int& exit_code);
void add_train_command(CLI::App& app, int& exit_code);
// `tritonrl-model options`, which `tritonrl` asks: the options of the verbs above.
void add_own_options_command(CLI::App& app, int& exit_code);

}  // namespace tritonrl::cli
