#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weights/tensor_files.h"

namespace tritonrl::weights {

// One .safetensors file, memory-mapped. UserError names the file and what is wrong: header longer than the file or than
// 100 MB, not JSON, unknown dtype, shape that does not fit its bytes, ranges that overlap, leave holes or pass the end.
std::shared_ptr<const TensorFiles> open_safetensors(const std::filesystem::path& file);
// A folder: model.safetensors, or the shards that model.safetensors.index.json names; every tensor must be where the
// index says.
std::shared_ptr<const TensorFiles> open_safetensors_folder(const std::filesystem::path& folder);
// The header alone, for any bytes: what the file readers use and what is fuzzed. Throws UserError.
struct SafetensorsHeader {
  struct Entry {
    TensorInfo info;
    std::size_t begin = 0;  // of its bytes, from the start of the file
    std::size_t end = 0;
  };
  std::vector<Entry> entries;  // by name
  std::map<std::string, std::string> metadata;
};
SafetensorsHeader parse_safetensors_header(std::span<const std::byte> file, const std::string& where);

// A tensor to write. `bytes` is called once, when its turn comes, and may make the data then.
struct TensorToWrite {
  TensorInfo info;
  std::function<StoredTensor()> bytes;
};
// Atomic. `metadata` lands in __metadata__ (transformers wants {"format": "pt"}).
void write_safetensors(const std::filesystem::path& file, const std::vector<TensorToWrite>& tensors,
                       const std::map<std::string, std::string>& metadata = {{"format", "pt"}});
// model.safetensors, or shards of at most `shard_bytes` with model.safetensors.index.json.
void write_safetensors_folder(const std::filesystem::path& folder, const std::vector<TensorToWrite>& tensors,
                              std::size_t shard_bytes = std::size_t{5} << 30);

}  // namespace tritonrl::weights
