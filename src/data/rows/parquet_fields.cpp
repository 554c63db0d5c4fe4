#include "data/rows/parquet_fields.h"

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/rows/row_builder.h"

namespace tritonrl::data {
namespace {

template <class Typed>
const Typed& as(const arrow::Array& array) {
  return static_cast<const Typed&>(array);
}

// What a dictionary's index points to; nothing if it points nowhere.
std::optional<std::int64_t> dictionary_index(const arrow::DictionaryArray& array, std::int64_t index) {
  const std::int64_t found = array.GetValueIndex(index);
  if (found < 0 || found >= array.dictionary()->length()) return std::nullopt;
  return found;
}

bool is_null(const arrow::Array& array, std::int64_t index) {
  return array.type_id() == arrow::Type::NA || array.IsNull(index);
}

// The text at a place that is not null; nothing if the array holds no texts.
std::optional<std::string_view> text_at(const arrow::Array& array, std::int64_t index) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return as<arrow::BinaryArray>(array).GetView(index);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      return as<arrow::LargeBinaryArray>(array).GetView(index);
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return as<arrow::BinaryViewArray>(array).GetView(index);
    case arrow::Type::DICTIONARY: {
      const auto& dictionary = as<arrow::DictionaryArray>(array);
      const auto found = dictionary_index(dictionary, index);
      if (!found || is_null(*dictionary.dictionary(), *found)) return std::nullopt;
      return text_at(*dictionary.dictionary(), *found);
    }
    default:
      return std::nullopt;
  }
}

template <class List>
void set_list(const List& list, std::int64_t index, std::string_view column, RowBuilder& builder) {
  const arrow::Array& values = *list.values();
  std::vector<std::string> texts;
  std::size_t bytes = 0;
  for (std::int64_t i = list.value_offset(index); i < list.value_offset(index + 1); ++i) {
    const auto text = is_null(values, i) ? std::nullopt : text_at(values, i);
    if (!text) return builder.set_wrong_type(column, "a list that holds other things than texts");
    bytes += text->size();
    if (bytes <= builder.max_text_bytes()) texts.emplace_back(*text);
  }
  if (bytes > builder.max_text_bytes()) return builder.set_too_long(column, bytes);
  builder.set_texts(column, std::move(texts));
}

double half_to_double(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
  double value = 0;
  if (exponent == 0x1F) {
    value = fraction == 0 ? HUGE_VAL : std::nan("");
  } else {
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

}  // namespace

void set_field(const arrow::Array& array, std::int64_t index, std::string_view column, RowBuilder& builder) {
  if (is_null(array, index)) return builder.set_null(column);
  switch (array.type_id()) {
    case arrow::Type::BOOL:
      return builder.set_bool(column, as<arrow::BooleanArray>(array).Value(index));
    case arrow::Type::INT8:
      return builder.set_integer(column, as<arrow::Int8Array>(array).Value(index));
    case arrow::Type::INT16:
      return builder.set_integer(column, as<arrow::Int16Array>(array).Value(index));
    case arrow::Type::INT32:
      return builder.set_integer(column, as<arrow::Int32Array>(array).Value(index));
    case arrow::Type::INT64:
      return builder.set_integer(column, as<arrow::Int64Array>(array).Value(index));
    case arrow::Type::UINT8:
      return builder.set_integer(column, as<arrow::UInt8Array>(array).Value(index));
    case arrow::Type::UINT16:
      return builder.set_integer(column, as<arrow::UInt16Array>(array).Value(index));
    case arrow::Type::UINT32:
      return builder.set_integer(column, as<arrow::UInt32Array>(array).Value(index));
    case arrow::Type::UINT64:
      return builder.set_unsigned(column, as<arrow::UInt64Array>(array).Value(index));
    case arrow::Type::HALF_FLOAT:
      return builder.set_number(column, half_to_double(as<arrow::HalfFloatArray>(array).Value(index)));
    case arrow::Type::FLOAT:
      return builder.set_number(column, as<arrow::FloatArray>(array).Value(index));
    case arrow::Type::DOUBLE:
      return builder.set_number(column, as<arrow::DoubleArray>(array).Value(index));
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return builder.set_text(column, *text_at(array, index));
    case arrow::Type::LIST:
      return set_list(as<arrow::ListArray>(array), index, column, builder);
    case arrow::Type::LARGE_LIST:
      return set_list(as<arrow::LargeListArray>(array), index, column, builder);
    case arrow::Type::DICTIONARY: {
      const auto& dictionary = as<arrow::DictionaryArray>(array);
      const auto found = dictionary_index(dictionary, index);
      if (!found) return builder.set_wrong_type(column, "an index beyond its dictionary");
      return set_field(*dictionary.dictionary(), *found, column, builder);
    }
    case arrow::Type::EXTENSION:
      return set_field(*as<arrow::ExtensionArray>(array).storage(), index, column, builder);
    default:
      return builder.set_wrong_type(column, "a value of type " + array.type()->ToString());
  }
}

}  // namespace tritonrl::data
