#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tritonrl::machine {

// One live tensor storage.
struct Allocation {
  std::uint64_t address = 0;  // as kernels see it: aligned to 512 bytes, far from its neighbours
  std::int64_t bytes = 0;
  std::byte* data = nullptr;  // not owned
  std::string name;           // for messages: "x", "storage 3"
  int storage = -1;           // the owner's own number for it, which TensorTraffic repeats
  // One entry a byte, not zero where nothing has been written yet; empty: all is defined.
  std::vector<std::uint8_t> undefined;
  // Fills the page at an offset before it is first touched (memory too large to make whole); may be empty.
  std::function<void(std::int64_t offset, std::byte* page, std::int64_t bytes)> fill;
  std::vector<bool> filled;  // by page
};

// The address space of the kernels: what may be read and written. Addresses are ours, not the process's, so that a
// pointer that a kernel makes up reaches nothing. Not thread-safe.
class Memory {
 public:
  static constexpr std::int64_t kPage = 4096;

  // `data` must outlive the allocation. `defined`: its contents mean something. Returns the index, which stays valid.
  int add(std::byte* data, std::int64_t bytes, std::string name, bool defined = true);
  void remove(int index);
  Allocation& at(int index);
  const Allocation& at(int index) const;
  // The allocation that holds the address, or the nearest one for messages; -1 if there is none.
  int find(std::uint64_t address) const;
  int nearest(std::uint64_t address) const;
  int size() const;
  // All of it was written (by something else than a kernel).
  void define(int index);

 private:
  int size_of_list() const;
  int last_before(std::uint64_t address) const;  // the last live allocation that begins at or before the address; -1

  std::vector<std::unique_ptr<Allocation>> allocations_;  // by address, ascending; null: removed
  std::uint64_t next_ = std::uint64_t{1} << 32;
};

}  // namespace tritonrl::machine
