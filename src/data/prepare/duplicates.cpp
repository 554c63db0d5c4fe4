#include "data/prepare/duplicates.h"

#include <sqlite3.h>

#include <cstring>
#include <optional>
#include <string>

#include "base/error.h"
#include "data/prepare/code_signature.h"

namespace tritonrl::data {
namespace {

constexpr const char* kTables =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"
    "PRAGMA cache_size = -4096;"  // KiB: all the memory that it takes
    "CREATE TABLE IF NOT EXISTS same (key INTEGER PRIMARY KEY, row INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS band (key INTEGER PRIMARY KEY, row INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS signature (row INTEGER PRIMARY KEY, bytes BLOB NOT NULL);";

}  // namespace

struct Duplicates::Impl {
  Impl(const std::filesystem::path& path, const DuplicateOptions& options_in)
      : options(options_in), file(path.string()) {
    try {
      check(sqlite3_open(file.c_str(), &connection));
      execute(kTables);
      find_same = prepare("SELECT row FROM same WHERE key = ?1");
      add_same = prepare("INSERT OR IGNORE INTO same (key, row) VALUES (?1, ?2)");
      find_band = prepare("SELECT row FROM band WHERE key = ?1");
      add_band = prepare("INSERT OR IGNORE INTO band (key, row) VALUES (?1, ?2)");
      find_signature = prepare("SELECT bytes FROM signature WHERE row = ?1");
      add_signature = prepare("INSERT OR REPLACE INTO signature (row, bytes) VALUES (?1, ?2)");
    } catch (...) {
      close();
      throw;
    }
  }
  ~Impl() { close(); }

  void close() {
    for (sqlite3_stmt* statement : {find_same, add_same, find_band, add_band, find_signature, add_signature})
      sqlite3_finalize(statement);
    sqlite3_close(connection);
  }

  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    throw base::UserError("prepare", file + ": " + sqlite3_errmsg(connection) +
                                         "; free space on its disk, or remove its folder and begin again");
  }
  void execute(const char* text) { check(sqlite3_exec(connection, text, nullptr, nullptr, nullptr)); }
  sqlite3_stmt* prepare(const char* text) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(connection, text, -1, &statement, nullptr));
    return statement;
  }

  std::optional<std::int64_t> find(sqlite3_stmt* statement, std::uint64_t key) {
    sqlite3_bind_int64(statement, 1, static_cast<std::int64_t>(key));
    const int code = sqlite3_step(statement);
    check(code);
    std::optional<std::int64_t> row;
    if (code == SQLITE_ROW) row = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return row;
  }
  void add(sqlite3_stmt* statement, std::uint64_t key, std::int64_t row) {
    sqlite3_bind_int64(statement, 1, static_cast<std::int64_t>(key));
    sqlite3_bind_int64(statement, 2, row);
    const int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    check(code);
  }

  std::optional<CodeSignature> signature_of(std::int64_t row) {
    std::optional<CodeSignature> out;
    sqlite3_bind_int64(find_signature, 1, row);
    const int code = sqlite3_step(find_signature);
    check(code);
    if (code == SQLITE_ROW && sqlite3_column_bytes(find_signature, 0) == sizeof(CodeSignature))
      std::memcpy(&out.emplace(), sqlite3_column_blob(find_signature, 0), sizeof(CodeSignature));
    sqlite3_reset(find_signature);
    return out;
  }
  void keep(std::int64_t row, const CodeSignature& signature) {
    sqlite3_bind_int64(add_signature, 1, row);
    sqlite3_bind_blob(add_signature, 2, &signature, sizeof(signature), SQLITE_TRANSIENT);
    const int code = sqlite3_step(add_signature);
    sqlite3_reset(add_signature);
    check(code);
  }

  void begin() {
    if (!open) execute("BEGIN");
    open = true;
  }

  const DuplicateOptions options;
  const std::string file;
  sqlite3* connection = nullptr;
  sqlite3_stmt *find_same = nullptr, *add_same = nullptr, *find_band = nullptr, *add_band = nullptr,
               *find_signature = nullptr, *add_signature = nullptr;
  bool open = false;  // a transaction
};

Duplicates::Duplicates(const std::filesystem::path& file, std::int64_t rows, const DuplicateOptions& options)
    : impl_(std::make_unique<Impl>(file, options)) {
  const std::string from = std::to_string(rows);
  for (const char* table : {"same", "band", "signature"})
    impl_->execute(("DELETE FROM " + std::string(table) + " WHERE row >= " + from).c_str());
}
Duplicates::~Duplicates() = default;

Duplicates::Answer Duplicates::look(std::int64_t row, std::string_view code) {
  Impl& impl = *impl_;
  impl.begin();
  const CodeSignature signature = code_signature(code);
  if (const auto earlier = impl.find(impl.find_same, signature.exact)) return {Seen::kSame, *earlier};
  if (impl.options.near && signature.comparable) {
    const auto keys = signature.band_keys();
    for (const std::uint64_t key : keys) {
      const auto earlier = impl.find(impl.find_band, key);
      const auto other = earlier ? impl.signature_of(*earlier) : std::nullopt;
      if (other && similarity(signature, *other) >= impl.options.similarity) return {Seen::kNear, *earlier};
    }
    for (const std::uint64_t key : keys) impl.add(impl.add_band, key, row);
    impl.keep(row, signature);
  }
  impl.add(impl.add_same, signature.exact, row);
  return {};
}

void Duplicates::commit() {
  if (impl_->open) impl_->execute("COMMIT");
  impl_->open = false;
}

}  // namespace tritonrl::data
