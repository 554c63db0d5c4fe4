#include <algorithm>

#include "base/error.h"
#include "weights/checked_size.h"
#include "weights/gguf_cursor.h"

namespace tritonrl::weights {
namespace {

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint32_t kMostTensorDimensions = 4;
constexpr int kDeepestArray = 4;
// The fewest bytes that an entry takes: a count that the rest of the file cannot hold is refused before memory is
// taken.
constexpr std::size_t kSmallestEntry = 8 + 4 + 1;
constexpr std::size_t kSmallestTensor = 8 + 4 + 4 + 8;

}  // namespace

GgufFile GgufFile::parse(std::span<const std::byte> bytes, std::string where) {
  GgufFile file(std::move(where));
  Cursor cursor(bytes, file);
  if (bytes.size() < 4 || cursor.read<std::uint32_t>("the magic number") != kMagic) {
    file.fail("does not begin with GGUF; this is not a GGUF file");
  }
  const auto version = cursor.read<std::uint32_t>("the version");
  if (version != 2 && version != 3) {
    file.fail((version & 0xffff) == 0 ? "is big-endian; convert it to little-endian"
                                      : "has version " + std::to_string(version) + "; supported are 2 and 3");
  }
  const auto tensors = cursor.read<std::uint64_t>("the count of tensors");
  const auto entries = cursor.read<std::uint64_t>("the count of metadata");
  file.read_metadata(cursor, entries);
  file.read_tensors(cursor, tensors, bytes);
  return file;
}

void GgufFile::read_metadata(Cursor& cursor, std::uint64_t count) {
  if (count > cursor.left() / kSmallestEntry)
    fail("says that it has " + std::to_string(count) + " metadata, more than fit");
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view key = cursor.text("a metadata key");
    const auto type = cursor.read<std::uint32_t>("a metadata type");
    if (type > static_cast<std::uint32_t>(ValueType::kF64)) {
      fail("metadata \"" + shown(key) + "\" has type " + std::to_string(type) + ", which GGUF does not have");
    }
    metadata_.emplace_back(key, read_value(cursor, static_cast<ValueType>(type), 0));
  }
  std::sort(metadata_.begin(), metadata_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < metadata_.size(); ++i) {
    if (metadata_[i - 1].first == metadata_[i].first) fail("has metadata \"" + shown(metadata_[i].first) + "\" twice");
  }
}

GgufFile::Value GgufFile::read_value(Cursor& cursor, ValueType type, int depth) const {
  Value value;
  value.type = type;
  if (type == ValueType::kText) {
    const std::string_view text = cursor.text("a metadata text");
    value.bytes = std::as_bytes(std::span(text));
    return value;
  }
  if (type != ValueType::kArray) {
    value.bytes = cursor.take(width(type), "a metadata value");
    return value;
  }
  if (depth == kDeepestArray) fail("has metadata with arrays nested too deeply");
  const auto element = cursor.read<std::uint32_t>("an array's type");
  const auto count = cursor.read<std::uint64_t>("an array's length");
  if (element > static_cast<std::uint32_t>(ValueType::kF64)) {
    fail("has an array of type " + std::to_string(element) + ", which GGUF does not have");
  }
  value.element = static_cast<ValueType>(element);
  if (count > cursor.left()) fail("has an array of " + std::to_string(count) + " elements, more than fit");
  value.count = static_cast<std::size_t>(count);
  const std::size_t begin = cursor.at();
  if (value.element == ValueType::kText || value.element == ValueType::kArray) {
    for (std::size_t i = 0; i < value.count; ++i) read_value(cursor, value.element, depth + 1);
  } else {
    // At most eight times the rest of the file: cannot overflow.
    cursor.take(value.count * width(value.element), "a metadata array");
  }
  value.bytes = cursor.since(begin);
  return value;
}

