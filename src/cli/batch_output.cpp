#include "cli/batch_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "base/sha256.h"

namespace tritonrl::cli {
namespace {

using base::Json;

base::UniqueFd open_or_throw(const std::string& path, int flags) {
  base::UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!fd) throw base::UserError("batch", base::system_message("cannot write " + path) + "; choose another --out");
  return fd;
}

// Only one process writes a batch; the lock goes with the process.
bool lock(int fd) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(fd, F_SETLK, &whole) == 0;
}

// Through the descriptor that is open already: closing another one of the same file would give up the lock.
std::string read_all(int fd, const std::string& path) {
  std::string text;
  char block[65536];
  for (;;) {
    const ssize_t n = ::pread(fd, block, sizeof(block), static_cast<off_t>(text.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw base::UserError("batch", base::system_message(path));
    if (n == 0) return text;
    text.append(block, static_cast<std::size_t>(n));
  }
}

void cut(int fd, std::int64_t bytes, const std::string& path) {
  if (::ftruncate(fd, bytes) != 0 || ::lseek(fd, bytes, SEEK_SET) < 0)
    throw base::UserError("batch", base::system_message("cannot write " + path));
}

// The first line of the state file.
struct BatchState {
  std::string fingerprint;
  std::uint64_t seed = 0;
  void fields(base::FieldVisitor& field) {
    field("fingerprint", fingerprint);
    field("seed", seed);
  }
};

// What became of a line that an earlier run wrote; nothing if it is no result.
std::optional<std::string> kind_of(const std::string& line) {
  const std::optional<Json> json = Json::try_parse(line);
  if (!json) return std::nullopt;
  if (json->contains("error")) return "error";
  const Json* verdict = json->find("verdict");
  const Json* kind = verdict == nullptr ? nullptr : verdict->find("kind");
  if (kind == nullptr || !kind->is_string()) return std::nullopt;
  return kind->text();
}

}  // namespace

std::string chain_hash(const std::string& before, const std::string& line) {
  return base::sha256(before + "\n" + line);
}

BatchOutput::BatchOutput(const BatchOutputOptions& options) : options_(options), seed_(options.seed) {
  if (options_.path == "-") {
    out_.reset(::dup(STDOUT_FILENO));
    return;
  }
  struct stat info {};
  const bool exists = ::stat(options_.path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    throw base::UserError("batch", options_.path + ": is a directory; --out names a file");
  if (exists && !S_ISREG(info.st_mode)) {  // a pipe or a device: nothing to go on with later
    out_ = open_or_throw(options_.path, O_WRONLY);
    return;
  }
  // Results first: where they cannot be, no state file is left behind.
  out_ = open_or_throw(options_.path, O_RDWR | O_CREAT);
  const bool has_state = ::access(state_path().c_str(), F_OK) == 0;
  state_ = open_or_throw(state_path(), O_RDWR | O_CREAT);
  if (!lock(state_.get()))
    throw base::UserError("batch", options_.path + ": is being written by another process; wait for it");
  const bool has_results = exists && info.st_size > 0;
  if (!has_results || options_.overwrite) {
    begin();
    return;
  }
  if (!has_state) {
    ::unlink(state_path().c_str());
    refuse("is finished, or not from `tritonrl verify --batch`");
  }
  take_up();
}

void BatchOutput::begin() {
  cut(out_.get(), 0, options_.path);
  cut(state_.get(), 0, state_path());
  ::fchmod(state_.get(), 0600);  // it holds the seed
  base::write_all(state_.get(), base::to_json(BatchState{options_.fingerprint, seed_}).dump() + "\n", state_path());
}

void BatchOutput::take_up() {
  std::istringstream state(read_all(state_.get(), state_path()));
  std::string line;
  std::getline(state, line);
  const base::Result<BatchState> head = base::from_json<BatchState>(line, "the state");
  if (!head.ok()) refuse("has an unreadable " + state_path());
  if (head.value().fingerprint != options_.fingerprint) refuse("was begun with other options or another judge");
  seed_ = head.value().seed;
  kept_state_bytes_ = static_cast<std::int64_t>(line.size() + 1);

  std::ifstream results(options_.path);
  std::string hash;
  // A line at whose end the file ends has no newline: it is torn.
  while (std::getline(state, hash) && !state.eof() && std::getline(results, line) && !results.eof()) {
    const std::optional<std::string> kind = kind_of(line);
    if (!kind) break;
    ++kept_;
    ++kept_kinds_[*kind];
    kept_bytes_ += static_cast<std::int64_t>(line.size() + 1);
    kept_state_bytes_ += static_cast<std::int64_t>(hash.size() + 1);
    kept_hash_ = hash;
  }
}

void BatchOutput::go_on(const std::string& input_hash) {
  if (kept_state_bytes_ == 0) return;  // a new batch, or one that cannot go on
  if (kept_ > 0 && input_hash != kept_hash_) refuse("was begun with other input");
  cut(out_.get(), kept_bytes_, options_.path);
  cut(state_.get(), kept_state_bytes_, state_path());
}

void BatchOutput::write(const std::string& line, const std::string& input_hash) {
  if (state_) base::write_all(state_.get(), input_hash + "\n", state_path());
  base::write_all(out_.get(), line + "\n", options_.path);
}

void BatchOutput::finish() {
  if (!state_) return;
  if (::fsync(out_.get()) != 0) throw base::UserError("batch", base::system_message("cannot write " + options_.path));
  ::unlink(state_path().c_str());
}

void BatchOutput::refuse(const std::string& reason) const {
  throw base::UserError(
      "batch", options_.path + ": exists and " + reason + "; choose another --out, or pass --overwrite to begin anew");
}

}  // namespace tritonrl::cli
