#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weights/gguf_blocks.h"

namespace tritonrl::weights {

struct GgufTensor {
  std::string_view name;  // GGUF's own
  GgufType type = GgufType::kF32;
  std::vector<std::int64_t> shape;  // row-major: the file has it the other way round
  std::span<const std::byte> data;
};

// What a GGUF file (version 2 or 3, little-endian) says about itself. Holds views of the file's bytes, which must
// outlive it; takes no more memory than a small multiple of the file's head. Immutable.
class GgufFile {
 public:
  // UserError names the file and what is wrong: another version, a value or tensor that is cut off, two of the same
  // name, offsets that are misaligned or overlap, a type that is not read (it is named, with those that are).
  static GgufFile parse(std::span<const std::byte> file, std::string where);

  // Metadata. A key that is missing or of another type is a UserError; integers may have any width.
  bool has(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  double number(std::string_view key) const;
  bool boolean(std::string_view key) const;
  std::string_view text(std::string_view key) const;
  std::vector<std::string_view> texts(std::string_view key) const;
  std::vector<std::int64_t> integers(std::string_view key) const;

  const std::vector<GgufTensor>& tensors() const { return tensors_; }  // by name
  const GgufTensor* find(std::string_view name) const;
  const std::string& where() const { return where_; }

  [[noreturn]] void fail(const std::string& problem) const;  // UserError: "<where>: <problem>"

 private:
  // Numbered as in the file.
  enum class ValueType : std::uint32_t {
    kU8,
    kI8,
    kU16,
    kI16,
    kU32,
    kI32,
    kF32,
    kBool,
    kText,
    kArray,
    kU64,
    kI64,
    kF64
  };
  struct Value {
    ValueType type = ValueType::kU8;
    ValueType element = ValueType::kU8;  // of an array
    std::size_t count = 1;               // of an array
    std::span<const std::byte> bytes;    // of the scalar, the text or all elements
  };
  class Cursor;

  explicit GgufFile(std::string where) : where_(std::move(where)) {}
  static std::size_t width(ValueType type);
  void read_metadata(Cursor& cursor, std::uint64_t count);
  void read_tensors(Cursor& cursor, std::uint64_t count, std::span<const std::byte> file);
  Value read_value(Cursor& cursor, ValueType type, int depth) const;
  void check_overlaps() const;
  const Value& value(std::string_view key) const;
  std::optional<std::int64_t> as_integer(ValueType type, const std::byte* at) const;

  std::string where_;
  std::vector<std::pair<std::string_view, Value>> metadata_;  // by key
  std::vector<GgufTensor> tensors_;
};

// Text of a file as it may be shown: without control characters, not too long.
std::string shown(std::string_view text);

}  // namespace tritonrl::weights
