#pragma once

#include <filesystem>
#include <string>

#include "model/transformer.h"

namespace tritonrl::model {

// A folder that transformers loads: config.json, generation_config.json and safetensors in the model's type, the
// adapter merged in (also over 8-bit weights, which are dequantised). One matrix at a time is in memory twice.
void save_model(const Transformer& model, const std::filesystem::path& folder);

}  // namespace tritonrl::model
