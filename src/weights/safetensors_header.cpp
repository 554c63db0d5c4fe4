#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json_events.h"
#include "weights/checked_size.h"
#include "weights/safetensors.h"

namespace tritonrl::weights {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kLongestHeader = 100'000'000;  // the reference's own bound
constexpr std::size_t kMostDimensions = 64;
constexpr std::string_view kMetadataKey = "__metadata__";

// Takes the header as the parser reads it, without a tree of the whole: a tree would lose one of two tensors of the
// same name, and would let a hostile header take many times its size in memory.
class HeaderReader : public base::JsonEvents {
 public:
  explicit HeaderReader(std::string where) : where_(std::move(where)) {}

  SafetensorsHeader header;

  void start_object() override {
    switch (place_) {
      case Place::kStart:
        place_ = Place::kTop;
        return;
      case Place::kTop:
        if (key_ == kMetadataKey) {
          place_ = Place::kMetadata;
        } else {
          place_ = Place::kTensor;
          tensor_ = {};
        }
        return;
      case Place::kMetadata:
      case Place::kTensor:
      case Place::kArray:
        fail(place_name() + " holds an object where none belongs");
    }
  }

  void end_object() override {
    if (place_ == Place::kTensor) add_tensor();
    place_ = place_ == Place::kTop ? Place::kStart : Place::kTop;
  }

  void key(const std::string& name) override {
    switch (place_) {
      case Place::kTop:
        key_ = name;
        if (!names_.insert(name).second) fail("has two entries named \"" + name + "\"");
        break;
      case Place::kTensor:
        field_ = name;
        if (field_ != "dtype" && field_ != "shape" && field_ != "data_offsets") {
          fail("tensor \"" + key_ + "\" has a field \"" + field_ + "\"; known are dtype, shape and data_offsets");
        }
        if (!tensor_.seen.insert(field_).second) fail("tensor \"" + key_ + "\" has two fields \"" + field_ + "\"");
        break;
      case Place::kMetadata:
        field_ = name;
        break;
      case Place::kStart:
      case Place::kArray:
        break;
    }
  }

  void start_array() override {
    if (place_ != Place::kTensor || field_ == "dtype") fail(place_name() + " holds an array where none belongs");
    place_ = Place::kArray;
  }

  void end_array() override { place_ = Place::kTensor; }

  void text(const std::string& value) override {
    if (place_ == Place::kMetadata) {
      if (!header.metadata.emplace(field_, value).second) fail("metadata has two fields \"" + field_ + "\"");
      return;
    }
    if (place_ != Place::kTensor || field_ != "dtype") fail(place_name() + " holds a string where none belongs");
    tensor_.dtype = value;
  }

  void natural(std::uint64_t number) override {
    if (place_ != Place::kArray) fail(place_name() + " holds a number where none belongs");
    if (number > static_cast<std::uint64_t>(INT64_MAX))
      fail(place_name() + ": " + std::to_string(number) + " is too large");
    auto& numbers = field_ == "shape" ? tensor_.shape : tensor_.offsets;
    if (numbers.size() == kMostDimensions) fail(place_name() + " has too many numbers");
    numbers.push_back(static_cast<std::int64_t>(number));
  }

  void integer(std::int64_t number) override { fail(place_name() + ": " + std::to_string(number) + " is negative"); }
  void real(const std::string& digits) override {
    fail(place_name() + ": " + digits.substr(0, 40) + " is not a whole number");
  }
  void null() override { fail(place_name() + " holds null where nothing like it belongs"); }
  void boolean(bool) override { fail(place_name() + " holds true or false where neither belongs"); }
  void error(std::size_t at) override { fail("is not JSON at byte " + std::to_string(kLengthBytes + at)); }

  [[noreturn]] void fail(const std::string& what) const {
    throw base::UserError("safetensors", where_ + ": the header " + what);
  }

 private:
  enum class Place { kStart, kTop, kMetadata, kTensor, kArray };
  struct Tensor {
    std::set<std::string> seen;
    std::string dtype;
    std::vector<std::int64_t> shape, offsets;
  };

  std::string place_name() const {
    switch (place_) {
      case Place::kStart:
        return "as a whole";
      case Place::kTop:
        return "entry \"" + key_ + "\"";
      case Place::kMetadata:
        return "metadata \"" + field_ + "\"";
      case Place::kTensor:
      case Place::kArray:
        return "tensor \"" + key_ + "\", field \"" + field_ + "\"";
    }
    return "";
  }

