#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace tritonrl::base {

// What SQLite says is wrong.
class DatabaseError : public std::runtime_error {
 public:
  DatabaseError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }
  bool damaged() const;  // the file is none of SQLite's, or broken
  bool busy() const;

 private:
  int code_;
};

// A prepared statement. Values are bound by place, from 1, and stay until they are bound again.
class Statement {
 public:
  Statement(sqlite3* connection, const char* sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int place, std::int64_t value);
  Statement& bind(int place, double value);
  Statement& bind(int place, std::string_view text);
  Statement& bind_bytes(int place, std::string_view bytes);
  Statement& bind_nothing(int place);

  // To the next row; false: there is none, and the statement is as before its first row.
  bool step();
  // Of the row, by column from 0.
  std::int64_t whole(int column) const;
  double real(int column) const;
  std::string text(int column) const;  // or bytes
  bool is_null(int column) const;
  // For a statement without rows, or whose other rows nobody wants.
  void run();
  void reset();

 private:
  void check(int code) const;
  sqlite3* connection_;
  sqlite3_stmt* statement_ = nullptr;
};

// One connection to an SQLite file, for one thread at a time; other processes may have theirs. Everything throws
// DatabaseError.
class Database {
 public:
  // Makes the file if it is missing (not its folder). Readers and a writer may work at once.
  explicit Database(const std::filesystem::path& file, int busy_ms = 20'000);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql);
  Statement prepare(const char* sql) { return {connection_, sql}; }

  // All that is written until commit() counts, or nothing: a transaction that is not committed is undone.
  class Transaction {
   public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

   private:
    Database& database_;
    bool open_ = true;
  };

 private:
  void write_ahead();
  sqlite3* connection_ = nullptr;
  int busy_ms_;
};

}  // namespace tritonrl::base
