#pragma once

#include <filesystem>

#include "weights/model_files.h"

namespace tritonrl::cli {

// What lies beside the weights of a model and stays as it is.
enum class Companions {
  kTokenizer,  // what reads and writes text, also beside an adapter
  kAll,        // and how it generates, beside the weights themselves
};

// Copies them to `out`; a GGUF file holds the tokenizer itself.
void write_companions(const weights::ModelLocation& location, const weights::ModelConfig& config, Companions which,
                      const std::filesystem::path& out);

}  // namespace tritonrl::cli
