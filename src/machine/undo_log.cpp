#include "machine/undo_log.h"

#include <algorithm>

namespace tritonrl::machine {

void UndoLog::clear() {
  changes_.clear();
  old_.clear();
  whole_ = true;
}

void UndoLog::note(int allocation, const Allocation& tensor, std::int64_t offset, std::int64_t bytes) {
  if (old_.size() > most_) {
    clear();
    whole_ = false;
  }
  if (!whole_) return;
  changes_.push_back({allocation, offset, bytes, old_.size()});
  old_.insert(old_.end(), tensor.data + offset, tensor.data + offset + bytes);
  if (tensor.undefined.empty()) return;
  const auto* undefined = reinterpret_cast<const std::byte*>(tensor.undefined.data()) + offset;
  old_.insert(old_.end(), undefined, undefined + bytes);
}

void UndoLog::swap(Memory& memory, const Change& change) {
  Allocation& tensor = memory.at(change.allocation);
  std::byte* old = old_.data() + change.at;
  std::swap_ranges(old, old + change.bytes, tensor.data + change.offset);
  if (tensor.undefined.empty()) return;
  std::swap_ranges(old + change.bytes, old + 2 * change.bytes,
                   reinterpret_cast<std::byte*>(tensor.undefined.data()) + change.offset);
}

void UndoLog::undo(Memory& memory) {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) swap(memory, *change);
}

void UndoLog::redo(Memory& memory) {
  for (const Change& change : changes_) swap(memory, change);
}

}  // namespace tritonrl::machine
