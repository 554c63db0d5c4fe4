// JSON rows from any bytes: a UserError about whole columns is an answer; everything else is a finding. So is a result
// that depends on the sizes of buffers, that skip() counts otherwise than next(), or that takes for JSON what is none.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "data/rows/byte_source.h"
#include "data/rows/json_object.h"
#include "data/rows/json_rows.h"
#include "data/rows/row_builder.h"

using namespace tritonrl;

namespace {

bool same(const data::RowResult& a, const data::RowResult& b) {
  return a.number == b.number && a.bytes == b.bytes && a.row == b.row && a.problem.reason == b.problem.reason &&
         a.problem.message == b.problem.message;
}

std::vector<data::RowResult> rest_of(data::RowReader& reader) {
  std::vector<data::RowResult> results;
  std::int64_t number = 0;
  while (auto result = reader.next()) {
    TRL_CHECK(result->number >= number, "numbers ascend");
    TRL_CHECK(result->row.has_value() == result->problem.reason.empty(), "a row or a reason");
    number = result->number;
    results.push_back(std::move(*result));
  }
  TRL_CHECK(!reader.next(), "the end stays the end");
  return results;
}

void read_rows(std::string_view text, const data::RowOptions& options) {
  const auto open = [&](std::size_t step, std::size_t read) {
    return data::json_rows(data::memory_source(text, step), "fuzz", options, read);
  };
  const auto all = rest_of(*open(1 << 20, 1 << 12));
  const auto again = rest_of(*open(3, 5));
  TRL_CHECK(std::equal(all.begin(), all.end(), again.begin(), again.end(), same), "the buffers do not matter");
  const auto skip = static_cast<std::ptrdiff_t>(std::min(text.size() % 5, all.size()));
  const auto reader = open(7, 16);
  reader->skip(skip);
  const auto rest = rest_of(*reader);
  TRL_CHECK(std::equal(all.begin() + skip, all.end(), rest.begin(), rest.end(), same), "skip() counts as next() does");
}

// Another parser's opinion, but for where they differ knowingly: it reads deeper, refuses what no double can hold, and
// takes a zero byte for the end.
void compare(std::string_view text) {
  if (text.find('\0') != text.npos) return;
  data::RowBuilder builder({});
  const auto error = data::parse_json_object(text, builder);
  const bool theirs = nlohmann::json::accept(text);
  if (error) {
    TRL_CHECK(!theirs || !text.starts_with('{') || error->message.starts_with("nested"), "ours refuses JSON");
    return;
  }
  data::RowResult result;
  builder.finish(result);
  if (theirs || !result.row) return;
  TRL_CHECK(text.find_first_of("eE") != text.npos || text.size() > 300, "ours takes what is no JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const data::RowOptions& options :
       {data::RowOptions{},
        data::RowOptions{.columns = {"x", "python_code"}, .max_text_bytes = 40, .max_object_bytes = 200}}) {
    try {
      read_rows(text, options);
    } catch (const base::UserError&) {
    }
  }
  compare(text);
  return 0;
}
