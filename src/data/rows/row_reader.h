#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "data/rows/row.h"

namespace tritonrl::data {

struct RowOptions {
  std::vector<std::string> columns;                      // those wanted; the others are not decoded. Empty: all
  std::size_t max_text_bytes = std::size_t{1} << 20;     // of one wanted text; a longer one spoils its row
  std::size_t max_object_bytes = std::size_t{64} << 20;  // of one JSON object as written; a longer one is skipped

  // All but `columns`.
  void fields(base::FieldVisitor& field) {
    field("max_text_bytes", max_text_bytes, {.help = "of one text of a row; longer ones are left out"});
    field("max_object_bytes", max_object_bytes,
          {.help = "of one JSON object as written; longer ones are skipped", .settable = false});
  }
};

// Why a row is of no use, or why a file ends early. The reasons are the same for every format:
//   not_json, not_an_object, not_utf8, too_long, wrong_type (a nested value where text, number or list of text
//   belongs), unreadable (the file itself is damaged from here on; rows may be missing after it).
struct RowProblem {
  std::string reason;
  std::string message;  // "column \"python_code\": 10485760 bytes, at most 1048576 are allowed"
};

struct RowResult {
  std::int64_t number = 0;  // of the row in its file, from 1, counting bad ones; of JSONL: the line
  std::int64_t rows = 1;    // of the file that it stands for, as skip() counts: more than 1 for those that damage took
  std::int64_t bytes = 0;   // of input consumed so far, for progress; of a parquet file: its share of rows done
  std::optional<Row> row;   // or
  RowProblem problem;
};

// The rows of one file, one after the other: memory does not grow with the file. For one thread at a time.
class RowReader {
 public:
  virtual ~RowReader() = default;

  // The next row, good or bad; none at the end. Damage inside a file is a RowResult of reason `unreadable`, after which
  // reading goes on where the format allows it (the next row group) or ends. InfrastructureError if the disk fails.
  virtual std::optional<RowResult> next() = 0;
  // Leaves out rows, good or bad, as next() would have given them, without looking into them more than the format
  // needs. To go on where an earlier reader stopped, skip the sum of its results' `rows`.
  virtual void skip(std::int64_t rows) = 0;
  // Rows in the file, where its head tells.
  virtual std::optional<std::int64_t> total() const = 0;
};

// Opens by content, not by name: parquet (zstd, snappy, gzip, none), a JSON array of objects, or JSON objects one after
// the other (JSONL, also pretty-printed). UserError names the file and says what was expected, for a missing file, a
// folder, a file of another type, a parquet file whose footer is cut off, and column-oriented JSON.
std::unique_ptr<RowReader> open_rows(const std::filesystem::path& path, const RowOptions& options);

// Whether parquet can be read here: the build had a Python with pyarrow, and its libraries can be loaded, which this
// does. Ask where there is such a file.
bool reads_parquet();

}  // namespace tritonrl::data
