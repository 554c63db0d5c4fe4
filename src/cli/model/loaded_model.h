#pragma once

#include <memory>
#include <string>

#include "model/adapter.h"
#include "model/transformer.h"
#include "weights/model_files.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

// Which model, and how it is held.
struct ModelArguments {
  std::string model;            // folder, .gguf file, or owner/name on the hub; or a folder with an adapter alone
  std::string adapter;          // folder in PEFT's layout; empty: none
  bool any_base = false;        // the adapter may be one of another base
  std::string dtype = "auto";   // of weights and activations
  bool eight_bit = false;       // int8 linear layers
  std::string device = "auto";  // "cpu", "cuda", or the best there is
  int threads = 0;              // 0: torch's own choice, a thread a core
};

void declare(CLI::App& command, ModelArguments& arguments);

// --any-base, and what it means for loading. Doubts about the base go to the standard error.
void declare_any_base(CLI::App& command, bool& any_base);
model::LoadAdapterOptions adapter_options(bool any_base);

// A name as --model takes it; downloads it if it must. UserError says where was looked.
weights::ModelLocation locate_model(const std::string& name);

weights::ModelConfig locate_config(const std::string& name);

// With the base that it names, where --model is the folder of an adapter. UserError if that names none, or if --adapter
// is given too.
ModelArguments with_base(ModelArguments arguments);

struct LoadedModel {
  text::ModelText text;
  std::unique_ptr<model::Transformer> transformer;
};

// Device, type and 8 bit as the arguments choose them here. Sets the number of threads of the process.
model::ModelOptions model_options(const ModelArguments& arguments);

// UserError for whatever is missing or does not fit.
LoadedModel load_model(const ModelArguments& arguments);

}  // namespace tritonrl::cli
