#include "base/error.h"
#include "data/rows/parquet_rows.h"

namespace tritonrl::data {

bool reads_parquet() {
  return false;
}

std::unique_ptr<RowReader> parquet_rows(const std::filesystem::path& path, const RowOptions& options) {
  return parquet_rows_in_memory({}, path.string(), options);
}

std::unique_ptr<RowReader> parquet_rows_in_memory(std::string_view, const std::string& name, const RowOptions&) {
  throw base::UserError("data", name + " is a parquet file, and this build cannot read those: install pyarrow into " +
                                    "the Python of TRITONRL_PYTHON (pip install pyarrow), configure and build again; " +
                                    "or use the JSON form of the file");
}

}  // namespace tritonrl::data
