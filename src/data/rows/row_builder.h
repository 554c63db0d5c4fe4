#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/rows/row.h"
#include "data/rows/row_reader.h"

namespace tritonrl::data {

// Makes a Row of what a format's reader found, by the rules that all formats share. Where several columns are spoilt,
// the problem is that of the first by name, whatever the file's order. A column that is set again counts as set last.
class RowBuilder {
 public:
  explicit RowBuilder(const RowOptions& options);

  bool wants(std::string_view column) const;
  std::size_t max_text_bytes() const { return max_text_bytes_; }

  void set_null(std::string_view column);
  void set_bool(std::string_view column, bool value);
  void set_integer(std::string_view column, std::int64_t value);
  void set_unsigned(std::string_view column, std::uint64_t value);  // beyond int64: a double
  void set_number(std::string_view column, double value);           // an integral one becomes an integer, NaN null
  void set_text(std::string_view column, std::string_view bytes);   // too_long, not_utf8
  void set_texts(std::string_view column, std::vector<std::string> texts);  // too_long by their sum, not_utf8
  void set_too_long(std::string_view column, std::size_t bytes);
  void set_not_utf8(std::string_view column);
  void set_wrong_type(std::string_view column, const std::string& found);  // "an object", "a list of numbers"

  // The row, or what spoils it, into `result`; the builder is then ready for the next row.
  void finish(RowResult& result);
  // Forgets what was set.
  void clear();

 private:
  void set(std::string_view column, Field value);
  void spoil(std::string_view column, std::string reason, std::string message);

  std::vector<std::string> wanted_;  // sorted; empty: all
  std::size_t max_text_bytes_;
  Row row_;
  std::map<std::string, RowProblem, std::less<>> problems_;
};

}  // namespace tritonrl::data
