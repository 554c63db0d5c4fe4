#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/access.h"
#include "machine/counters.h"
#include "machine/memory.h"
#include "machine/zeroed.h"

namespace tritonrl::machine {

// Counts what a launch moves, by tensor. One a worker; add_up joins them.
class Traffic {
 public:
  static constexpr std::int64_t kSector = 32;
  static constexpr std::int64_t kWarp = 32;

  explicit Traffic(const Memory& memory);

  enum class Kind : std::uint8_t { kLoad, kStore, kAtomic };
  // `allocation`: where all lanes fall; -1: they fall into several, which is counted with the first.
  void count(Kind kind, const Access& access, const Landing& landing, std::uint32_t program, const Memory& memory);

  // Half of the sampled programs are done: what is touched from now on tells how much programs share.
  void halfway();
  // Adds this worker's figures to `counters`, scaled from the executed programs to all.
  static void add_up(const std::vector<std::unique_ptr<Traffic>>& workers, const Memory& memory, Counters& counters);

 private:
  struct Mark {
    std::uint32_t program = 0;  // that touched the sector last, 0: none
    std::uint32_t when = 0;     // how many sectors it had touched by then
  };
  using Marks = Zeroed<Mark>;

  struct PerTensor {
    TensorTraffic sum;
    Marks load_marks, store_marks;                         // by sector
    double unique_loads = 0, unique_stores = 0;            // sectors
    double unique_loads_half = 0, unique_stores_half = 0;  // of the first half of the programs
    std::uint32_t storing = 0;                             // the program that stored last
    double stored = 0;                                     // bytes, by it
  };

  static Marks make_marks(const Allocation& allocation);
  void touch(PerTensor& tensor, bool is_load, std::uint64_t sector, std::uint32_t program);

  std::vector<PerTensor> tensors_;
  std::uint32_t running_ = 0, touched_ = 0;  // the program that touches now, and how many sectors it touched so far
  std::array<double, 32> again_ = {};        // Counters::loaded_again
};

}  // namespace tritonrl::machine
