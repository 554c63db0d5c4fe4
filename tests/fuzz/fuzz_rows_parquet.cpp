// Parquet rows from any bytes. UserError is an answer; everything else is a finding, and so are rows that do not add up
// to the file's total or that skip() counts otherwise than next().
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "data/rows/arrow_rows.h"

using namespace tritonrl;

extern "C" const data::ArrowRows* tritonrl_arrow_rows();

namespace {

// More are not read: a damaged head may promise any number of rows of a column that is not there.
constexpr std::size_t kMaxResults = 2000;

void read_rows(std::string_view bytes, const data::RowOptions& options) {
  const auto reader = tritonrl_arrow_rows()->in_memory(bytes, "fuzz", options);
  const std::int64_t total = reader->total().value();
  std::vector<data::RowResult> all;
  std::int64_t rows = 0;
  while (all.size() < kMaxResults) {
    auto result = reader->next();
    if (!result) {
      TRL_CHECK(rows == total, "the rows add up");
      break;
    }
    TRL_CHECK(result->number == rows + 1, "rows are numbered one after the other");
    TRL_CHECK(result->row.has_value() == result->problem.reason.empty(), "a row or a reason");
    rows += result->rows;
    all.push_back(std::move(*result));
  }
  if (all.size() < 2) return;
  const std::size_t at = bytes.size() % all.size();
  const auto second = tritonrl_arrow_rows()->in_memory(bytes, "fuzz", options);
  second->skip(all[at].number - 1);
  const auto result = second->next();
  TRL_CHECK(result && result->number == all[at].number && result->row == all[at].row &&
                result->problem.reason == all[at].problem.reason,
            "skip() counts as next() does");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const data::RowOptions& options :
       {data::RowOptions{}, data::RowOptions{.columns = {"python_code", "licenses", "text"}, .max_text_bytes = 2000}}) {
    try {
      read_rows(bytes, options);
    } catch (const base::UserError&) {
    }
  }
  return 0;
}
