#include "judge/verdict_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "base/database.h"
#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::judge {

namespace fs = std::filesystem;

// The table of the file.
class VerdictCache::Table {
 public:
  explicit Table(const fs::path& file) : database_(file) {
    database_.execute(
        "CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, verdict TEXT NOT NULL, made INTEGER NOT NULL) "
        "WITHOUT ROWID");
    find_.emplace(database_.prepare("SELECT verdict FROM verdicts WHERE key = ?1"));
    store_.emplace(database_.prepare("INSERT OR REPLACE INTO verdicts (key, verdict, made) VALUES (?1, ?2, ?3)"));
    // A table that another program made in its own way shows here, and a file that cannot be written.
    base::Database::Transaction(database_).commit();
  }

  std::optional<std::string> find(const std::string& key) {
    if (!find_->bind(1, key).step()) return std::nullopt;
    std::string text = find_->text(0);
    find_->reset();
    return text;
  }

  void store(const std::string& key, const std::string& verdict) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    store_->bind(1, key).bind(2, verdict).bind(3, std::chrono::duration_cast<std::chrono::seconds>(now).count());
    store_->run();
  }

 private:
  base::Database database_;
  std::optional<base::Statement> find_, store_;  // gone before their database
};

VerdictCache::VerdictCache(VerdictCacheOptions options)
    : options_(std::move(options)), file_(options_.folder / "verdicts.sqlite") {
  const auto unusable = [this](const std::string& reason) {
    return base::UserError("cache", options_.folder.string() + ": cannot be used for the verdict cache (" + reason +
                                        "); choose another folder with --cache DIR, or pass --no-cache");
  };
  std::error_code error;
  fs::create_directories(options_.folder, error);
  if (error) throw unusable(error.message());
  try {
    const base::UniqueFd lock = lock_file(LOCK_SH);
    table_ = std::make_unique<Table>(file_);
  } catch (const base::DatabaseError& failure) {
    if (!failure.damaged()) throw unusable(std::string(failure.what()));
    try {
      replace_damaged();
    } catch (const base::DatabaseError& again) {
      throw unusable(again.what());
    }
  }
}

VerdictCache::~VerdictCache() = default;

std::optional<record::Verdict> VerdictCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (!table_) return std::nullopt;
  try {
    const std::optional<std::string> text = table_->find(key);
    if (!text) return std::nullopt;
    base::Result<record::Verdict> verdict = record::verdict_from_json(*text);
    if (!verdict.ok()) return std::nullopt;
    return std::move(verdict).value();
  } catch (const base::DatabaseError& failure) {
    if (!failure.damaged()) return std::nullopt;
  }
  try {
    replace_damaged();
  } catch (const base::DatabaseError& failure) {
    warn("the verdict cache is off: " + std::string(failure.what()));
  }
  return std::nullopt;
}

void VerdictCache::store(const std::string& key, const record::Verdict& verdict) {
  if (!is_judged(verdict.kind)) return;  // it may be another time
  const std::string text = record::to_json(verdict);
  const std::lock_guard lock(mutex_);
  if (!table_) return;
  try {
    try {
      table_->store(key, text);
    } catch (const base::DatabaseError& failure) {
      if (!failure.damaged()) throw;
      replace_damaged();
      table_->store(key, text);
    }
  } catch (const base::DatabaseError& failure) {
    if (!warned_) warn(file_.string() + ": a verdict could not be kept: " + std::string(failure.what()));
    warned_ = true;
  }
}

base::UniqueFd VerdictCache::lock_file(int how) const {
  base::UniqueFd lock(::open((options_.folder / "verdicts.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock) ::flock(lock.get(), how);
  return lock;
}

void VerdictCache::replace_damaged() {
  table_.reset();
  const base::UniqueFd lock = lock_file(LOCK_EX);
  try {
    table_ = std::make_unique<Table>(file_);
    table_->find("");
    return;  // another process was first
  } catch (const base::DatabaseError& failure) {
    if (!failure.damaged()) throw;
    table_.reset();
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string aside = file_.string() + ".damaged." +
                            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count()) + "." +
                            std::to_string(::getpid());
  std::error_code error;
  fs::rename(file_, aside, error);
  if (error) throw base::DatabaseError(0, error.message());
  for (const char* companion : {"-wal", "-shm", "-journal"}) fs::remove(file_.string() + companion, error);
  warn(file_.string() + " is damaged: moved to " + fs::path(aside).filename().string() + ", and a new one begun");
  table_ = std::make_unique<Table>(file_);
}

void VerdictCache::warn(const std::string& message) const {
  if (options_.warn) {
    options_.warn(message);
  } else {
    std::fprintf(stderr, "tritonrl: [cache] %s\n", message.c_str());
  }
}

}  // namespace tritonrl::judge
