#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "weights/folder_files.h"
#include "weights/mapped_tensors.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSingleName = "model.safetensors";
constexpr const char* kIndexName = "model.safetensors.index.json";

std::vector<MappedTensors::Piece> pieces_of(const fs::path& path) {
  const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  SafetensorsHeader header = parse_safetensors_header(file->bytes(), path.string());
  std::vector<MappedTensors::Piece> pieces;
  pieces.reserve(header.entries.size());
  for (SafetensorsHeader::Entry& entry : header.entries) {
    pieces.push_back({.info = std::move(entry.info), .file = file, .begin = entry.begin, .end = entry.end});
  }
  return pieces;
}

// Shard by tensor, from the index. A shard is a file beside the index: a path that leads elsewhere is refused.
std::map<std::string, std::string> read_index(const fs::path& index) {
  const JsonFile file = JsonFile::read(index);
  const base::JsonField weight_map = file.top()["weight_map"];
  std::map<std::string, std::string> shards;
  std::size_t at = 0;
  for (const base::JsonField& tensor : weight_map.members()) {
    const std::string& shard = tensor.text();
    if (shard.empty() || fs::path(shard).filename() != shard || shard == "." || shard == "..") {
      tensor.refuse("lies in \"" + shard + "\"; expected the name of a file beside the index");
    }
    shards.emplace(weight_map.value().items()[at++].name, shard);
  }
  return shards;
}

std::shared_ptr<const TensorFiles> open_shards(const fs::path& folder) {
  const fs::path index = folder / kIndexName;
  const std::map<std::string, std::string> shard_of = read_index(index);
  if (shard_of.empty()) throw base::UserError("safetensors", index.string() + ": weight_map names no tensor");
  std::map<std::string, bool> opened;
  std::vector<MappedTensors::Piece> pieces;
  for (const auto& [name, shard] : shard_of) {
    if (!opened.emplace(shard, true).second) continue;
    for (MappedTensors::Piece& piece : pieces_of(folder / shard)) {
      const auto expected = shard_of.find(piece.info.name);
      if (expected == shard_of.end() || expected->second != shard) {
        throw base::UserError(
            "safetensors",
            (folder / shard).string() + ": holds tensor \"" + piece.info.name + "\", which " +
                (expected == shard_of.end() ? "the index does not name" : "the index has in " + expected->second) +
                "; the files are not of one model");
      }
      pieces.push_back(std::move(piece));
    }
  }
  std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.info.name < b.info.name; });
  for (const auto& [name, shard] : shard_of) {
    const auto found = std::lower_bound(pieces.begin(), pieces.end(), name,
                                        [](const auto& piece, const std::string& n) { return piece.info.name < n; });
    if (found == pieces.end() || found->info.name != name) {
      throw base::UserError("safetensors", (folder / shard).string() + ": lacks tensor \"" + name +
                                               "\", which the index has there; the files are not of one model");
    }
  }
  return std::make_shared<MappedTensors>(std::move(pieces), folder.string());
}

}  // namespace

std::shared_ptr<const TensorFiles> open_safetensors(const fs::path& file) {
  return std::make_shared<MappedTensors>(pieces_of(file), file.string());
}

std::shared_ptr<const TensorFiles> open_safetensors_folder(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) throw base::UserError("safetensors", folder.string() + ": is not a folder");
  // Where both are, transformers takes the single file, too.
  if (fs::exists(folder / kSingleName, ignored)) return open_safetensors(folder / kSingleName);
  if (fs::exists(folder / kIndexName, ignored)) return open_shards(folder);
  const bool pickled =
      fs::exists(folder / "pytorch_model.bin", ignored) || fs::exists(folder / "pytorch_model.bin.index.json", ignored);
  throw base::UserError("safetensors", folder.string() + ": has neither " + kSingleName + " nor " + kIndexName +
                                           (pickled ? "; pytorch_model.bin is not read: save the model with "
                                                      "safe_serialization=True"
                                                    : "; the download may not have finished"));
}

}  // namespace tritonrl::weights
