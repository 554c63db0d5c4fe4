#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/access.h"
#include "machine/memory.h"
#include "machine/zeroed.h"

namespace tritonrl::machine {

// Who touched which memory in this launch: finds programs that race. Programs run one after the other here, but nothing
// orders them on a GPU, so the result must not depend on the order: a place that one program writes may be touched by
// no other, unless all write the same value or an atomic operation orders them.
class Shadow {
 public:
  // `granule`: bytes of the narrowest access of the kernel.
  Shadow(const Memory& memory, std::int64_t granule, std::int64_t programs);

  struct Conflict {
    std::int64_t offset = 0;  // bytes into the allocation
    std::uint32_t other = 0;  // the other program, from 1; kMany: several
    bool other_wrote = false, other_atomic = false;
  };
  static constexpr std::uint32_t kMany = 0x7fffffff;

  // `offset`, `bytes` lie in the allocation. True: a conflict, described in `conflict`.
  bool read(int allocation, std::int64_t offset, std::int64_t bytes, std::uint32_t program, Conflict& conflict);
  // Before memory changes; `same`: the new value equals the old.
  bool write(int allocation, std::int64_t offset, std::int64_t bytes, bool same, std::uint32_t program,
             Conflict& conflict);
  bool atomic(int allocation, std::int64_t offset, std::int64_t bytes, std::uint32_t program, Conflict& conflict);

  // A scalar atomic at an address, as a lock or a counter of finished programs: what the programs that released there
  // did is ordered before what this one does from now on.
  void synchronise(std::uint64_t address, bool acquires, bool releases, std::uint32_t program);
  void begin_program();

  // Something would have been a conflict, had atomics not ordered it; in another order of the programs it may be one.
  bool was_ordered() const { return was_ordered_; }

 private:
  using Marks = Zeroed<std::uint32_t>;
  // By granule: program from 1, kMany; writer: with kSilent if it changed nothing. Made once something is noted there:
  // most tensors are only read, or only written.
  struct PerTensor {
    Marks writer, reader, atomic;
  };
  using Programs = std::vector<std::uint64_t>;  // a bit each

  static constexpr std::uint32_t kSilent = 0x80000000;
  PerTensor& tensor_at(int allocation) { return tensors_[static_cast<std::size_t>(allocation)]; }
  std::uint32_t* made(Marks& marks, int allocation) const;
  bool has_seen(std::uint32_t program) const { return (seen_[program / 64] >> program % 64 & 1) != 0; }
  bool ordered_after(std::uint32_t other);

  const Memory& memory_;
  std::int64_t granule_ = 1;
  std::int64_t programs_ = 0;
  std::vector<PerTensor> tensors_;
  std::unordered_map<std::uint64_t, Programs> released_;
  Programs seen_;  // programs that the running one is ordered after
  bool seen_any_ = false;
  bool was_ordered_ = false;
};

}  // namespace tritonrl::machine
