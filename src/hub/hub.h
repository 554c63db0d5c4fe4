#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::hub {

// A repository of the Hugging Face hub, or of a server that speaks its protocol.
struct Repository {
  enum class Kind { kModel, kDataset };
  Kind kind = Kind::kModel;
  std::string id;                 // "owner/name" or "name"
  std::string revision = "main";  // a branch, tag or commit
};

// Whether `name` has the form of an id: one or two parts of letters, digits, '-', '_' and '.'.
bool is_repository_id(std::string_view name);

struct HubOptions {
  std::string endpoint = "https://huggingface.co";  // HF_ENDPOINT
  std::string token = {};  // HF_TOKEN, or the text of HF_TOKEN_PATH / HF_HOME/token; sent to the endpoint's host alone
  std::filesystem::path cache = {};  // HF_HUB_CACHE, else HF_HOME/hub, else below ~/.cache; Hugging Face's own layout
  bool offline = false;              // HF_HUB_OFFLINE: nothing is asked or downloaded
  int retries = 5;                   // of a request that failed for no lasting reason; pauses double from `retry_ms`
  std::int64_t retry_ms = 500;
  std::int64_t connect_ms = 5'000;  // a server that does not take the connection by then cannot be reached
  std::int64_t idle_seconds = 30;   // a transfer that stands still so long is broken off (and tried again)
};

// The options that Hugging Face's environment variables give; `get` looks one up (nullptr: not set). A variable that is
// set to nothing counts as not set.
HubOptions options_from_environment(const std::function<const char*(const char*)>& get);

// Told while files come, often: file, bytes there, bytes in all (0: not known). Once more when a file is whole.
using Transfer = std::function<void(const std::string& file, std::int64_t bytes, std::int64_t total)>;

// The snapshot folder of a repository in the local cache, whatever files it has; none: it is not there.
// `problem`, where given, says which place was looked at.
std::optional<std::filesystem::path> cached_snapshot(const Repository& repository, const HubOptions& options,
                                                     std::string* problem = nullptr);

// The snapshot folder with all files that `wanted` accepts: those in the cache are taken as they are, the others are
// downloaded, each resumed where an earlier transfer stopped, checked by size and hash (SHA-256 of large files, Git's
// blob SHA-1 of others), and only then given their name. Files appear in the snapshot when all of them are there.
// The server is asked what the revision means, unless that is a commit which is complete in the cache. Where it cannot
// be asked or refuses, a cached snapshot is enough: one that lacks nothing of what it is known to have, or, where that
// is not known, one with wanted files. Several processes may do this at once, Python's huggingface_hub among them.
// UserError says what must be fixed: no such repository, a token is needed or refused, no network, no space; a file
// whose hash is wrong after a second try.
std::filesystem::path fetch(const Repository& repository, const std::function<bool(const std::string& file)>& wanted,
                            const HubOptions& options, const Transfer& transfer = {});

// Which of a repository's files are wanted, for who must see all names to tell. May throw UserError.
using Choice = std::function<std::vector<std::string>(const std::vector<std::string>& files)>;
// `fetch` of the chosen files.
std::filesystem::path fetch_chosen(const Repository& repository, const Choice& choose, const HubOptions& options,
                                   const Transfer& transfer = {});

// The files of a repository that make a model here: configuration, safetensors, tokenizer.
bool is_model_file(const std::string& file);
// Those, the shards left where one file has all; or else the only .gguf file. UserError where that is not one.
std::vector<std::string> choose_model_files(const std::vector<std::string>& files);
// Those that make a data set: .parquet, .json, .jsonl, but no README's metadata.
bool is_dataset_file(const std::string& file);
// The parquet files, or where there are none, the others of is_dataset_file: hubs keep the same rows in both forms.
std::vector<std::string> choose_dataset_files(const std::vector<std::string>& files);

}  // namespace tritonrl::hub