void GgufFile::read_tensors(Cursor& cursor, std::uint64_t count, std::span<const std::byte> file) {
  if (count > cursor.left() / kSmallestTensor)
    fail("says that it has " + std::to_string(count) + " tensors, more than fit");
  struct Place {
    std::uint64_t offset;
    std::size_t bytes;
  };
  std::vector<Place> places;
  for (std::uint64_t i = 0; i < count; ++i) {
    GgufTensor tensor;
    tensor.name = cursor.text("a tensor's name");
    const std::string name = "tensor \"" + shown(tensor.name) + "\"";
    const auto dimensions = cursor.read<std::uint32_t>("a tensor's dimensions");
    if (dimensions == 0 || dimensions > kMostTensorDimensions) {
      fail(name + " has " + std::to_string(dimensions) + " dimensions; expected 1 to 4");
    }
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const auto size = cursor.read<std::uint64_t>("a tensor's dimensions");
      if (size == 0 || size > static_cast<std::uint64_t>(INT64_MAX)) fail(name + " has an impossible dimension");
      tensor.shape.push_back(static_cast<std::int64_t>(size));
    }
    const auto type = cursor.read<std::uint32_t>("a tensor's type");
    const std::optional<GgufType> known = gguf_type(type);
    if (!known) {
      fail(name + " is stored as " + gguf_type_name(type) + "; supported are " + std::string(supported_gguf_types()));
    }
    tensor.type = *known;
    const GgufBlock block = block_of(tensor.type);
    if (static_cast<std::size_t>(tensor.shape[0]) % block.elements != 0) {
      fail(name + " has rows of " + std::to_string(tensor.shape[0]) + " elements, not a whole number of " +
           gguf_type_name(type) + " blocks");
    }
    std::reverse(tensor.shape.begin(), tensor.shape.end());
    const std::optional<std::size_t> elements = checked_elements(tensor.shape);
    const std::optional<std::size_t> bytes =
        elements ? checked_multiply(*elements / block.elements, block.bytes) : std::nullopt;
    if (!bytes) fail(name + " has an impossible shape");
    places.push_back({.offset = cursor.read<std::uint64_t>("a tensor's offset"), .bytes = *bytes});
    tensors_.push_back(std::move(tensor));
  }

  const std::int64_t alignment = has("general.alignment") ? integer("general.alignment") : 32;
  if (alignment < 1 || alignment > (1 << 20) || (alignment & (alignment - 1)) != 0) {
    fail("general.alignment is " + std::to_string(alignment) + "; expected a power of two");
  }
  const auto step = static_cast<std::size_t>(alignment);
  const std::size_t start = (cursor.at() + step - 1) / step * step;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const std::string name = "tensor \"" + shown(tensors_[i].name) + "\"";
    if (places[i].offset % step != 0) fail(name + " begins at an offset that is not a multiple of the alignment");
    const std::optional<std::size_t> begin = checked_add(start, places[i].offset);
    const std::optional<std::size_t> end = begin ? checked_add(*begin, places[i].bytes) : std::nullopt;
    if (!end || *end > file.size()) fail(name + " lies beyond the end of the file; the copy did not finish");
    tensors_[i].data = file.subspan(*begin, places[i].bytes);
  }
  check_overlaps();
  std::sort(tensors_.begin(), tensors_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < tensors_.size(); ++i) {
    if (tensors_[i - 1].name == tensors_[i].name) fail("has tensor \"" + shown(tensors_[i].name) + "\" twice");
  }
}

// Tensors that share bytes would let a small file unpack to any size.
void GgufFile::check_overlaps() const {
  std::vector<const GgufTensor*> by_place;
  for (const GgufTensor& tensor : tensors_) by_place.push_back(&tensor);
  std::sort(by_place.begin(), by_place.end(),
            [](const auto* a, const auto* b) { return a->data.data() < b->data.data(); });
  for (std::size_t i = 1; i < by_place.size(); ++i) {
    const std::span<const std::byte> before = by_place[i - 1]->data;
    if (before.data() + before.size() > by_place[i]->data.data()) {
      fail("tensors \"" + shown(by_place[i - 1]->name) + "\" and \"" + shown(by_place[i]->name) + "\" overlap");
    }
  }
}

}  // namespace tritonrl::weights
