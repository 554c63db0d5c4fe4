#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "hub/hub.h"
#include "text/chat_template.h"
#include "text/tokenizer/tokenizer.h"
#include "weights/model_config.h"
#include "weights/tensor_files.h"

namespace tritonrl::weights {

// Where a model lies: a folder in Hugging Face's layout, or one GGUF file.
struct ModelLocation {
  enum class Kind { kFolder, kGguf };
  Kind kind = Kind::kFolder;
  std::filesystem::path path;
};

// `name` is a folder, a .gguf file, or owner/name on the Hugging Face hub: then the files that are not in the local
// cache are downloaded, safetensors rather than GGUF. UserError says which places were looked at.
ModelLocation find_model(const std::string& name, const hub::HubOptions& hub, const hub::Transfer& transfer = {});

struct ModelFiles {
  ModelLocation location;
  ModelConfig config;
  std::shared_ptr<const TensorFiles> tensors;
};

// Reads the config and the heads of all weight files, not the weights. UserError on anything malformed or missing.
ModelFiles open_model(const ModelLocation& location);

struct ModelText {
  text::Tokenizer tokenizer;
  std::optional<text::ChatDialect> dialect;  // none: the template is none of ours; plain ChatML if there is no template
  std::string chat_template;                 // the model's own Jinja text; may be empty
};

// The model's tokenizer and chat template.
ModelText open_tokenizer(const ModelLocation& location);

}  // namespace tritonrl::weights
