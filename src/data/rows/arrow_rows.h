#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "data/rows/row_reader.h"

namespace tritonrl::data {

// What the library libtritonrl_parquet.so has: parquet_rows.h through Arrow. It is loaded when the first parquet file
// is read, so that programs start without Arrow, and work without it.
class ArrowRows {
 public:
  virtual ~ArrowRows() = default;
  virtual std::unique_ptr<RowReader> open(const std::filesystem::path& path, const RowOptions& options) const = 0;
  virtual std::unique_ptr<RowReader> in_memory(std::string_view bytes, const std::string& name,
                                               const RowOptions& options) const = 0;
};

// The one name by which the library is asked. The object lives as long as the process.
inline constexpr const char* kArrowRowsFunction = "tritonrl_arrow_rows";
using ArrowRowsFunction = const ArrowRows*();

}  // namespace tritonrl::data
