#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "text/model_text.h"
#include "weights/model_config.h"
#include "weights/tensor_files.h"

namespace tritonrl::weights {

// Where a model lies: a folder in Hugging Face's layout, or one GGUF file.
struct ModelLocation {
  enum class Kind { kFolder, kGguf };
  Kind kind = Kind::kFolder;
  std::filesystem::path path;
};

// A folder with config.json, or with exactly one .gguf file, or such a file. None: no such path. UserError for a path
// that holds no model.
std::optional<ModelLocation> find_local_model(const std::string& name);
bool is_gguf_name(const std::filesystem::path& path);

struct ModelFiles {
  ModelLocation location;
  ModelConfig config;
  std::shared_ptr<const TensorFiles> tensors;
};

// The config alone: no weights need to be there beside config.json.
ModelConfig read_config(const ModelLocation& location);
// Reads the config and the heads of all weight files, not the weights. UserError on anything malformed or missing.
ModelFiles open_model(const ModelLocation& location);

// The model's tokenizer and chat template.
text::ModelText open_tokenizer(const ModelLocation& location);

}  // namespace tritonrl::weights
