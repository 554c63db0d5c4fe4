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

ModelConfig folder_config(const fs::path& folder) {
  const fs::path place = folder / "config.json", generation = folder / "generation_config.json";
  ModelConfig config = parse_model_config(base::read_file(place, kLongestConfig), place.string());
  if (is_file(generation)) {
    const JsonFile file = JsonFile::read(generation);
    const std::vector<std::int64_t> ids = read_eos_token_ids(file.top());
    if (!ids.empty()) config.eos_token_ids = ids;
  }
  return config;
}

}  // namespace

ModelConfig read_config(const ModelLocation& location) {
  return location.kind == ModelLocation::Kind::kFolder ? folder_config(location.path) : open_model(location).config;
}

ModelFiles open_model(const ModelLocation& location) {
  if (location.kind == ModelLocation::Kind::kFolder)
    return {.location = location,
            .config = folder_config(location.path),
            .tensors = open_safetensors_folder(location.path)};
  const std::shared_ptr<const MappedFile> file = MappedFile::open(location.path);
  const GgufFile gguf = GgufFile::parse(file->bytes(), location.path.string());
  const ModelConfig config = gguf_model_config(gguf);
  return {.location = location, .config = config, .tensors = gguf_tensors(gguf, config, file)};
}

}  // namespace tritonrl::weights
