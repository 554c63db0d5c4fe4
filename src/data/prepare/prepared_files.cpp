#include "data/prepare/prepared_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;
using base::Json;

[[noreturn]] void fail(const fs::path& path) {
  throw base::UserError("prepare", base::system_message(path.string()) + "; choose another --out, or free space");
}

void remove_contents(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != "lock") fs::remove_all(entry.path());
  }
}

// What differs between two texts of one JSON object each: "seed was 0, is 7".
std::string differences(const std::string& before, const std::string& now) {
  const Json old_values = Json::try_parse(before).value_or(Json()), values = Json::try_parse(now).value_or(Json());
  if (!old_values.is_object() || !values.is_object()) return "they were " + before + ", and are " + now;
  std::string out;
  const auto tell = [&](const std::string& name, const Json* was, const Json* is) {
    const auto text = [](const Json* value) { return value == nullptr ? std::string("absent") : value->dump(); };
    out += (out.empty() ? "" : "; ") + name + " was " + text(was) + ", is " + text(is);
  };
  for (const auto& [name, value] : values.items()) {
    const Json* was = old_values.find(name);
    if (was == nullptr || *was != value) tell(name, was, &value);
  }
  for (const auto& [name, value] : old_values.items()) {
    if (!values.contains(name)) tell(name, &value, nullptr);
  }
  return out;
}

}  // namespace

void PreparedFiles::Saved::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, fingerprint, judged, bytes, state);
}

PreparedFiles::PreparedFiles(const record::DataFolder& data, const std::string& fingerprint, const std::string& judged)
    : data_(data), work_(data.folder / ".prepare") {
  std::error_code error;
  fs::create_directories(work_, error);
  if (error) throw base::UserError("prepare", work_.string() + ": " + error.message() + "; choose another --out");
  lock_.reset(::open((work_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock_) fail(work_ / "lock");
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    throw base::UserError(
        "prepare",
        data.folder.string() + ": another process is preparing data there; wait for it, or choose another --out");

  saved_.fingerprint = fingerprint;
  saved_.judged = judged;
  if (fs::exists(work_ / "state.json")) go_on(base::read_file(work_ / "state.json"));
  if (!earlier_) {
    saved_.bytes.fill(0);
    remove_contents(work_);
  }
  for (std::size_t i = 0; i < kFiles; ++i) open(i, saved_.bytes[i]);
}

void PreparedFiles::go_on(const std::string& text) {
  const base::Result<Saved> read = base::from_json<Saved>(text, "state");
  if (!read.ok() || read.value().fingerprint != saved_.fingerprint) return;
  const Saved& saved = read.value();
  for (std::size_t i = 0; i < kFiles; ++i) {
    if (!fs::exists(part(i)) || static_cast<std::int64_t>(fs::file_size(part(i))) < saved.bytes[i]) return;
  }
  if (saved.judged != saved_.judged) {
    throw base::UserError("prepare", data_.folder.string() + ": an unfinished run there judged with other options: " +
                                         differences(saved.judged, saved_.judged) +
                                         "; give the same ones to go on with it, or remove " + work_.string() +
                                         " to begin again");
  }
  saved_.bytes = saved.bytes;
  earlier_ = saved.state;
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
  saved_.bytes[index] = bytes;
}

void PreparedFiles::write(File file, std::string_view line) {
  const auto index = static_cast<std::size_t>(file);
  std::FILE* out = files_[index].get();
  if (std::fwrite(line.data(), 1, line.size(), out) != line.size() || std::fputc('\n', out) == EOF) fail(part(index));
  saved_.bytes[index] += static_cast<std::int64_t>(line.size()) + 1;
}

void PreparedFiles::checkpoint(const std::string& state) {
  for (std::size_t i = 0; i < kFiles; ++i) {
    if (std::fflush(files_[i].get()) != 0 || ::fdatasync(fileno(files_[i].get())) != 0) fail(part(i));
  }
  saved_.state = state;
  base::write_file_atomically(work_ / "state.json", base::to_json(saved_).dump());
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
