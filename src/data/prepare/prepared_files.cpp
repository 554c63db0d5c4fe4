#include "data/prepare/prepared_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

[[noreturn]] void fail(const fs::path& path) {
  throw base::UserError("prepare", base::system_message(path.string()) + "; choose another --out, or free space");
}

void remove_contents(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != "lock") fs::remove_all(entry.path());
  }
}

}  // namespace

PreparedFiles::PreparedFiles(const record::DataFolder& data, const std::string& fingerprint)
    : data_(data), fingerprint_(fingerprint), work_(data.folder / ".prepare") {
  std::error_code error;
  fs::create_directories(work_, error);
  if (error) throw base::UserError("prepare", work_.string() + ": " + error.message() + "; choose another --out");
  lock_.reset(::open((work_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock_) fail(work_ / "lock");
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    throw base::UserError(
        "prepare",
        data.folder.string() + ": another process is preparing data there; wait for it, or choose another --out");

  std::array<std::int64_t, kFiles> bytes{};
  if (fs::exists(work_ / "state.json")) {
    const Json state = Json::parse(base::read_file(work_ / "state.json"), nullptr, /*allow_exceptions=*/false);
    const bool ours = state.is_object() && state.value("fingerprint", "") == fingerprint && state.contains("state") &&
                      state["state"].is_string() && state.contains("bytes") && state["bytes"].is_array() &&
                      state["bytes"].size() == kFiles;
    bool complete = ours;
    for (std::size_t i = 0; complete && i < kFiles; ++i) {
      bytes[i] = state["bytes"][i].get<std::int64_t>();
      complete = fs::exists(part(i)) && static_cast<std::int64_t>(fs::file_size(part(i))) >= bytes[i];
    }
    if (complete) earlier_ = state["state"].get<std::string>();
  }
  if (!earlier_) {
    bytes.fill(0);
    remove_contents(work_);
  }
  for (std::size_t i = 0; i < kFiles; ++i) open(i, bytes[i]);
}

PreparedFiles::~PreparedFiles() = default;

fs::path PreparedFiles::place(std::size_t index) const {
  switch (static_cast<File>(index)) {
    case File::kTrain:
      return data_.pairs(record::Split::kTrain);
    case File::kValidation:
      return data_.pairs(record::Split::kValidation);
    case File::kTest:
      return data_.pairs(record::Split::kTest);
    case File::kLabels:
      return data_.labels();
    case File::kLeftOut:
      return data_.left_out();
  }
  return {};
}

fs::path PreparedFiles::part(std::size_t index) const {
  return work_ / place(index).filename();
}

void PreparedFiles::open(std::size_t index, std::int64_t bytes) {
  files_[index].reset(std::fopen(part(index).c_str(), "ae"));
  if (!files_[index] || ::ftruncate(fileno(files_[index].get()), bytes) != 0) fail(part(index));
  bytes_[index] = bytes;
}

void PreparedFiles::write(File file, std::string_view line) {
  const auto index = static_cast<std::size_t>(file);
  std::FILE* out = files_[index].get();
  if (std::fwrite(line.data(), 1, line.size(), out) != line.size() || std::fputc('\n', out) == EOF) fail(part(index));
  bytes_[index] += static_cast<std::int64_t>(line.size()) + 1;
}

void PreparedFiles::checkpoint(const std::string& state) {
  for (std::size_t i = 0; i < kFiles; ++i) {
    if (std::fflush(files_[i].get()) != 0 || ::fdatasync(fileno(files_[i].get())) != 0) fail(part(i));
  }
  base::write_file_atomically(work_ / "state.json",
                              Json{{"fingerprint", fingerprint_}, {"bytes", bytes_}, {"state", state}}.dump());
}

void PreparedFiles::finish(const std::string& report) {
  checkpoint("finished");  // all bytes are on the disk before any name changes
  for (std::size_t i = 0; i < kFiles; ++i) {
    files_[i].reset();
    std::error_code error;
    fs::rename(part(i), place(i), error);
    if (error) throw base::UserError("prepare", place(i).string() + ": " + error.message());
  }
  base::write_file_atomically(data_.report(), report + "\n");
  fs::remove_all(work_);
}

}  // namespace tritonrl::data
