#include "cli/model/sampling_arguments.h"

#include <CLI/CLI.hpp>

namespace tritonrl::cli {

void declare(CLI::App& command, generate::SamplingOptions& sampling) {
  command.add_option("--temperature", sampling.temperature, "0: always the likeliest token")->capture_default_str();
  command.add_option("--top-k", sampling.top_k, "draw from the k likeliest tokens; 0: off")->capture_default_str();
  command.add_option("--top-p", sampling.top_p, "draw from the likeliest tokens that hold this probability; 1: off")
      ->capture_default_str();
  command
      .add_option("--min-p", sampling.min_p,
                  "draw from tokens of at least this part of the likeliest one's probability; 0: off")
      ->capture_default_str();
  command
      .add_option("--repetition-penalty", sampling.repetition_penalty,
                  "above 1 makes tokens of prompt and answer less likely; 1: off")
      ->capture_default_str();
  command.add_option("--max-new-tokens", sampling.max_new_tokens, "the longest answer")->capture_default_str();
  command.add_option("--stop", sampling.stop_strings, "end the answer before this text; may be given several times")
      ->allow_extra_args(false);
}

}  // namespace tritonrl::cli
