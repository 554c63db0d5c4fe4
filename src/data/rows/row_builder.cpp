#include "data/rows/row_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "text/tokenizer/utf8.h"

namespace tritonrl::data {

RowBuilder::RowBuilder(const RowOptions& options) : wanted_(options.columns), max_text_bytes_(options.max_text_bytes) {
  std::sort(wanted_.begin(), wanted_.end());
}

bool RowBuilder::wants(std::string_view column) const {
  return wanted_.empty() || std::binary_search(wanted_.begin(), wanted_.end(), column);
}

void RowBuilder::set(std::string_view column, Field value) {
  if (!problems_.empty()) {
    const auto problem = problems_.find(column);
    if (problem != problems_.end()) problems_.erase(problem);
  }
  row_.fields.insert_or_assign(std::string(column), std::move(value));
}

void RowBuilder::spoil(std::string_view column, std::string reason, std::string message) {
  problems_.insert_or_assign(
      std::string(column),
      RowProblem{std::move(reason), "column \"" + text::replace_invalid_utf8(column) + "\": " + message});
}

void RowBuilder::set_null(std::string_view column) {
  set(column, std::monostate{});
}

void RowBuilder::set_bool(std::string_view column, bool value) {
  set(column, value);
}

void RowBuilder::set_integer(std::string_view column, std::int64_t value) {
  set(column, value);
}

void RowBuilder::set_unsigned(std::string_view column, std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    set(column, static_cast<std::int64_t>(value));
  } else {
    set(column, static_cast<double>(value));
  }
}

void RowBuilder::set_number(std::string_view column, double value) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (std::isnan(value)) {
    set_null(column);
  } else if (value >= -kTwoTo63 && value < kTwoTo63 && std::trunc(value) == value) {
    set(column, static_cast<std::int64_t>(value));
  } else {
    set(column, value);
  }
}

void RowBuilder::set_text(std::string_view column, std::string_view bytes) {
  if (bytes.size() > max_text_bytes_) return set_too_long(column, bytes.size());
  if (!text::is_valid_utf8(bytes)) return set_not_utf8(column);
  set(column, std::string(bytes));
}

void RowBuilder::set_texts(std::string_view column, std::vector<std::string> texts) {
  std::size_t bytes = 0;
  for (const std::string& each : texts) bytes += each.size();
  if (bytes > max_text_bytes_) return set_too_long(column, bytes);
  for (const std::string& each : texts) {
    if (!text::is_valid_utf8(each)) return set_not_utf8(column);
  }
  set(column, std::move(texts));
}

void RowBuilder::set_too_long(std::string_view column, std::size_t bytes) {
  spoil(column, "too_long",
        std::to_string(bytes) + " bytes, at most " + std::to_string(max_text_bytes_) + " are allowed");
}

void RowBuilder::set_not_utf8(std::string_view column) {
  spoil(column, "not_utf8", "not valid UTF-8");
}

void RowBuilder::set_wrong_type(std::string_view column, const std::string& found) {
  spoil(column, "wrong_type", found + ", expected a text, a number, true or false, or a list of texts");
}

void RowBuilder::finish(RowResult& result) {
  if (problems_.empty()) {
    result.row = std::move(row_);
  } else {
    result.problem = std::move(problems_.begin()->second);
  }
  clear();
}

void RowBuilder::clear() {
  row_ = {};
  problems_.clear();
}

}  // namespace tritonrl::data
