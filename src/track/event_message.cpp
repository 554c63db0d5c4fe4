#include "track/event_message.h"

#include <bit>
#include <type_traits>

#include "track/crc32c.h"

namespace tritonrl::track {
namespace {

template <typename Unsigned>
std::string little_endian(Unsigned value) {
  std::string out;
  for (std::size_t i = 0; i < sizeof(value); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

// The fields of one message, in the order of the calls.
class Message {
 public:
  Message& whole(int field, std::int64_t value) {
    if (value == 0) return *this;
    key(field, /*wire_type=*/0);
    return varint(static_cast<std::uint64_t>(value));
  }
  Message& real(int field, double value) {
    if (std::bit_cast<std::uint64_t>(value) == 0) return *this;
    key(field, 1);
    bytes_ += little_endian(std::bit_cast<std::uint64_t>(value));
    return *this;
  }
  // A member of a oneof is written at its default, too.
  Message& float_of_choice(int field, float value) {
    key(field, 5);
    bytes_ += little_endian(std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  Message& text(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(int field, const Message& value) { return text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  void key(int field, int wire_type) { varint(static_cast<std::uint64_t>(field << 3 | wire_type)); }
  Message& varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    bytes_ += static_cast<char>(value);
    return *this;
  }

  std::string bytes_;
};

// Numbers of fields in tensorboard/compat/proto/{event,summary,tensor,tensor_shape}.proto.
constexpr int kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7;  // Event
constexpr int kStatus = 1, kStart = 1;                                                    // SessionLog
constexpr int kValue = 1, kTag = 1, kSimpleValue = 2, kTensor = 8, kMetadata = 9;         // Summary, Summary.Value
constexpr int kPluginData = 1, kPluginName = 1;                                           // SummaryMetadata, PluginData
constexpr int kDtype = 1, kShape = 2, kStringVal = 8, kString = 7;                        // TensorProto, DT_STRING
constexpr int kDimension = 2, kSize = 1;                                                  // TensorShapeProto, Dim

Message event(double wall_time, std::int64_t step) {
  return Message().real(kWallTime, wall_time).whole(kStep, step);
}

}  // namespace

std::string version_event(double wall_time) {
  return event(wall_time, 0).text(kFileVersion, "brain.Event:2").bytes();
}

std::string restart_event(double wall_time, std::int64_t step) {
  return event(wall_time, step).message(kSessionLog, Message().whole(kStatus, kStart)).bytes();
}

std::string scalars_event(double wall_time, std::int64_t step, const Values& values) {
  Message summary;
  for (const auto& [name, value] : values)
    summary.message(kValue, Message().text(kTag, name).float_of_choice(kSimpleValue, static_cast<float>(value)));
  return event(wall_time, step).message(kSummary, summary).bytes();
}

std::string text_event(double wall_time, std::int64_t step, std::string_view tag, std::string_view text) {
  const Message plugin = Message().text(kPluginName, "text");
  const Message shape = Message().message(kDimension, Message().whole(kSize, 1));
  const Message tensor = Message().whole(kDtype, kString).message(kShape, shape).text(kStringVal, text);
  const Message value =
      Message().text(kTag, tag).message(kTensor, tensor).message(kMetadata, Message().message(kPluginData, plugin));
  return event(wall_time, step).message(kSummary, Message().message(kValue, value)).bytes();
}

std::string framed_record(std::string_view bytes) {
  const std::string length = little_endian(static_cast<std::uint64_t>(bytes.size()));
  return length + little_endian(masked_crc32c(length)) + std::string(bytes) + little_endian(masked_crc32c(bytes));
}

}  // namespace tritonrl::track
