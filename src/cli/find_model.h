#pragma once

#include <string>

#include "hub/hub.h"
#include "weights/model_files.h"

namespace tritonrl::cli {

// `name` is a folder, a .gguf file, or owner/name on the Hugging Face hub: then the files that are not in the local
// cache are downloaded, safetensors rather than GGUF. UserError says which places were looked at.
weights::ModelLocation find_model(const std::string& name, const hub::HubOptions& hub,
                                  const hub::Transfer& transfer = {});

// Its config alone; of a model on the hub nothing else is downloaded (unless it is a GGUF file).
weights::ModelConfig find_config(const std::string& name, const hub::HubOptions& hub,
                                 const hub::Transfer& transfer = {});

}  // namespace tritonrl::cli
