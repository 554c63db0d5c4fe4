#include <algorithm>
#include <set>
#include <utility>

#include "base/aside_file.h"
#include "base/check.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "weights/checked_size.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

std::size_t bytes_of(const TensorInfo& info) {
  const std::optional<std::size_t> elements = checked_elements(info.shape);
  const std::optional<std::size_t> bytes = elements ? checked_multiply(*elements, size_of(info.dtype)) : std::nullopt;
  TRL_CHECK(bytes.has_value(), "the size of " + info.name);
  return *bytes;
}

// Wide types first, so that every tensor lies at a multiple of its element's size, as the reference writes it.
std::vector<const TensorToWrite*> in_file_order(const std::vector<TensorToWrite>& tensors) {
  std::vector<const TensorToWrite*> ordered;
  std::set<std::string_view> names;
  for (const TensorToWrite& tensor : tensors) {
    TRL_CHECK(tensor.info.name != "__metadata__", "a tensor's name");
    TRL_CHECK(names.insert(tensor.info.name).second, "two tensors named " + tensor.info.name);
    ordered.push_back(&tensor);
  }
  std::sort(ordered.begin(), ordered.end(), [](const TensorToWrite* a, const TensorToWrite* b) {
    const std::size_t wide_a = size_of(a->info.dtype), wide_b = size_of(b->info.dtype);
    return wide_a != wide_b ? wide_a > wide_b : a->info.name < b->info.name;
  });
  return ordered;
}

std::string header_text(const std::vector<const TensorToWrite*>& ordered,
                        const std::map<std::string, std::string>& metadata) {
  base::Json header = base::Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::size_t at = 0;
  for (const TensorToWrite* tensor : ordered) {
    const std::size_t end = at + bytes_of(tensor->info);
    // Names are known to differ: by name each would be looked for among all before it.
    header.items().push_back({tensor->info.name,
                              {{"dtype", safetensors_name(tensor->info.dtype)},
                               {"shape", tensor->info.shape},
                               {"data_offsets", base::Json::array({at, end})}}});
    at = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

std::string shard_name(std::size_t number, std::size_t count) {
  const auto five = [](std::size_t n) {
    const std::string digits = std::to_string(n);
    return digits.size() >= 5 ? digits : std::string(5 - digits.size(), '0') + digits;
  };
  return "model-" + five(number) + "-of-" + five(count) + ".safetensors";
}

bool is_shard_name(const std::string& name) {
  const auto digits = [&](std::size_t from) {
    return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(from),
                       name.begin() + static_cast<std::ptrdiff_t>(from) + 5,
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  return name.size() == shard_name(1, 1).size() && name.starts_with("model-") && digits(6) &&
         name.substr(11, 4) == "-of-" && digits(15) && name.ends_with(".safetensors");
}

// What an earlier save left: transformers, like us, would read a stale model.safetensors before the new shards.
void remove_stale(const fs::path& folder, const std::set<std::string>& written) {
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name == "model.safetensors" || name == "model.safetensors.index.json" || is_shard_name(name);
    if (ours && !written.contains(name)) fs::remove(entry.path(), problem);
    if (problem)
      throw base::UserError("safetensors", "cannot remove " + entry.path().string() + ": " + problem.message());
  }
}

}  // namespace

void write_safetensors(const fs::path& file, const std::vector<TensorToWrite>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  const std::vector<const TensorToWrite*> ordered = in_file_order(tensors);
  const std::string header = header_text(ordered, metadata);
  const std::uint64_t length = header.size();
  base::AsideFile out(file);
  out.write({reinterpret_cast<const char*>(&length), sizeof(length)});
  out.write(header);
  for (const TensorToWrite* tensor : ordered) {
    const StoredTensor stored = tensor->bytes();
    TRL_CHECK(stored.data.size() == bytes_of(tensor->info), "the bytes of " + tensor->info.name);
    out.write({reinterpret_cast<const char*>(stored.data.data()), stored.data.size()});
  }
  out.finish();
}

void write_safetensors_folder(const fs::path& folder, const std::vector<TensorToWrite>& tensors,
                              std::size_t shard_bytes) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    throw base::UserError("safetensors", "cannot make the folder " + folder.string() + ": " + problem.message());
  std::vector<std::vector<TensorToWrite>> shards(1);
  std::size_t filled = 0, total = 0;
  for (const TensorToWrite& tensor : tensors) {
    const std::size_t bytes = bytes_of(tensor.info);
    if (!shards.back().empty() && filled + bytes > shard_bytes) {
      shards.emplace_back();
      filled = 0;
    }
    shards.back().push_back(tensor);
    filled += bytes;
    total += bytes;
  }
  std::set<std::string> written;
  if (shards.size() == 1) {
    write_safetensors(folder / "model.safetensors", tensors);
    written.insert("model.safetensors");
  } else {
    std::map<std::string, std::string> shard_of;
    for (std::size_t i = 0; i < shards.size(); ++i) {
      const std::string name = shard_name(i + 1, shards.size());
      write_safetensors(folder / name, shards[i]);
      written.insert(name);
      for (const TensorToWrite& tensor : shards[i]) {
        TRL_CHECK(shard_of.emplace(tensor.info.name, name).second, "two tensors named " + tensor.info.name);
      }
    }
    const base::Json index = {{"metadata", {{"total_size", total}}}, {"weight_map", shard_of}};
    base::write_file_atomically(folder / "model.safetensors.index.json", index.dump(2) + "\n");
    written.insert("model.safetensors.index.json");
  }
  remove_stale(folder, written);
}

}  // namespace tritonrl::weights
