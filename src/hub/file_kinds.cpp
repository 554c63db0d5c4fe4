#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "hub/hub.h"

namespace tritonrl::hub {
namespace {

constexpr const char* kBesideWeights[] = {
    "config.json",         "generation_config.json",      "tokenizer.json",    "tokenizer_config.json",
    "chat_template.jinja", "special_tokens_map.json",     "added_tokens.json", "vocab.json",
    "merges.txt",          "model.safetensors.index.json"};

// What libraries write beside the rows.
constexpr const char* kMetadata[] = {"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"};

bool is_parquet(const std::string& file) {
  return file.ends_with(".parquet");
}

}  // namespace

bool is_model_file(const std::string& file) {
  if (file.find('/') != std::string::npos) return false;  // other forms of the same weights lie in folders
  if (std::find(std::begin(kBesideWeights), std::end(kBesideWeights), file) != std::end(kBesideWeights)) return true;
  return file == "model.safetensors" || (file.starts_with("model-") && file.ends_with(".safetensors"));
}

std::vector<std::string> choose_model_files(const std::vector<std::string>& files) {
  std::vector<std::string> chosen, ggufs;
  std::copy_if(files.begin(), files.end(), std::back_inserter(chosen), is_model_file);
  std::copy_if(files.begin(), files.end(), std::back_inserter(ggufs),
               [](const std::string& file) { return file.ends_with(".gguf"); });
  if (std::any_of(chosen.begin(), chosen.end(),
                  [](const std::string& file) { return file.ends_with(".safetensors"); })) {
    if (std::find(chosen.begin(), chosen.end(), "model.safetensors") != chosen.end()) {
      // Readers take the single file.
      std::erase_if(
          chosen, [](const std::string& file) { return file.starts_with("model-") || file.ends_with(".index.json"); });
    }
    return chosen;
  }
  if (ggufs.size() == 1) return ggufs;
  if (ggufs.empty()) throw base::UserError("hub", "it has neither model.safetensors nor a .gguf file");
  std::string names;
  for (const std::string& file : ggufs) names += (names.empty() ? "" : ", ") + file;
  throw base::UserError("hub", "it has no safetensors and " + std::to_string(ggufs.size()) + " .gguf files (" + names +
                                   "): download one of them and name that file");
}

bool is_dataset_file(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  if (name.starts_with('.')) return false;
  if (std::find(std::begin(kMetadata), std::end(kMetadata), name) != std::end(kMetadata)) return false;
  return is_parquet(name) || name.ends_with(".json") || name.ends_with(".jsonl");
}

std::vector<std::string> choose_dataset_files(const std::vector<std::string>& files) {
  std::vector<std::string> chosen;
  std::copy_if(files.begin(), files.end(), std::back_inserter(chosen), is_dataset_file);
  if (std::any_of(chosen.begin(), chosen.end(), is_parquet)) {
    std::erase_if(chosen, [](const std::string& file) { return !is_parquet(file); });
  }
  return chosen;
}

}  // namespace tritonrl::hub
