#include <array>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "data/rows/byte_source.h"
#include "data/rows/file_kind.h"
#include "data/rows/json_rows.h"
#include "data/rows/parquet_rows.h"
#include "data/rows/row_reader.h"

namespace tritonrl::data {
namespace {

std::string beginning(const std::filesystem::path& path) {
  const auto source = file_source(path);
  std::string head(4096, '\0');
  std::size_t length = 0;
  while (length < head.size()) {
    const std::size_t count = source->read(head.data() + length, head.size() - length);
    if (count == 0) break;
    length += count;
  }
  head.resize(length);
  return head;
}

}  // namespace

std::unique_ptr<RowReader> open_rows(const std::filesystem::path& path, const RowOptions& options) {
  const std::string name = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw base::UserError("data", name + " does not exist");
  if (std::filesystem::is_directory(status)) {
    throw base::UserError("data", name + " is a folder; name a parquet, JSON or JSONL file in it");
  }
  if (!std::filesystem::is_regular_file(status)) throw base::UserError("data", name + " is no regular file");
  const FileKindFound found = kind_of_file(beginning(path));
  switch (found.kind) {
    case FileKind::kParquet:
      return parquet_rows(path, options);
    case FileKind::kJson:
      return json_rows(file_source(path), name, options);
    case FileKind::kEmpty:
    case FileKind::kOther:
      break;
  }
  throw base::UserError("data", name + " " + found.complaint);
}

}  // namespace tritonrl::data
