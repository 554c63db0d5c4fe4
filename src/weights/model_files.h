#pragma once

#include <filesystem>
#include <memory>
#include <string>

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

struct HubCache {
  std::filesystem::path folder;  // holds models--owner--name; cli fills it from HF_HUB_CACHE, HF_HOME or ~/.cache
};

// `name` is a folder, a .gguf file, or owner/name in the local hub cache (the revision that refs/main names). UserError
// says which places were looked at.
ModelLocation find_model(const std::string& name, const HubCache& cache);

struct ModelFiles {
  ModelLocation location;
  ModelConfig config;
  std::shared_ptr<const TensorFiles> tensors;
};

// Reads the config and the heads of all weight files, not the weights. UserError on anything malformed or missing.
ModelFiles open_model(const ModelLocation& location);

struct ModelText {
  text::Tokenizer tokenizer;
  text::ChatDialect dialect = text::ChatDialect::kPlainChatMl;  // plain if the template is none of ours
  std::string chat_template;                                    // the model's own Jinja text; may be empty
};

// The model's tokenizer and chat template.
ModelText open_tokenizer(const ModelLocation& location);

}  // namespace tritonrl::weights
