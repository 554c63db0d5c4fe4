#include "machine/shadow.h"

#include <algorithm>
#include <new>

namespace tritonrl::machine {
namespace {

// Beyond that many programs an acquire counts as ordered after all that ran before: a set for each lock would be large.
constexpr std::int64_t kMaxTracked = 1 << 16;

}  // namespace

Shadow::Shadow(const Memory& memory, std::int64_t granule, std::int64_t programs)
    : memory_(memory), granule_(granule), programs_(programs), tensors_(static_cast<std::size_t>(memory.size())) {
  if (programs_ <= kMaxTracked) seen_.assign(static_cast<std::size_t>(programs_) + 1, false);
}

Shadow::PerTensor& Shadow::marks(int allocation) {
  PerTensor& tensor = tensors_[static_cast<std::size_t>(allocation)];
  if (!tensor.writer) {
    const auto count = static_cast<std::size_t>(memory_.at(allocation).bytes / granule_ + 1);
    for (Marks* one : {&tensor.writer, &tensor.reader, &tensor.atomic}) {
      one->reset(static_cast<std::uint32_t*>(std::calloc(count, sizeof(std::uint32_t))));
      if (!*one) throw std::bad_alloc();
    }
  }
  return tensor;
}

bool Shadow::ordered_after(std::uint32_t other) {
  if (!seen_any_) return false;
  const bool ordered = other == kMany || seen_.empty() || seen_[other];
  was_ordered_ = was_ordered_ || ordered;
  return ordered;
}

bool Shadow::read(int allocation, std::int64_t offset, std::int64_t bytes, std::uint32_t program, Conflict& conflict) {
  PerTensor& tensor = marks(allocation);
  const std::int64_t first = offset / granule_;
  const std::int64_t last = (offset + bytes - 1) / granule_;
  const std::uint32_t* writer = tensor.writer.get();
  const std::uint32_t* atomic = tensor.atomic.get();
  std::uint32_t* reader = tensor.reader.get();
  for (std::int64_t g = first; g <= last; ++g) {
    const std::uint32_t wrote = (writer[g] & kSilent) != 0 ? 0 : writer[g];
    const bool foreign_write = wrote != 0 && wrote != program;
    const bool foreign_atomic = atomic[g] != 0 && atomic[g] != program;
    reader[g] = reader[g] == 0 || reader[g] == program ? program : kMany;
    if (!foreign_write && !foreign_atomic) continue;
    const std::uint32_t other = foreign_write ? wrote : atomic[g];
    if (ordered_after(other)) continue;
    conflict = {g * granule_, other, foreign_write, !foreign_write};
    return true;
  }
  return false;
}

bool Shadow::write(int allocation, std::int64_t offset, std::int64_t bytes, bool same, std::uint32_t program,
                   Conflict& conflict) {
  PerTensor& tensor = marks(allocation);
  const std::int64_t first = offset / granule_;
  const std::int64_t last = (offset + bytes - 1) / granule_;
  bool found = false;
  for (std::int64_t g = first; g <= last; ++g) {
    const std::uint32_t wrote = tensor.writer[static_cast<std::size_t>(g)] & ~kSilent;
    const std::uint32_t read = tensor.reader[static_cast<std::size_t>(g)];
    const std::uint32_t updated = tensor.atomic[static_cast<std::size_t>(g)];
    if (!same && !found) {
      for (const std::uint32_t other : {wrote, updated, read}) {
        if (other == 0 || other == program || ordered_after(other)) continue;
        conflict = {g * granule_, other, other == wrote, other == updated && other != wrote};
        found = true;
        break;
      }
    }
    const bool silent = same && (wrote == 0 || (tensor.writer[static_cast<std::size_t>(g)] & kSilent) != 0);
    // A program that repeats another's value leaves the first as the writer: a third with another value meets either.
    if (!same || wrote == 0) tensor.writer[static_cast<std::size_t>(g)] = program | (silent ? kSilent : 0);
  }
  return found;
}

bool Shadow::atomic(int allocation, std::int64_t offset, std::int64_t bytes, std::uint32_t program,
                    Conflict& conflict) {
  PerTensor& tensor = marks(allocation);
  const std::int64_t last = (offset + bytes - 1) / granule_;
  for (std::int64_t g = offset / granule_; g <= last; ++g) {
    const auto at = static_cast<std::size_t>(g);
    std::uint32_t& updated = tensor.atomic[at];
    updated = updated == 0 || updated == program ? program : kMany;
    const std::uint32_t wrote = tensor.writer[at] & ~kSilent;
    for (const std::uint32_t other : {wrote, tensor.reader[at]}) {
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
      if (!released[i]) continue;
      seen_[i] = true;
      seen_any_ = true;
    }
  }
  if (releases) {
    released.resize(seen_.size());
    for (std::size_t i = 0; i < seen_.size(); ++i) released[i] = released[i] || seen_[i];
    released[program] = true;
  }
}

void Shadow::begin_program() {
  if (seen_any_) std::fill(seen_.begin(), seen_.end(), false);
  seen_any_ = false;
}

}  // namespace tritonrl::machine
