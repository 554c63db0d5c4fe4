#include "base/database.h"

#include <sqlite3.h>

#include <chrono>
#include <thread>
#include <utility>

namespace tritonrl::base {
namespace {

int primary(int code) {
  return code & 0xff;
}

[[noreturn]] void fail(sqlite3* connection, int code) {
  throw DatabaseError(code, connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code));
}

}  // namespace

bool DatabaseError::damaged() const {
  return primary(code_) == SQLITE_CORRUPT || primary(code_) == SQLITE_NOTADB;
}

bool DatabaseError::busy() const {
  return primary(code_) == SQLITE_BUSY;
}

Statement::Statement(sqlite3* connection, const char* sql) : connection_(connection) {
  check(sqlite3_prepare_v2(connection, sql, -1, &statement_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_), statement_(std::exchange(other.statement_, nullptr)) {}

void Statement::check(int code) const {
  if (code != SQLITE_OK) fail(connection_, code);
}

Statement& Statement::bind(int place, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, place, value));
  return *this;
}

Statement& Statement::bind(int place, double value) {
  check(sqlite3_bind_double(statement_, place, value));
  return *this;
}

Statement& Statement::bind(int place, std::string_view text) {
  const char* begin = text.empty() ? "" : text.data();  // no pointer would be no text
  check(sqlite3_bind_text64(statement_, place, begin, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_bytes(int place, std::string_view bytes) {
  const char* begin = bytes.empty() ? "" : bytes.data();
  check(sqlite3_bind_blob64(statement_, place, begin, bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_nothing(int place) {
  check(sqlite3_bind_null(statement_, place));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  const DatabaseError error(code, sqlite3_errmsg(connection_));
  sqlite3_reset(statement_);
  throw error;
}

std::int64_t Statement::whole(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

void Statement::run() {
  step();
  reset();
}

void Statement::reset() {
  sqlite3_reset(statement_);
}

Database::Database(const std::filesystem::path& file, int busy_ms) : busy_ms_(busy_ms) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(file.c_str(), &connection_, flags, nullptr);
  try {
    if (code != SQLITE_OK) fail(connection_, code);
    sqlite3_busy_timeout(connection_, busy_ms);
    write_ahead();
    execute("PRAGMA synchronous = NORMAL");
  } catch (...) {
    sqlite3_close(connection_);
    throw;
  }
}

Database::~Database() {
  sqlite3_close(connection_);
}

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(connection_, code);
}

// Readers and a writer at once; where the file system cannot, the older journal serves as well. While others open the
// same new file, SQLite refuses the change at once, whatever the busy timeout: it is tried again.
void Database::write_ahead() {
  constexpr int kPauseMs = 5;
  for (int waited = 0;; waited += kPauseMs) {
    try {
      return execute("PRAGMA journal_mode = WAL");
    } catch (const DatabaseError& failure) {
      if (!failure.busy() || waited >= busy_ms_) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(kPauseMs));
  }
}

Database::Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Database::Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const DatabaseError&) {  // SQLite has undone it already
  }
}

void Database::Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace tritonrl::base
