#include "machine/traffic.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tritonrl::machine {
namespace {

constexpr std::uint32_t kNear = 256;  // sectors: 8 KB, which stay in a program's part of the first cache

// The dimension along which lanes of a warp follow one another: the last one whose neighbours are neighbours in memory
// (Triton's own layouts follow contiguity), else the last.
std::size_t fastest_dimension(const Access& access) {
  std::int64_t stride = 1;
  for (std::size_t d = access.shape.size(); d-- > 0;) {
    if (access.shape[d] > 1 &&
        access.addresses[stride] - access.addresses[0] == static_cast<std::uint64_t>(access.bytes))
      return d;
    stride *= access.shape[d];
  }
  return access.shape.empty() ? 0 : access.shape.size() - 1;
}

// Visits the lanes in the order in which warps take them.
template <class Visit>
void for_each_lane(const Access& access, Visit&& visit) {
  const std::size_t rank = access.shape.size();
  const std::size_t fastest = rank > 1 ? fastest_dimension(access) : 0;
  if (rank < 2 || fastest == rank - 1) {
    for (std::int64_t i = 0; i < access.count; ++i) visit(i);
    return;
  }
  std::int64_t inner = 1;
  for (std::size_t d = fastest + 1; d < rank; ++d) inner *= access.shape[d];
  const std::int64_t size = access.shape[fastest];
  for (std::int64_t outer = 0; outer < access.count; outer += size * inner) {
    for (std::int64_t i = 0; i < inner; ++i) {
      for (std::int64_t f = 0; f < size; ++f) visit(outer + f * inner + i);
    }
  }
}

// What was touched by n programs grows as a power of n: 1 if programs share nothing, 0 if all touch the same.
double extrapolated(double half, double whole, double executed, double programs, double limit) {
  if (programs <= executed || whole <= 0) return std::min(whole, limit);
  const double power = half > 0 ? std::clamp(std::log2(whole / half), 0.0, 1.0) : 1.0;
  return std::min(whole * std::pow(programs / executed, power), limit);
}

}  // namespace

Traffic::Traffic(const Memory& memory) : tensors_(static_cast<std::size_t>(memory.size())) {}

Traffic::Marks Traffic::make_marks(const Allocation& allocation) {
  return {static_cast<std::size_t>(allocation.bytes / kSector + 2),
          allocation.fill ? Touched::kHereAndThere : Touched::kMostly};
}

void Traffic::touch(PerTensor& tensor, bool is_load, std::uint64_t sector, std::uint32_t program) {
  Mark& mark = (is_load ? tensor.load_marks : tensor.store_marks)[sector];
  if (mark.program == program) {
    const std::uint32_t between = touched_ - mark.when;
    if (between < kNear) return;  // nearby: neither far away again, nor more of what lies in between
    if (is_load) again_[static_cast<std::size_t>(std::bit_width(between) - 1)] += 1;
    mark.when = touched_++;
    return;
  }
  (is_load ? tensor.sum.fresh_load_sectors : tensor.sum.fresh_store_sectors) += 1;
  if (mark.program == 0) (is_load ? tensor.unique_loads : tensor.unique_stores) += 1;
  mark = {program, touched_++};
}

void Traffic::count(Kind kind, const Access& access, const Landing& landing, std::uint32_t program,
                    const Memory& memory) {
  int index = landing.allocation;
  if (index < 0) {
    for (std::int64_t i = 0; i < access.count && index < 0; ++i) {
      if (access.mask == nullptr || access.mask[i] != 0) index = memory.find(access.addresses[i]);
    }
    if (index < 0) return;
  }
  const Allocation& allocation = memory.at(index);
  if (program != running_) touched_ = 0;
  running_ = program;
  PerTensor& tensor = tensors_[static_cast<std::size_t>(index)];
  const bool is_load = kind == Kind::kLoad;
  Marks& marks = is_load ? tensor.load_marks : tensor.store_marks;
  if (!marks) marks = make_marks(allocation);
  const double bytes = static_cast<double>(landing.active * access.bytes);
  double sectors = 0;
  if (landing.contiguous) {
    const std::uint64_t first = access.addresses[0] - allocation.address;
    const std::uint64_t end = first + static_cast<std::uint64_t>(landing.active * access.bytes);
    const std::uint64_t low = first / kSector;
    const std::uint64_t high = (end - 1) / kSector;
    for (std::uint64_t s = low; s <= high; ++s) touch(tensor, is_load, s, program);
    sectors = static_cast<double>(high - low + 1);
    // A warp's piece that begins inside a sector shares it with the piece before.
    if (first % kSector != 0) sectors += static_cast<double>((landing.active - 1) / kWarp);
  } else {
    const std::uint64_t end = static_cast<std::uint64_t>(allocation.bytes);
    std::uint64_t last = ~std::uint64_t{0};
    std::int64_t lane = 0;
    for_each_lane(access, [&](std::int64_t i) {
      if (lane++ % kWarp == 0) last = ~std::uint64_t{0};
      if (access.mask != nullptr && access.mask[i] == 0) return;
      const std::uint64_t offset = access.addresses[i] - allocation.address;
      const std::uint64_t sector = offset / kSector;
      if (sector == last || offset >= end) return;
      last = sector;
      sectors += 1;
      touch(tensor, is_load, sector, program);
    });
  }
  if (kind == Kind::kAtomic) tensor.sum.atomic_bytes += bytes;
  (is_load ? tensor.sum.load_sectors : tensor.sum.store_sectors) += sectors;
  (is_load ? tensor.sum.load_bytes : tensor.sum.store_bytes) += bytes;
  if (is_load) return;
  tensor.stored = tensor.storing == program ? tensor.stored + bytes : bytes;
  tensor.storing = program;
  tensor.sum.most_store_bytes = std::max(tensor.sum.most_store_bytes, tensor.stored);
}

