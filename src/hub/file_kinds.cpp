#include <algorithm>
#include <iterator>

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
