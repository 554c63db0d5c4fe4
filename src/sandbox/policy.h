#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tritonrl::sandbox {

// How much the kernel lets us enforce. `kFull`: namespaces, Landlock, seccomp, limits. `kLandlock`: the same without namespaces, for
// containers that forbid unshare. `kNone`: limits alone; only ever by an explicit flag of the user.
enum class Level { kFull, kLandlock, kNone };

// Switches for tests that show what each protection stops. Production code leaves them alone.
struct Protections {
  bool namespaces = true;   // user, pid, mount, network, ipc, uts; own /proc, own scratch, read-only rest
  bool landlock = true;     // file access by path; signals and abstract sockets stay inside
  bool seccomp = true;      // the system calls that a recording needs and no others
  bool limits = true;       // rlimits
  bool descriptors = true;  // nothing inherited but the channel and the log
};

// What one sandboxed process may do. Plain data: travels as JSON to the process that confines itself.
struct Policy {
  Level level = Level::kFull;
  Protections protections;
  std::int64_t memory_bytes = std::int64_t{4} << 30;    // address space above what the zygote already maps
  std::int64_t scratch_bytes = std::int64_t{64} << 20;  // the private folder (size of its tmpfs; in kLandlock of one file)
  std::int64_t wall_ms = 30'000;                        // from confinement to the end; then the whole group is killed
  std::int64_t cpu_seconds = 30;
  std::int64_t open_files = 256;
  std::int64_t threads = 64;             // tasks of the sandboxed process
  bool processes = false;                // may fork and exec (a compiler's assembler); a recording may not
  std::vector<std::string> readable;     // files and folders it may read (and execute, where `processes`); nothing else is readable
  std::string scratch = "/tmp";          // kFull: a tmpfs is mounted there; kLandlock: a folder of that name's parent is made and removed
};

std::string to_json(const Policy& policy);
// UserError names the field that is missing or of another type.
Policy policy_from_json(const std::string& text);
std::string to_string(Level level);

}  // namespace tritonrl::sandbox