void Traffic::halfway() {
  for (PerTensor& tensor : tensors_) {
    tensor.unique_loads_half = tensor.unique_loads;
    tensor.unique_stores_half = tensor.unique_stores;
  }
}

void Traffic::add_up(const std::vector<std::unique_ptr<Traffic>>& workers, const Memory& memory, Counters& counters) {
  const auto executed = static_cast<double>(std::max<std::int64_t>(counters.executed, 1));
  const auto programs = static_cast<double>(counters.programs);
  const double scale = programs / executed;
  for (const auto& worker : workers) {
    for (std::size_t i = 0; i < counters.loaded_again.size(); ++i)
      counters.loaded_again[i] += scale * worker->again_[i];
  }
  for (int index = 0; index < memory.size(); ++index) {
    const auto at = static_cast<std::size_t>(index);
    TensorTraffic sum;
    double loads = 0, stores = 0, loads_half = 0, stores_half = 0;
    bool touched = false;
    for (const auto& worker : workers) {
      const PerTensor& tensor = worker->tensors_[at];
      touched = touched || tensor.load_marks || tensor.store_marks;
      sum.load_sectors += tensor.sum.load_sectors;
      sum.store_sectors += tensor.sum.store_sectors;
      sum.fresh_load_sectors += tensor.sum.fresh_load_sectors;
      sum.fresh_store_sectors += tensor.sum.fresh_store_sectors;
      sum.load_bytes += tensor.sum.load_bytes;
      sum.store_bytes += tensor.sum.store_bytes;
      sum.atomic_bytes += tensor.sum.atomic_bytes;
      sum.most_store_bytes = std::max(sum.most_store_bytes, tensor.sum.most_store_bytes * programs);
      if (workers.size() == 1) {
        loads = tensor.unique_loads;
        stores = tensor.unique_stores;
      }
      loads_half += tensor.unique_loads_half;
      stores_half += tensor.unique_stores_half;
    }
    if (!touched) continue;
    const Allocation& allocation = memory.at(index);
    if (workers.size() > 1) {  // each knows only what it touched itself
      for (std::int64_t sector = 0; sector <= allocation.bytes / kSector; ++sector) {
        const auto has = [&](Marks PerTensor::*marks) {
          return std::any_of(workers.begin(), workers.end(), [&](const auto& worker) {
            const Marks& mine = worker->tensors_[at].*marks;
            return mine && mine[static_cast<std::size_t>(sector)].program != 0;
          });
        };
        loads += has(&PerTensor::load_marks) ? 1 : 0;
        stores += has(&PerTensor::store_marks) ? 1 : 0;
      }
    }
    sum.tensor = allocation.name;
    sum.storage = allocation.storage;
    sum.bytes = allocation.bytes;
    for (double* one : {&sum.load_sectors, &sum.store_sectors, &sum.fresh_load_sectors, &sum.fresh_store_sectors,
                        &sum.load_bytes, &sum.store_bytes, &sum.atomic_bytes}) {
      *one *= scale;
    }
    const double limit = static_cast<double>((allocation.bytes + kSector - 1) / kSector);
    sum.unique_load_bytes = kSector * extrapolated(loads_half, loads, executed, programs, limit);
    sum.unique_store_bytes = kSector * extrapolated(stores_half, stores, executed, programs, limit);
    counters.tensors.push_back(std::move(sum));
  }
}

}  // namespace tritonrl::machine
