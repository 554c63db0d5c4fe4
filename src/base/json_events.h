#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tritonrl::base {

// Hears a JSON text as it is read, for who must not hold a tree of it. Any of them may throw, which ends the reading.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  virtual void integer(std::int64_t value) = 0;  // below 0
  virtual void natural(std::uint64_t value) = 0;
  virtual void real(const std::string& digits) = 0;  // also whole numbers that no integer holds
  virtual void text(const std::string& value) = 0;
  virtual void key(const std::string& name) = 0;
  virtual void start_object() = 0;
  virtual void end_object() = 0;
  virtual void start_array() = 0;
  virtual void end_array() = 0;
  virtual void error(std::size_t byte) = 0;  // not JSON from there on; the last call
};

void read_json_events(std::string_view text, JsonEvents& events);

}  // namespace tritonrl::base