  void add_tensor() {
    if (tensor_.seen.size() != 3) fail("tensor \"" + key_ + "\" lacks one of dtype, shape and data_offsets");
    const std::optional<Dtype> dtype = from_safetensors_name(tensor_.dtype);
    if (!dtype) {
      fail("tensor \"" + key_ + "\" has dtype \"" + tensor_.dtype.substr(0, 40) +
           "\"; supported are F64, F32, F16, BF16, I64, I32, I16, I8, U8, BOOL");
    }
    if (tensor_.offsets.size() != 2) fail("tensor \"" + key_ + "\" has data_offsets that are not a begin and an end");
    SafetensorsHeader::Entry entry;
    entry.info = {.name = key_, .dtype = *dtype, .shape = tensor_.shape};
    entry.begin = static_cast<std::size_t>(tensor_.offsets[0]);
    entry.end = static_cast<std::size_t>(tensor_.offsets[1]);
    if (entry.begin > entry.end) fail("tensor \"" + key_ + "\" ends before it begins");
    const std::optional<std::size_t> elements = checked_elements(entry.info.shape);
    const std::optional<std::size_t> bytes = elements ? checked_multiply(*elements, size_of(*dtype)) : std::nullopt;
    if (!bytes || *bytes != entry.end - entry.begin) {
      fail("tensor \"" + key_ + "\" has a shape that does not fit its " + std::to_string(entry.end - entry.begin) +
           " bytes of " + tensor_.dtype);
    }
    header.entries.push_back(std::move(entry));
  }

  std::string where_;
  Place place_ = Place::kStart;
  std::set<std::string> names_;
  std::string key_, field_;
  Tensor tensor_;
};

std::size_t header_length(std::span<const std::byte> file, const std::string& where) {
  if (file.size() < kLengthBytes) {
    throw base::UserError("safetensors", where + ": is " + std::to_string(file.size()) +
                                             " bytes long, too short for a safetensors file; the copy did not finish");
  }
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length > kLongestHeader) {
    throw base::UserError("safetensors", where + ": says that its header is " + std::to_string(length) +
                                             " bytes long, more than 100 MB; this is not a safetensors file");
  }
  if (length > file.size() - kLengthBytes) {
    throw base::UserError("safetensors", where + ": ends inside its header (" + std::to_string(length) +
                                             " bytes); the copy did not finish");
  }
  return static_cast<std::size_t>(length);
}

// The bytes after the header belong to exactly one tensor each, as the format demands: what lies hidden in a hole or is
// used twice is a sign of a broken or a hostile writer.
void check_ranges(const SafetensorsHeader& header, std::size_t data_bytes, const std::string& where) {
  std::vector<const SafetensorsHeader::Entry*> by_place;
  for (const SafetensorsHeader::Entry& entry : header.entries) by_place.push_back(&entry);
  std::sort(by_place.begin(), by_place.end(),
            [](const auto* a, const auto* b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
  std::size_t at = 0;
  for (const SafetensorsHeader::Entry* entry : by_place) {
    if (entry->begin != at) {
      throw base::UserError(
          "safetensors", where + ": tensor \"" + entry->info.name + "\" begins at byte " +
                             std::to_string(entry->begin) + " of the data, where " +
                             (entry->begin < at ? "another tensor lies" : "a hole is left before it") + " (expected " +
                             std::to_string(at) + ")");
    }
    at = entry->end;
  }
  if (at != data_bytes) {
    throw base::UserError("safetensors", where + ": its tensors take " + std::to_string(at) + " bytes, but " +
                                             std::to_string(data_bytes) + " follow the header; the file is " +
                                             (at > data_bytes ? "cut short" : "longer than it says"));
  }
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::span<const std::byte> file, const std::string& where) {
  const std::size_t length = header_length(file, where);
  const auto* const text = reinterpret_cast<const char*>(file.data()) + kLengthBytes;
  HeaderReader reader(where);
  if (length == 0 || text[0] != '{') reader.fail("does not begin with {; this is not a safetensors file");
  base::read_json_events({text, length}, reader);
  SafetensorsHeader header = std::move(reader.header);
  check_ranges(header, file.size() - kLengthBytes - length, where);
  for (SafetensorsHeader::Entry& entry : header.entries) {
    entry.begin += kLengthBytes + length;
    entry.end += kLengthBytes + length;
  }
  std::sort(header.entries.begin(), header.entries.end(),
            [](const auto& a, const auto& b) { return a.info.name < b.info.name; });
  return header;
}

}  // namespace tritonrl::weights
