#include "machine/memory.h"

#include <algorithm>

#include "base/check.h"

namespace tritonrl::machine {
namespace {

constexpr std::uint64_t kAlignment = 512;
// Between neighbours: far more than an off-by-a-block error, so that such an access meets nobody.
constexpr std::uint64_t kGap = std::uint64_t{1} << 30;

}  // namespace

int Memory::add(std::byte* data, std::int64_t bytes, std::string name, bool defined) {
  TRL_CHECK(bytes >= 0, "an allocation of negative size");
  auto made = std::make_unique<Allocation>();
  made->address = next_;
  made->bytes = bytes;
  made->data = data;
  made->name = std::move(name);
  if (!defined) made->undefined.assign(static_cast<std::size_t>(bytes), 1);
  const auto size = static_cast<std::uint64_t>(bytes);
  next_ += (size + kAlignment - 1) / kAlignment * kAlignment + kGap;
  allocations_.push_back(std::move(made));
  return size_of_list() - 1;
}

void Memory::remove(int index) {
  allocations_.at(static_cast<std::size_t>(index)).reset();
}

Allocation& Memory::at(int index) {
  TRL_CHECK(allocations_.at(static_cast<std::size_t>(index)) != nullptr, "an allocation that was removed");
  return *allocations_[static_cast<std::size_t>(index)];
}

const Allocation& Memory::at(int index) const {
  return const_cast<Memory*>(this)->at(index);
}

int Memory::size() const {
  return size_of_list();
}

int Memory::size_of_list() const {
  return static_cast<int>(allocations_.size());
}

int Memory::last_before(std::uint64_t address) const {
  // Removed ones keep their place in the list but not their address, hence a linear walk over those.
  int low = 0;
  int high = size_of_list();
  while (low < high) {
    int middle = (low + high) / 2;
    int probe = middle;
    while (probe < high && !allocations_[static_cast<std::size_t>(probe)]) ++probe;
    if (probe == high) {
      high = middle;
    } else if (allocations_[static_cast<std::size_t>(probe)]->address <= address) {
      low = probe + 1;
    } else {
      high = middle;
    }
  }
  int at = low - 1;
  while (at >= 0 && !allocations_[static_cast<std::size_t>(at)]) --at;
  return at;
}

int Memory::find(std::uint64_t address) const {
  const int candidate = last_before(address);
  if (candidate < 0) return -1;
  const Allocation& one = *allocations_[static_cast<std::size_t>(candidate)];
  return address - one.address < static_cast<std::uint64_t>(one.bytes) ? candidate : -1;
}

int Memory::nearest(std::uint64_t address) const {
  const int before = last_before(address);
  int after = before + 1;
  while (after < size_of_list() && !allocations_[static_cast<std::size_t>(after)]) ++after;
  if (after == size_of_list()) return before;
  if (before < 0) return after;
  const Allocation& left = at(before);
  const std::uint64_t end = left.address + static_cast<std::uint64_t>(left.bytes);
  if (address < end) return before;
  return address - end <= at(after).address - address ? before : after;
}

void Memory::define(int index) {
  at(index).undefined.clear();
  at(index).undefined.shrink_to_fit();
}

}  // namespace tritonrl::machine
