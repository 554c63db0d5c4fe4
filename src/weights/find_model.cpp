#include <system_error>
#include <vector>

#include "base/error.h"
#include "weights/folder_files.h"
#include "weights/model_files.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

ModelLocation look_into(const fs::path& folder) {
  std::error_code ignored;
  if (is_file(folder / "config.json")) return {.kind = ModelLocation::Kind::kFolder, .path = folder};
  std::vector<fs::path> ggufs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (is_gguf_name(entry.path())) ggufs.push_back(entry.path());
  }
  if (ggufs.size() == 1) return {.kind = ModelLocation::Kind::kGguf, .path = ggufs[0]};
  throw base::UserError(
      "weights",
      "no model in this folder: " + folder.string() + " has no config.json and " +
          (ggufs.empty() ? "no .gguf file" : std::to_string(ggufs.size()) + " .gguf files: name one of them"));
}

}  // namespace

bool is_gguf_name(const fs::path& path) {
  return path.extension() == ".gguf";
}

std::optional<ModelLocation> find_local_model(const std::string& name) {
  if (name.empty()) throw base::UserError("weights", "the model's name is empty");
  std::error_code ignored;
  if (fs::is_directory(name, ignored)) return look_into(name);
  if (!fs::exists(name, ignored)) return std::nullopt;
  if (is_gguf_name(name)) return ModelLocation{.kind = ModelLocation::Kind::kGguf, .path = name};
  throw base::UserError("weights", name + ": a model is a folder in Hugging Face's layout or a .gguf file");
}

}  // namespace tritonrl::weights
