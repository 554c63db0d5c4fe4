#include "machine/shadow.h"

#include <algorithm>

namespace tritonrl::machine {
namespace {

// Beyond that many programs an acquire counts as ordered after all that ran before: a set for each lock would be large.
constexpr std::int64_t kMaxTracked = 1 << 16;

// Nothing was noted of a granule where there are no marks.
std::uint32_t mark_at(const std::uint32_t* marks, std::int64_t granule) {
  return marks == nullptr ? 0 : marks[granule];
}

}  // namespace

Shadow::Shadow(const Memory& memory, std::int64_t granule, std::int64_t programs)
    : memory_(memory), granule_(granule), programs_(programs), tensors_(static_cast<std::size_t>(memory.size())) {
  if (programs_ <= kMaxTracked) seen_.assign(static_cast<std::size_t>(programs_) / 64 + 1, 0);
}

std::uint32_t* Shadow::made(Marks& marks, int allocation) const {
  if (!marks) {
    const Allocation& tensor = memory_.at(allocation);
    // of memory that is made where it is touched little is touched
    marks = Marks(static_cast<std::size_t>(tensor.bytes / granule_ + 1),
                  tensor.fill ? Touched::kHereAndThere : Touched::kMostly);
  }
  return marks.get();
}

bool Shadow::ordered_after(std::uint32_t other) {
  if (!seen_any_) return false;
  const bool ordered = other == kMany || seen_.empty() || has_seen(other);
  was_ordered_ = was_ordered_ || ordered;
  return ordered;
}

bool Shadow::read(int allocation, std::int64_t offset, std::int64_t bytes, std::uint32_t program, Conflict& conflict) {
  PerTensor& tensor = tensor_at(allocation);
  const std::int64_t first = offset / granule_;
  const std::int64_t last = (offset + bytes - 1) / granule_;
  const std::uint32_t* writer = tensor.writer.get();
  const std::uint32_t* atomic = tensor.atomic.get();
  std::uint32_t* reader = made(tensor.reader, allocation);
  const auto note = [&](std::int64_t g) { reader[g] = reader[g] == 0 || reader[g] == program ? program : kMany; };
  if (writer == nullptr && atomic == nullptr) {
    for (std::int64_t g = first; g <= last; ++g) note(g);
    return false;
  }
  for (std::int64_t g = first; g <= last; ++g) {
    const std::uint32_t mark = mark_at(writer, g), updated = mark_at(atomic, g);
    const std::uint32_t wrote = (mark & kSilent) != 0 ? 0 : mark;
    const bool foreign_write = wrote != 0 && wrote != program;
    const bool foreign_atomic = updated != 0 && updated != program;
    note(g);
    if (!foreign_write && !foreign_atomic) continue;
    const std::uint32_t other = foreign_write ? wrote : updated;
    if (ordered_after(other)) continue;
    conflict = {g * granule_, other, foreign_write, !foreign_write};
    return true;
  }
  return false;
}

bool Shadow::write(int allocation, std::int64_t offset, std::int64_t bytes, bool same, std::uint32_t program,
                   Conflict& conflict) {
  PerTensor& tensor = tensor_at(allocation);
  const std::int64_t first = offset / granule_;
  const std::int64_t last = (offset + bytes - 1) / granule_;
  std::uint32_t* writer = made(tensor.writer, allocation);
  const std::uint32_t *reader = tensor.reader.get(), *atomic = tensor.atomic.get();
  bool found = false;
  for (std::int64_t g = first; g <= last; ++g) {
    const std::uint32_t wrote = writer[g] & ~kSilent;
    const std::uint32_t read = mark_at(reader, g);
    const std::uint32_t updated = mark_at(atomic, g);
    if (!same && !found) {
      for (const std::uint32_t other : {wrote, updated, read}) {
        if (other == 0 || other == program || ordered_after(other)) continue;
        conflict = {g * granule_, other, other == wrote, other == updated && other != wrote};
        found = true;
        break;
      }
    }
    const bool silent = same && (wrote == 0 || (writer[g] & kSilent) != 0);
    // A program that repeats another's value leaves the first as the writer: a third with another value meets either.
    if (!same || wrote == 0) writer[g] = program | (silent ? kSilent : 0);
  }
  return found;
}

bool Shadow::atomic(int allocation, std::int64_t offset, std::int64_t bytes, std::uint32_t program,
                    Conflict& conflict) {
  PerTensor& tensor = tensor_at(allocation);
  const std::int64_t last = (offset + bytes - 1) / granule_;
  std::uint32_t* atomic = made(tensor.atomic, allocation);
  const std::uint32_t *writer = tensor.writer.get(), *reader = tensor.reader.get();
  for (std::int64_t g = offset / granule_; g <= last; ++g) {
    atomic[g] = atomic[g] == 0 || atomic[g] == program ? program : kMany;
    const std::uint32_t wrote = mark_at(writer, g) & ~kSilent;
    for (const std::uint32_t other : {wrote, mark_at(reader, g)}) {
      if (other == 0 || other == program || ordered_after(other)) continue;
      conflict = {g * granule_, other, other == wrote, false};
      return true;
    }
  }
  return false;
}

void Shadow::synchronise(std::uint64_t address, bool acquires, bool releases, std::uint32_t program) {
  if (seen_.empty()) {
    seen_any_ = seen_any_ || (acquires && !released_.empty());
    if (releases) released_[address];
    return;
  }
  Programs& released = released_[address];
  if (acquires) {
    for (std::size_t i = 0; i < released.size(); ++i) {
      seen_[i] |= released[i];
      seen_any_ = seen_any_ || released[i] != 0;
    }
  }
  if (releases) {
    released.resize(seen_.size());
    for (std::size_t i = 0; i < seen_.size(); ++i) released[i] |= seen_[i];
    released[program / 64] |= std::uint64_t{1} << program % 64;
  }
}

void Shadow::begin_program() {
  if (seen_any_) std::fill(seen_.begin(), seen_.end(), 0);
  seen_any_ = false;
}

}  // namespace tritonrl::machine
