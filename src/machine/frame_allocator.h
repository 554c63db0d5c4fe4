#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace tritonrl::machine {

// Places for values in the frame. A place may be shared by several values (a reshape is its operand) and is reused once
// the last of them is dead, so that what a program works on stays in the cache.
class FrameAllocator {
 public:
  static constexpr std::int64_t kAlignment = 64;

  // A new place with one owner.
  std::int32_t allocate(std::int64_t bytes);
  // One that nothing else had before and nothing else gets.
  std::int32_t allocate_fresh(std::int64_t bytes);
  void share(std::int32_t offset);
  void release(std::int32_t offset);
  std::int64_t bytes() const { return end_; }

 private:
  struct Place {
    std::int64_t bytes = 0;
    int owners = 0;
  };
  std::map<std::int32_t, Place> places_;
  std::map<std::int64_t, std::vector<std::int32_t>> free_;  // by size
  std::int64_t end_ = 0;
};

}  // namespace tritonrl::machine
