#include "python/compile_cache.h"

#include <system_error>

#include "base/check.h"
#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"

namespace tritonrl::python {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "tritonrl compilation 1\n";  // then the checksum of the rest, a line end, the rest
constexpr std::size_t kChecksum = 64;
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

[[noreturn]] void unwritable(const fs::path& folder, const std::string& why) {
  throw base::UserError("kernel compiler", "the compile cache " + folder.string() + " cannot be written (" + why +
                                               "); make the folder writable or choose another");
}

bool is_key(std::string_view key) {
  return key.size() == 64 && key.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

CompileCache::CompileCache(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) unwritable(folder_, error.message());
  const fs::path probe = folder_ / ".writable";
  try {
    base::write_file_atomically(probe, "");
  } catch (const base::UserError& reason) {
    unwritable(folder_, reason.what());
  }
  fs::remove(probe, error);
}

// Two levels: a folder of a million files is slow on some file systems.
fs::path CompileCache::file_of(std::string_view key) const {
  TRL_CHECK(is_key(key), "a cache key is a SHA-256");
  return folder_ / key.substr(0, 2) / key.substr(2);
}

std::optional<std::string> CompileCache::find(std::string_view key) const {
  const fs::path file = file_of(key);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::string bytes;
  try {
    bytes = base::read_file(file, kMaxBytes);
  } catch (const base::UserError&) {  // as good as missing: it is made again
    return std::nullopt;
  }
  const std::size_t begin = kHead.size() + kChecksum + 1;
  const std::string_view view = bytes;
  if (view.size() < begin || !view.starts_with(kHead) || view[begin - 1] != '\n') return std::nullopt;
  // the key too, so that an entry under another's name is none
  if (base::sha256(std::string(key) + "\n" + bytes.substr(begin)) != view.substr(kHead.size(), kChecksum)) {
    return std::nullopt;
  }
  return bytes.substr(begin);
}

void CompileCache::store(std::string_view key, std::string_view bytes) {
  const fs::path file = file_of(key);
  std::string text(kHead);
  text += base::sha256(std::string(key) + "\n" + std::string(bytes)) + "\n";
  text += bytes;
  const std::lock_guard<std::mutex> lock(mutex_);  // threads of a process would write aside to the same place
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) unwritable(folder_, error.message());
  try {
    base::write_file_atomically(file, text);
  } catch (const base::UserError& reason) {
    unwritable(folder_, reason.what());
  }
}

}  // namespace tritonrl::python
