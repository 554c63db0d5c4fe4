#include <algorithm>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

#include "base/error.h"
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

bool is_safetensors(const std::string& file) {
  return file.ends_with(".safetensors");
}

// Of a repository's files, those to fetch. The same weights often lie there in several forms.
std::vector<std::string> choose_model_files(const std::vector<std::string>& files) {
  std::vector<std::string> chosen, ggufs;
  std::copy_if(files.begin(), files.end(), std::back_inserter(chosen), hub::is_model_file);
  std::copy_if(files.begin(), files.end(), std::back_inserter(ggufs), is_gguf_name);
  if (std::any_of(chosen.begin(), chosen.end(), is_safetensors)) {
    if (std::find(chosen.begin(), chosen.end(), "model.safetensors") != chosen.end()) {
      // open_model takes the single file.
      std::erase_if(
          chosen, [](const std::string& file) { return file.starts_with("model-") || file.ends_with(".index.json"); });
    }
    return chosen;
  }
  if (ggufs.size() == 1) return ggufs;
  if (ggufs.empty()) throw base::UserError("weights", "it has neither model.safetensors nor a .gguf file");
  std::string names;
  for (const std::string& file : ggufs) names += (names.empty() ? "" : ", ") + file;
  throw base::UserError("weights", "it has no safetensors and " + std::to_string(ggufs.size()) + " .gguf files (" +
                                       names + "): download one of them and name that file");
}

ModelLocation fetch_model(const std::string& name, const hub::HubOptions& hub, const hub::Transfer& transfer) {
  std::vector<std::string> chosen;
  const hub::Choice choose = [&](const std::vector<std::string>& files) { return chosen = choose_model_files(files); };
  const fs::path snapshot = hub::fetch_chosen({.id = name}, choose, hub, transfer);
  // The last choice is that of the snapshot, which may hold other files from earlier.
  if (is_gguf_name(chosen.front())) return {.kind = ModelLocation::Kind::kGguf, .path = snapshot / chosen.front()};
  return {.kind = ModelLocation::Kind::kFolder, .path = snapshot};
}

}  // namespace

ModelLocation find_model(const std::string& name, const hub::HubOptions& hub, const hub::Transfer& transfer) {
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
  std::string looked = name + " does not exist here";
  if (hub::is_repository_id(name) && !is_gguf_name(name)) {
    try {
      return fetch_model(name, hub, transfer);
    } catch (const base::UserError& error) {
      problem = error.what();
    }
    looked += "; " + problem;
  }
  throw base::UserError("weights", "no model \"" + name + "\": " + looked +
                                       ". Name a folder, a .gguf file, or a model of the hub as owner/name");
}

}  // namespace tritonrl::weights
