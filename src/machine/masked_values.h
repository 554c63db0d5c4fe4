#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/access.h"
#include "machine/memory.h"
#include "machine/undo_log.h"

namespace tritonrl::machine {

// Whether what a program does to memory depends on lanes that a load's mask turned off while no `other` says what they
// read. A program that met such lanes is executed again on the memory as it found it, with other values in them: if it
// does the same then, nobody uses them. Programs that met none are executed once.
class MaskedValues {
 public:
  // `marks`: as many as the workers have.
  explicit MaskedValues(std::size_t marks) : marks_(marks) {}

  // What a program does, as it does it.
  void begin_program();
  void masked_load(const Step& step, const Access& access, std::byte* out);
  void stores(int allocation, const Allocation& tensor, std::int64_t offset, std::int64_t bytes,
              const std::byte* value);
  void goes_wrong(const Step& step, std::int64_t lanes);

  // After a program's end, which may have been executed several times then. Memory is as after the first time.
  void end_program(Worker& worker);

 private:
  void digest(const void* data, std::size_t bytes);
  // The digest of what it does with other values in the lanes of one load, of all (kAll), or of none (kNone).
  std::uint64_t run_again(Worker& worker, const Step* poisoned);
  bool is_told(const Step* load) const;

  static const Step kAll, kNone;
  UndoLog log_;
  std::vector<const Step*> met_, told_;  // loads with such lanes: in this program, and with a finding
  std::uint64_t digest_ = 0;
  const Step* poisoned_ = &kNone;
  std::vector<std::uint8_t> marks_;
};

}  // namespace tritonrl::machine
