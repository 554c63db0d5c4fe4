#include "judge/verdict_cache.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "base/error.h"
#include "base/unique_fd.h"

namespace tritonrl::judge {

namespace fs = std::filesystem;

namespace {

constexpr int kBusyMs = 20'000;  // others hold the file for milliseconds

struct SqliteError {
  int code = 0;
  std::string message;

  bool damaged() const { return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB; }
};

}  // namespace

// One connection. Every method throws SqliteError.
class VerdictCache::Database {
 public:
  explicit Database(const fs::path& file) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    const int code = sqlite3_open_v2(file.c_str(), &connection_, flags, nullptr);
    try {
      check(code);
      sqlite3_busy_timeout(connection_, kBusyMs);
      use_log();
      execute("PRAGMA synchronous = NORMAL");
      execute(
          "CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, verdict TEXT NOT NULL, made INTEGER NOT NULL) "
          "WITHOUT ROWID");
      find_ = prepare("SELECT verdict FROM verdicts WHERE key = ?1");
      store_ = prepare("INSERT OR REPLACE INTO verdicts (key, verdict, made) VALUES (?1, ?2, ?3)");
      // A table that another program made in its own way shows here, and a file that cannot be written.
      execute("BEGIN IMMEDIATE");
      execute("COMMIT");
    } catch (...) {
      close();
      throw;
    }
  }
  ~Database() { close(); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  std::optional<std::string> find(const std::string& key) {
    const Reset reset{find_};
    bind(find_, 1, key);
    const int code = sqlite3_step(find_);
    if (code == SQLITE_DONE) return std::nullopt;
    if (code != SQLITE_ROW) check(code);
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(find_, 0));
    return text == nullptr ? std::string()
                           : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(find_, 0)));
  }

  void store(const std::string& key, const std::string& verdict) {
    const Reset reset{store_};
    bind(store_, 1, key);
    bind(store_, 2, verdict);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    check(sqlite3_bind_int64(store_, 3, std::chrono::duration_cast<std::chrono::seconds>(now).count()));
    if (const int code = sqlite3_step(store_); code != SQLITE_DONE) check(code);
  }

 private:
  struct Reset {
    sqlite3_stmt* statement;
    ~Reset() { sqlite3_reset(statement); }
  };

  void check(int code) const {
    if (code == SQLITE_OK) return;
    throw SqliteError{code, connection_ != nullptr ? sqlite3_errmsg(connection_) : sqlite3_errstr(code)};
  }
  void execute(const char* sql) { check(sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr)); }
  sqlite3_stmt* prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(connection_, sql, -1, &statement, nullptr));
    return statement;
  }
  // Readers and a writer at once; where the file system cannot, the older journal serves as well. While others open the
  // same new file, SQLite refuses the change at once, whatever the busy timeout: it is tried again.
  void use_log() {
    constexpr int kPauseMs = 5;
    for (int waited = 0;; waited += kPauseMs) {
      try {
        return execute("PRAGMA journal_mode = WAL");
      } catch (const SqliteError& failure) {
        if ((failure.code & 0xff) != SQLITE_BUSY || waited >= kBusyMs) throw;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(kPauseMs));
    }
  }
  void bind(sqlite3_stmt* statement, int index, const std::string& text) {
    check(sqlite3_bind_text64(statement, index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  }
  void close() {
    sqlite3_finalize(find_);
    sqlite3_finalize(store_);
    sqlite3_close(connection_);
  }

  sqlite3* connection_ = nullptr;
  sqlite3_stmt *find_ = nullptr, *store_ = nullptr;
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
    database_ = std::make_unique<Database>(file_);
  } catch (const SqliteError& failure) {
    if (!failure.damaged()) throw unusable(failure.message);
    try {
      replace_damaged();
    } catch (const SqliteError& again) {
      throw unusable(again.message);
    }
  }
}

VerdictCache::~VerdictCache() = default;

std::optional<record::Verdict> VerdictCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (!database_) return std::nullopt;
  try {
    const std::optional<std::string> text = database_->find(key);
    if (!text) return std::nullopt;
    base::Result<record::Verdict> verdict = record::verdict_from_json(*text);
    if (!verdict.ok()) return std::nullopt;
    return std::move(verdict).value();
  } catch (const SqliteError& failure) {
    if (!failure.damaged()) return std::nullopt;
  }
  try {
    replace_damaged();
  } catch (const SqliteError& failure) {
    warn("the verdict cache is off: " + failure.message);
  }
  return std::nullopt;
}

void VerdictCache::store(const std::string& key, const record::Verdict& verdict) {
  if (!is_judged(verdict.kind)) return;  // it may be another time
  const std::string text = record::to_json(verdict);
  const std::lock_guard lock(mutex_);
  if (!database_) return;
  try {
    try {
      database_->store(key, text);
    } catch (const SqliteError& failure) {
      if (!failure.damaged()) throw;
      replace_damaged();
      database_->store(key, text);
    }
  } catch (const SqliteError& failure) {
    if (!warned_) warn(file_.string() + ": a verdict could not be kept: " + failure.message);
    warned_ = true;
  }
}

base::UniqueFd VerdictCache::lock_file(int how) const {
  base::UniqueFd lock(::open((options_.folder / "verdicts.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (lock) ::flock(lock.get(), how);
  return lock;
}

void VerdictCache::replace_damaged() {
  database_.reset();
  const base::UniqueFd lock = lock_file(LOCK_EX);
  try {
    database_ = std::make_unique<Database>(file_);
    database_->find("");
    return;  // another process was first
  } catch (const SqliteError& failure) {
    if (!failure.damaged()) throw;
    database_.reset();
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string aside = file_.string() + ".damaged." +
                            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count()) + "." +
                            std::to_string(::getpid());
  std::error_code error;
  fs::rename(file_, aside, error);
  if (error) throw SqliteError{SQLITE_CANTOPEN, error.message()};
  for (const char* companion : {"-wal", "-shm", "-journal"}) fs::remove(file_.string() + companion, error);
  warn(file_.string() + " is damaged: moved to " + fs::path(aside).filename().string() + ", and a new one begun");
  database_ = std::make_unique<Database>(file_);
}

void VerdictCache::warn(const std::string& message) const {
  if (options_.warn) {
    options_.warn(message);
  } else {
    std::fprintf(stderr, "tritonrl: [cache] %s\n", message.c_str());
  }
}

}  // namespace tritonrl::judge
