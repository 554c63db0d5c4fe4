#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "data/rows/row_reader.h"

namespace tritonrl::data {

// The rows of a parquet file. UserError if its footer is cut off or damaged, or if there is no Arrow.
std::unique_ptr<RowReader> parquet_rows(const std::filesystem::path& path, const RowOptions& options);

// The same of a file in memory, for tests; `bytes` must outlive the reader.
std::unique_ptr<RowReader> parquet_rows_in_memory(std::string_view bytes, const std::string& name,
                                                  const RowOptions& options);

}  // namespace tritonrl::data
