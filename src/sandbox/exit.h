#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::sandbox {

// How a sandboxed process ended.
struct Exit {
  enum class Kind {
    kExited,          // by itself; `code` is its exit status (70: the handler raised)
    kSignaled,        // by signal `code`; 9 with a message: it was killed for passing that limit
    kTimedOut,        // past its wall or CPU limit
    kCancelled,       // by finish() or the death of the parent
    kInfrastructure,  // ours: it could not be confined, or its keeper died; `message` says why
  };
  Kind kind = Kind::kInfrastructure;
  int code = 0;
  std::string message;
  std::int64_t cpu_ms = 0;      // user and system time of the process and its reaped descendants
  std::int64_t wanted_ms = 0;   // of its life it ran or waited for a processor; 0 where nobody looked
  std::int64_t peak_bytes = 0;  // largest resident size, what it shares with the zygote included
  void fields(base::FieldVisitor& field);
};

// The machine gave it less than a third of the processor time that it asked for, and less than a third of what its
// limit of time was meant to be: that it was late says nothing of it.
bool starved(const Exit& exit, std::int64_t limit_ms);

std::span<const char* const> enum_names(Exit::Kind);
std::string to_string(Exit::Kind kind);
std::string to_json(const Exit& exit);
// Anything but to_json's own form is kInfrastructure.
Exit exit_from_json(const std::string& text);

}  // namespace tritonrl::sandbox
