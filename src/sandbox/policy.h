#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::sandbox {

// How much the kernel lets us enforce. `kFull`: namespaces, Landlock, seccomp, limits. `kLandlock`: the same without
// namespaces, for containers that forbid unshare. `kNone`: limits and closed descriptors alone; only ever by an
// explicit flag of the user. A level that the kernel cannot give is an infrastructure failure, never silently less.
enum class Level { kFull, kLandlock, kNone };
std::span<const char* const> enum_names(Level);
std::string to_string(Level level);

// Switches for tests that show what each protection stops. Production code leaves them alone.
struct Protections {
  bool namespaces = true;   // user, pid, mount, network, ipc, uts; own /proc, own scratch, read-only rest
  bool landlock = true;     // file access by path; signals and abstract sockets stay inside
  bool seccomp = true;      // the system calls that a recording needs and no others
  bool limits = true;       // rlimits, and the keeper's count of tasks, memory and scratch
  bool descriptors = true;  // nothing inherited but the channel and the log
  bool group = true;        // the keeper adopts and kills descendants that left the process group
  void fields(base::FieldVisitor& field);
};

// What one sandboxed process may do. Plain data: travels as JSON to the process that confines itself.
struct Policy {
  Level level = Level::kFull;
  Protections protections;
  std::int64_t memory_bytes = std::int64_t{4} << 30;  // address space above what the zygote already maps
  std::int64_t address_bytes =
      0;  // of address space, if more than memory_bytes: for memory that is mapped, not touched
  std::int64_t scratch_bytes = std::int64_t{64} << 20;  // all of the private folder, and so any one file
  std::int64_t scratch_files = 4096;                    // files and folders in it
  std::int64_t wall_ms = 30'000;                        // from confinement to the end; then the whole group is killed
  std::int64_t cpu_seconds = 30;                        // of one process
  std::int64_t open_files = 256;
  std::int64_t threads = 64;  // tasks of the sandboxed process and its descendants
  bool processes = false;     // may fork and exec (a compiler's assembler); a recording may not
  // Files and folders it may read (and execute, where `processes`), beside its own /proc/self, /dev/null, /dev/zero
  // and /dev/urandom; nothing else is readable. Those that do not exist, or that kFull's scratch covers, are skipped.
  std::vector<std::string> readable;
  // Device nodes, and folders of them, that it may open for reading and writing, with the ioctls of NVIDIA's driver.
  // Those that do not exist are skipped; a file of another kind is refused. Where any are named, the process also gets
  // what that driver asks of the system: descriptors over the channel, files in memory, a listening socket that nobody
  // can reach, the names of its own threads; and its address space is unlimited, since the driver reserves terabytes of
  // it. The keeper still counts resident memory, but neither what is on the device or pinned for it, nor files in
  // memory that are not mapped (each at most scratch_bytes).
  std::vector<std::string> devices;
  // An existing folder. kFull: a tmpfs is mounted over it. Else: a private folder is made in it and removed at the end.
  // Either way the process starts with the private folder as its working directory, HOME and TMPDIR.
  std::string scratch = "/tmp";
  void fields(base::FieldVisitor& field);
};

// Whether the process gets namespaces of its own.
bool namespaced(const Policy& policy);

std::string to_json(const Policy& policy);
// UserError names the field that is missing or of another type.
Policy policy_from_json(const std::string& text);

}  // namespace tritonrl::sandbox
