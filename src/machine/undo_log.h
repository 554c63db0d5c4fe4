#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/memory.h"

namespace tritonrl::machine {

// What memory held before programs changed it, so that they can be executed once more.
class UndoLog {
 public:
  // Beyond `most` bytes it gives up: is_whole() is false from then on.
  explicit UndoLog(std::size_t most = std::size_t{1} << 30) : most_(most) {}
  static constexpr std::size_t kAll = ~std::size_t{0};

  void clear();
  // Before a change.
  void note(int allocation, const Allocation& tensor, std::int64_t offset, std::int64_t bytes);
  bool is_whole() const { return whole_; }

  // Memory as before the first change; the log then holds what redo() brings back.
  void undo(Memory& memory);
  void redo(Memory& memory);

 private:
  struct Change {
    int allocation = 0;
    std::int64_t offset = 0, bytes = 0;
    std::size_t at = 0;  // of its first byte in old_
  };
  void swap(Memory& memory, const Change& change);

  std::size_t most_;
  std::vector<Change> changes_;
  std::vector<std::byte> old_;  // of each change: the bytes, and, where the allocation has books, whether undefined
  bool whole_ = true;
};

}  // namespace tritonrl::machine
