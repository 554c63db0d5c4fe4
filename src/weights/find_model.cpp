#include <algorithm>
#include <optional>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "weights/folder_files.h"
#include "weights/model_files.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

bool is_gguf_name(const fs::path& path) {
  return path.extension() == ".gguf";
}

// A model in this folder, or what the folder lacks.
std::optional<ModelLocation> look_into(const fs::path& folder, std::string& problem) {
  std::error_code ignored;
  if (is_file(folder / "config.json")) {
    return ModelLocation{.kind = ModelLocation::Kind::kFolder, .path = folder};
  }
  std::vector<fs::path> ggufs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (is_gguf_name(entry.path())) ggufs.push_back(entry.path());
  }
  if (ggufs.size() == 1) return ModelLocation{.kind = ModelLocation::Kind::kGguf, .path = ggufs[0]};
  problem = folder.string() + " has no config.json and " +
            (ggufs.empty() ? "no .gguf file" : std::to_string(ggufs.size()) + " .gguf files: name one of them");
  return std::nullopt;
}

// "owner/name" or "name", as the hub has them: letters, digits, '-', '_' and '.'.
bool is_hub_id(const std::string& name) {
  const auto part = [](std::string_view text) {
    return !text.empty() && text[0] != '.' && text[0] != '-' && text.size() <= 96 &&
           std::all_of(text.begin(), text.end(), [](char c) {
             return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                    c == '_' || c == '.';
           });
  };
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return part(name);
  return part(std::string_view(name).substr(0, slash)) && part(std::string_view(name).substr(slash + 1));
}

std::string hub_folder(std::string name) {
  if (const std::size_t slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, "--");
  return "models--" + name;
}

std::optional<ModelLocation> look_into_cache(const std::string& name, const HubCache& cache, std::string& problem) {
  std::error_code ignored;
  const fs::path repository = cache.folder / hub_folder(name), reference = repository / "refs" / "main";
  if (!fs::is_directory(repository, ignored)) {
    problem = repository.string() + " does not exist";
    return std::nullopt;
  }
  if (!is_file(reference)) {
    problem = reference.string() + " does not exist";
    return std::nullopt;
  }
  std::string revision = base::read_file(reference, 4096);
  while (!revision.empty() && (revision.back() == '\n' || revision.back() == ' ')) revision.pop_back();
  const fs::path snapshot = repository / "snapshots" / revision;
  if (revision.empty() || fs::path(revision).filename() != revision || revision == ".." || revision == ".") {
    problem = reference.string() + " does not hold the name of a snapshot";
    return std::nullopt;
  }
  if (!fs::is_directory(snapshot, ignored)) {
    problem = snapshot.string() + " does not exist";
    return std::nullopt;
  }
  return look_into(snapshot, problem);
}

}  // namespace

ModelLocation find_model(const std::string& name, const HubCache& cache) {
  if (name.empty()) throw base::UserError("weights", "the model's name is empty");
  std::error_code ignored;
  std::string problem;
  if (fs::is_directory(name, ignored)) {
    if (const std::optional<ModelLocation> found = look_into(name, problem)) return *found;
    throw base::UserError("weights", "no model in this folder: " + problem);
  }
  if (fs::exists(name, ignored)) {
    if (is_gguf_name(name)) return {.kind = ModelLocation::Kind::kGguf, .path = name};
    throw base::UserError("weights", name + ": a model is a folder in Hugging Face's layout or a .gguf file");
  }
  std::string looked = name + " does not exist";
  if (is_hub_id(name) && !is_gguf_name(name)) {
    if (cache.folder.empty()) {
      looked += "; no folder is known for Hugging Face's cache";
    } else {
      if (const std::optional<ModelLocation> found = look_into_cache(name, cache, problem)) return *found;
      looked += "; " + problem;
    }
  }
  throw base::UserError("weights", "no model \"" + name + "\": " + looked +
                                       ". Name a folder, a .gguf file, or a model that was downloaded before "
                                       "(nothing is downloaded here)");
}

}  // namespace tritonrl::weights
