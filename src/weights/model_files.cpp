#include "weights/model_files.h"

#include "base/files.h"
#include "weights/folder_files.h"
#include "weights/gguf_model.h"
#include "weights/mapped_file.h"
#include "weights/model_config_reader.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

ModelFiles open_folder(const ModelLocation& location) {
  const fs::path config = location.path / "config.json", generation = location.path / "generation_config.json";
  ModelFiles model{.location = location,
                   .config = parse_model_config(base::read_file(config, kLongestConfig), config.string()),
                   .tensors = nullptr};
  if (is_file(generation)) {
    const JsonFile file = JsonFile::read(generation);
    const std::vector<std::int64_t> ids = read_eos_token_ids(file.top());
    if (!ids.empty()) model.config.eos_token_ids = ids;
  }
  model.tensors = open_safetensors_folder(location.path);
  return model;
}

}  // namespace

ModelFiles open_model(const ModelLocation& location) {
  if (location.kind == ModelLocation::Kind::kFolder) return open_folder(location);
  const std::shared_ptr<const MappedFile> file = MappedFile::open(location.path);
  const GgufFile gguf = GgufFile::parse(file->bytes(), location.path.string());
  const ModelConfig config = gguf_model_config(gguf);
  return {.location = location, .config = config, .tensors = gguf_tensors(gguf, config, file)};
}

}  // namespace tritonrl::weights
