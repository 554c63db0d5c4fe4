#include "weights/gguf.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "base/error.h"
#include "weights/gguf_cursor.h"

namespace tritonrl::weights {
namespace {

constexpr std::size_t kLongestShown = 80;

template <typename T>
T number_at(const std::byte* at) {
  T number{};
  std::memcpy(&number, at, sizeof(T));
  return number;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string clean(text.substr(0, kLongestShown));
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return text.size() > kLongestShown ? clean + "..." : clean;
}

void GgufFile::fail(const std::string& problem) const {
  throw base::UserError("gguf", where_ + ": " + problem);
}

std::size_t GgufFile::width(ValueType type) {
  switch (type) {
    case ValueType::kU8:
    case ValueType::kI8:
    case ValueType::kBool:
      return 1;
    case ValueType::kU16:
    case ValueType::kI16:
      return 2;
    case ValueType::kU32:
    case ValueType::kI32:
    case ValueType::kF32:
      return 4;
    case ValueType::kU64:
    case ValueType::kI64:
    case ValueType::kF64:
      return 8;
    case ValueType::kText:
    case ValueType::kArray:
      break;
  }
  base::check_failed("a scalar", __FILE__, __LINE__, "the width of a text or array");
}

bool GgufFile::has(std::string_view key) const {
  const auto found = std::lower_bound(metadata_.begin(), metadata_.end(), key,
                                      [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  return found != metadata_.end() && found->first == key;
}

const GgufFile::Value& GgufFile::value(std::string_view key) const {
  if (!has(key)) fail("metadata \"" + shown(key) + "\" is missing");
  return std::lower_bound(metadata_.begin(), metadata_.end(), key,
                          [](const auto& entry, std::string_view wanted) { return entry.first < wanted; })
      ->second;
}

std::optional<std::int64_t> GgufFile::as_integer(ValueType type, const std::byte* at) const {
  switch (type) {
    case ValueType::kU8:
      return number_at<std::uint8_t>(at);
    case ValueType::kI8:
      return number_at<std::int8_t>(at);
    case ValueType::kU16:
      return number_at<std::uint16_t>(at);
    case ValueType::kI16:
      return number_at<std::int16_t>(at);
    case ValueType::kU32:
      return number_at<std::uint32_t>(at);
    case ValueType::kI32:
      return number_at<std::int32_t>(at);
    case ValueType::kU64: {
      const auto number = number_at<std::uint64_t>(at);
      if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
      return static_cast<std::int64_t>(number);
    }
    case ValueType::kI64:
      return number_at<std::int64_t>(at);
    case ValueType::kF32:
    case ValueType::kBool:
    case ValueType::kText:
    case ValueType::kArray:
    case ValueType::kF64:
      return std::nullopt;
  }
  return std::nullopt;
}

std::int64_t GgufFile::integer(std::string_view key) const {
  const Value& found = value(key);
  const std::optional<std::int64_t> number = as_integer(found.type, found.bytes.data());
  if (!number) fail("metadata \"" + shown(key) + "\" is not a whole number");
  return *number;
}

double GgufFile::number(std::string_view key) const {
  const Value& found = value(key);
  if (found.type == ValueType::kF32) return number_at<float>(found.bytes.data());
  if (found.type == ValueType::kF64) return number_at<double>(found.bytes.data());
  const std::optional<std::int64_t> whole = as_integer(found.type, found.bytes.data());
  if (!whole) fail("metadata \"" + shown(key) + "\" is not a number");
  return static_cast<double>(*whole);
}

bool GgufFile::boolean(std::string_view key) const {
  const Value& found = value(key);
  if (found.type != ValueType::kBool) fail("metadata \"" + shown(key) + "\" is not true or false");
  return found.bytes[0] != std::byte{0};
}

std::string_view GgufFile::text(std::string_view key) const {
  const Value& found = value(key);
  if (found.type != ValueType::kText) fail("metadata \"" + shown(key) + "\" is not a text");
  return {reinterpret_cast<const char*>(found.bytes.data()), found.bytes.size()};
}

std::vector<std::string_view> GgufFile::texts(std::string_view key) const {
  const Value& found = value(key);
  if (found.type != ValueType::kArray || found.element != ValueType::kText) {
    fail("metadata \"" + shown(key) + "\" is not a list of texts");
  }
  std::vector<std::string_view> all;
  all.reserve(found.count);
  Cursor cursor(found.bytes, *this);
  for (std::size_t i = 0; i < found.count; ++i) all.push_back(cursor.text("a metadata text"));
  return all;
}

std::vector<std::int64_t> GgufFile::integers(std::string_view key) const {
  const Value& found = value(key);
  std::vector<std::int64_t> all;
  if (found.type == ValueType::kArray && found.element != ValueType::kText && found.element != ValueType::kArray) {
    const std::size_t step = width(found.element);
    all.reserve(found.count);
    for (std::size_t i = 0; i < found.count; ++i) {
      const std::optional<std::int64_t> number = as_integer(found.element, found.bytes.data() + i * step);
      if (!number) break;
      all.push_back(*number);
    }
    if (all.size() == found.count) return all;
  }
  fail("metadata \"" + shown(key) + "\" is not a list of whole numbers");
}

const GgufTensor* GgufFile::find(std::string_view name) const {
  const auto found = std::lower_bound(tensors_.begin(), tensors_.end(), name,
                                      [](const auto& tensor, std::string_view wanted) { return tensor.name < wanted; });
  return found != tensors_.end() && found->name == name ? &*found : nullptr;
}

}  // namespace tritonrl::weights
