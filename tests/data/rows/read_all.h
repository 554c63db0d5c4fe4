#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/rows/byte_source.h"
#include "data/rows/json_rows.h"
#include "data/rows/row_reader.h"
#include "tests/paths.h"

namespace tritonrl::data {

inline std::vector<RowResult> read_all(RowReader& reader) {
  std::vector<RowResult> results;
  while (auto result = reader.next()) results.push_back(std::move(*result));
  return results;
}

// One word a result: "3" for a good row of number 3, "4:not_json" for a bad one.
inline std::string outline(const std::vector<RowResult>& results) {
  std::string out;
  for (const RowResult& result : results) {
    if (!out.empty()) out += ' ';
    out += std::to_string(result.number);
    if (!result.row) out += ":" + result.problem.reason;
  }
  return out;
}

struct JsonReading {
  std::size_t step = std::size_t{1} << 20;          // bytes that the source gives at once
  std::size_t read_bytes = std::size_t{256} << 10;  // bytes that are asked for
  std::int64_t skip = 0;
};

inline std::vector<RowResult> read_json(const std::string& text, const RowOptions& options = {},
                                        JsonReading reading = {}) {
  const auto reader = json_rows(memory_source(text, reading.step), "memory", options, reading.read_bytes);
  reader->skip(reading.skip);
  return read_all(*reader);
}

inline std::string golden(const std::string& name) {
  return source_path("tests/data/rows/goldens/" + name);
}

inline std::vector<RowResult> read_golden(const std::string& name, const RowOptions& options = {}) {
  return read_all(*open_rows(golden(name), options));
}

}  // namespace tritonrl::data
