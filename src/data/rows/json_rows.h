#pragma once

#include <memory>
#include <string>

#include "data/rows/byte_source.h"
#include "data/rows/json_pieces.h"
#include "data/rows/row_reader.h"

namespace tritonrl::data {

// The rows of a JSON array of objects or of JSON objects one after the other. `name` is the file's, for messages.
// UserError, here or from the first next(), if the file is one object that holds whole columns.
std::unique_ptr<RowReader> json_rows(std::unique_ptr<ByteSource> source, const std::string& name,
                                     const RowOptions& options, std::size_t read_bytes = JsonPieceOptions{}.read_bytes);

}  // namespace tritonrl::data
