#include "machine/access.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "machine/lane_order.h"
#include "machine/masked_values.h"
#include "machine/shadow.h"
#include "machine/steps.h"
#include "machine/traffic.h"
#include "machine/undo_log.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

struct Extent {
  std::uint64_t low = ~std::uint64_t{0}, high = 0, bits = 0;
  std::int64_t active = 0;
};

bool is_contiguous(const std::uint64_t* addresses, std::int64_t count, std::int64_t bytes) {
  if (count > 0 && addresses[count - 1] != addresses[0] + static_cast<std::uint64_t>((count - 1) * bytes)) return false;
  std::uint64_t difference = 0;
  for (std::int64_t i = 0; i < count; ++i)
    difference |= addresses[i] ^ (addresses[0] + static_cast<std::uint64_t>(i * bytes));
  return difference == 0;
}

// So many of the first lanes are on, and no other; -1: it is another pattern. A mask at the end of a row leaves the
// first ones.
std::int64_t first_on(const Access& access) {
  if (access.mask == nullptr) return access.count;
  const auto count = static_cast<std::size_t>(access.count);
  const void* off = std::memchr(access.mask, 0, count);
  if (off == nullptr) return access.count;
  const auto on = static_cast<std::size_t>(static_cast<const std::uint8_t*>(off) - access.mask);
  return std::memchr(off, 1, count - on) == nullptr ? static_cast<std::int64_t>(on) : -1;
}

// The usual case, for which one look at the addresses is enough: the first lanes are on, and each follows the last.
std::optional<Extent> extent_of_row(const Access& access) {
  const std::int64_t active = first_on(access);
  if (active < 0 || !is_contiguous(access.addresses, active, access.bytes)) return std::nullopt;
  Extent extent;
  extent.active = active;
  if (active == 0) return extent;
  extent.low = extent.bits = access.addresses[0];  // what follows is as aligned: `bytes` is a power of two
  extent.high = extent.low + static_cast<std::uint64_t>((active - 1) * access.bytes);
  // lanes that pass the end of the address space
  return extent.high < extent.low ? std::nullopt : std::optional(extent);
}

Extent extent_of(const Access& access) {
  Extent extent;
  if (access.mask == nullptr) {
    for (std::int64_t i = 0; i < access.count; ++i) {
      const std::uint64_t at = access.addresses[i];
      extent.low = std::min(extent.low, at);
      extent.high = std::max(extent.high, at);
      extent.bits |= at;
    }
    extent.active = access.count;
    return extent;
  }
  for (std::int64_t i = 0; i < access.count; ++i) {
    const std::uint64_t at = access.addresses[i];
    const std::uint64_t on = 0 - static_cast<std::uint64_t>(access.mask[i]);  // all ones for a lane that is on
    extent.low = std::min(extent.low, at | ~on);
    extent.high = std::max(extent.high, at & on);
    extent.bits |= at & on;
    extent.active += access.mask[i];
  }
  return extent;
}

std::string plural(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string verb(const Step& step) {
  return step.op->name == "tt.store" || step.op->name == "tt.descriptor_store" ? "writes" : "reads";
}

struct Wrong {
  Finding::Kind kind = Finding::Kind::kOutOfBounds;
  std::string message, tensor;
  std::int64_t offset = 0;
};

Wrong out_of_bounds(const Worker& worker, const Step& step, std::uint64_t address, std::int64_t bytes) {
  constexpr auto kKind = Finding::Kind::kOutOfBounds;
  const int near = worker.memory->nearest(address);
  if (near < 0) return {kKind, verb(step) + " memory, but there is no tensor"};
  const Allocation& tensor = worker.memory->at(near);
  const auto offset = static_cast<std::int64_t>(address - tensor.address);
  // More than the gap between tensors away from all of them: the pointer was never one.
  if (offset < -(std::int64_t{1} << 30) || offset > tensor.bytes + (std::int64_t{1} << 30)) {
    return {kKind,
            verb(step) + " through a pointer that belongs to no tensor (address " + std::to_string(address) + ")"};
  }
  const std::string where =
      offset < 0 ? plural(-offset, "byte") + " before the start of " + tensor.name
                 : (offset >= tensor.bytes ? plural(offset - tensor.bytes, "byte") + " past the end of " + tensor.name
                                           : "across the end of " + tensor.name);
  return {kKind,
          verb(step) + " " + where + ": element " + std::to_string(offset / bytes) + " of " +
              std::to_string(tensor.bytes / bytes),
          tensor.name, offset};
}

Wrong misaligned(const Worker& worker, const Step& step, std::uint64_t address, std::int64_t bytes) {
  const int near = worker.memory->nearest(address);
  const std::string name = near < 0 ? "no tensor" : worker.memory->at(near).name;
  const std::int64_t offset = near < 0 ? 0 : static_cast<std::int64_t>(address - worker.memory->at(near).address);
  return {Finding::Kind::kMisaligned,
          verb(step) + " " + plural(bytes, "byte") + " at byte " + std::to_string(offset) + " of " + name +
              ", which is no multiple of " + std::to_string(bytes),
          name, offset};
}

bool inside(const Allocation& tensor, std::uint64_t low, std::uint64_t high, std::int64_t bytes) {
  return low >= tensor.address &&
         high - tensor.address + static_cast<std::uint64_t>(bytes) <= static_cast<std::uint64_t>(tensor.bytes) &&
         high >= tensor.address;
}

// Whether a lane is wrong by itself; `look` as the machine finds out: bounds of lanes in several tensors one by one.
bool is_misaligned(std::uint64_t address, std::int64_t bytes) {
  return address % static_cast<std::uint64_t>(bytes) != 0;
}

bool is_outside(const Worker& worker, std::uint64_t address, std::int64_t bytes) {
  const int at = worker.memory->find(address);
  return at < 0 || !inside(worker.memory->at(at), address, address, bytes);
}

// Some lanes are perhaps wrong in the way that `is_wrong` tells. True: none is. Else the first one's finding, which
// ends the launch, or, where that goes on, turns all of them off.
template <class IsWrong, class Tell>
bool lanes_are_right(Worker& worker, const Step& step, Access& access, IsWrong&& is_wrong, Tell&& tell) {
  std::int64_t first = -1, wrong = 0, active = 0;
  for (std::int64_t i = 0; i < access.count; ++i) {
    if (access.mask != nullptr && access.mask[i] == 0) continue;
    ++active;
    if (!is_wrong(access.addresses[i])) continue;
    if (first < 0) {
      first = i;
      if (!worker.options->go_on) break;
      worker.kept.resize(static_cast<std::size_t>(access.count));
      for (std::int64_t k = 0; k < access.count; ++k)
        worker.kept[static_cast<std::size_t>(k)] = access.mask == nullptr || access.mask[k] != 0;
    }
    worker.kept[static_cast<std::size_t>(i)] = 0;
    ++wrong;
  }
  if (first < 0) return true;
  Wrong found = tell(access.addresses[first]);
  if (!worker.options->go_on) {
    worker.fault(step, found.kind, std::move(found.message), std::move(found.tensor), found.offset);
    return false;
  }
  if (wrong > 1) found.message += "; so do " + std::to_string(wrong) + " of " + plural(active, "lane");
  worker.find(step, found.kind, std::move(found.message), std::move(found.tensor), found.offset);
  if (worker.masked != nullptr) worker.masked->goes_wrong(step, wrong);
  access.mask = worker.kept.data();
  return false;
}

void fill_pages(Allocation& tensor, std::int64_t first, std::int64_t last) {
  for (std::int64_t page = first / Memory::kPage; page <= last / Memory::kPage; ++page) {
    if (tensor.filled[static_cast<std::size_t>(page)]) continue;
    tensor.filled[static_cast<std::size_t>(page)] = true;
    const std::int64_t begin = page * Memory::kPage;
    tensor.fill(begin, tensor.data + begin, std::min(Memory::kPage, tensor.bytes - begin));
  }
}

// Calls visit(allocation, offset, lane, lanes) for runs of lanes that are on and follow one another in memory.
template <class Visit>
void for_each_run(Worker& worker, const Access& access, const Landing& landing, Visit&& visit) {
  if (landing.contiguous) {
    const Allocation& tensor = worker.memory->at(landing.allocation);
    visit(landing.allocation, static_cast<std::int64_t>(access.addresses[0] - tensor.address), std::int64_t{0},
          landing.active);
    return;
  }
  const auto size = static_cast<std::uint64_t>(access.bytes);
  std::int64_t i = 0;
  while (i < access.count) {
    if (access.mask != nullptr && access.mask[i] == 0) {
      ++i;
      continue;
    }
    std::int64_t end = i + 1;
    while (end < access.count && access.addresses[end] == access.addresses[end - 1] + size &&
           (access.mask == nullptr || access.mask[end] != 0)) {
      ++end;
    }
    int allocation = landing.allocation;
    if (allocation < 0) {
      allocation = worker.memory->find(access.addresses[i]);
      const Allocation& tensor = worker.memory->at(allocation);
      const auto left =
          static_cast<std::int64_t>(tensor.address + static_cast<std::uint64_t>(tensor.bytes) - access.addresses[i]);
      end = std::min(end, i + left / access.bytes);
    }
    const Allocation& tensor = worker.memory->at(allocation);
    visit(allocation, static_cast<std::int64_t>(access.addresses[i] - tensor.address), i, end - i);
    i = end;
  }
}

std::string name_of(const Worker& worker, std::uint32_t program) {
  if (program == Shadow::kMany) return "several other programs";
  const std::int64_t index = static_cast<std::int64_t>(program) - 1;
  return "program (" + std::to_string(index % worker.grid[0]) + ", " +
         std::to_string(index / worker.grid[0] % worker.grid[1]) + ", " +
         std::to_string(index / worker.grid[0] / worker.grid[1]) + ")";
}

void report_race(Worker& worker, const Step& step, int allocation, const Shadow::Conflict& conflict, bool writes) {
  const Allocation& tensor = worker.memory->at(allocation);
  const std::string other = conflict.other_wrote ? " wrote" : (conflict.other_atomic ? " updated" : " read");
  std::string message = std::string(writes ? "writes" : "reads") + " byte " + std::to_string(conflict.offset) + " of " +
                        tensor.name + ", which " + name_of(worker, conflict.other) + other + ": nothing orders the two";
  if (!writes && conflict.other_atomic) {
    worker.await_atomic({allocation, conflict.offset, &step, std::move(message)});
  } else {
    worker.find(step, Finding::Kind::kRace, std::move(message), tensor.name, conflict.offset);
  }
}

void report_lanes(Worker& worker, const Step& step, int allocation, const LaneOrder::Conflict& conflict, bool writes) {
  const Allocation& tensor = worker.memory->at(allocation);
  const Location* place = place_in(*worker.module, conflict.other->location, worker.source_file);
  worker.find(step, Finding::Kind::kRace,
              std::string(writes ? "writes" : "reads") + " byte " + std::to_string(conflict.offset) + " of " +
                  tensor.name + ", which another warp of the same program " + (writes ? "reads" : "writes") +
                  (place != nullptr ? " at line " + std::to_string(place->line) : std::string()) +
                  ": nothing orders the two without a barrier between",
              tensor.name, conflict.offset);
}

// Of elements: a call of memcmp for each is most of a store's time.
bool equal(const std::byte* a, const std::byte* b, std::size_t size) {
  switch (size) {
    case 2:
      return std::memcmp(a, b, 2) == 0;
    case 4:
      return std::memcmp(a, b, 4) == 0;
    case 8:
      return std::memcmp(a, b, 8) == 0;
    default:
      return std::memcmp(a, b, size) == 0;
  }
}

void check_defined(Worker& worker, const Step& step, const Allocation& tensor, std::int64_t offset,
                   std::int64_t bytes) {
  const auto begin = tensor.undefined.begin() + offset;
  const auto found = std::find_if(begin, begin + bytes, [](std::uint8_t one) { return one != 0; });
  if (found == begin + bytes) return;
  const std::int64_t at = found - tensor.undefined.begin();
  worker.find(step, Finding::Kind::kUndefinedRead,
              "reads byte " + std::to_string(at) + " of " + tensor.name + ", which nothing has written", tensor.name,
              at);
}

}  // namespace

bool land(Worker& worker, const Step& step, Access& access, Landing& landing) {
  const std::optional<Extent> row = extent_of_row(access);
  const Extent extent = row ? *row : extent_of(access);
  landing.active = extent.active;
  if (extent.active == 0) return true;
  if ((extent.bits & static_cast<std::uint64_t>(access.bytes - 1)) != 0 &&
      !lanes_are_right(
          worker, step, access, [&](std::uint64_t at) { return is_misaligned(at, access.bytes); },
          [&](std::uint64_t at) { return misaligned(worker, step, at, access.bytes); })) {
    return worker.options->go_on && land(worker, step, access, landing);
  }
  int at = worker.last_allocation;
  if (at < 0 || !inside(worker.memory->at(at), extent.low, extent.high, access.bytes)) {
    at = worker.memory->find(extent.low);
    if (at < 0 || !inside(worker.memory->at(at), extent.low, extent.high, access.bytes)) {
      landing.allocation = -1;
      if (lanes_are_right(
              worker, step, access, [&](std::uint64_t lane) { return is_outside(worker, lane, access.bytes); },
              [&](std::uint64_t lane) { return out_of_bounds(worker, step, lane, access.bytes); })) {
        return true;
      }
      return worker.options->go_on && land(worker, step, access, landing);
    }
    worker.last_allocation = at;
  }
  landing.allocation = at;
  landing.contiguous = row.has_value();
  Allocation& tensor = worker.memory->at(at);
  if (tensor.fill) {
    if (landing.contiguous) {
      fill_pages(tensor, static_cast<std::int64_t>(extent.low - tensor.address),
                 static_cast<std::int64_t>(extent.high - tensor.address) + access.bytes - 1);
    } else {
      std::int64_t filled = -1;  // a page; neighbours are mostly on one, and aligned elements on one each
      for (std::int64_t i = 0; i < access.count; ++i) {
        if (access.mask != nullptr && access.mask[i] == 0) continue;
        const auto offset = static_cast<std::int64_t>(access.addresses[i] - tensor.address);
        if (offset / Memory::kPage == filled) continue;
        filled = offset / Memory::kPage;
        fill_pages(tensor, offset, offset + access.bytes - 1);
      }
    }
  }
  return true;
}

bool load(Worker& worker, const Step& step, Access access, const void* other, void* out) {
  worker.loads += 1;
  Landing landing;
  if (!land(worker, step, access, landing)) return false;
  auto* to = static_cast<std::byte*>(out);
  const auto size = static_cast<std::size_t>(access.bytes);
  if (landing.active < access.count) {
    const std::size_t total = static_cast<std::size_t>(access.count) * size;
    if (other != nullptr) {
      std::memcpy(to, other, total);
    } else {
      std::memset(to, 0, total);
    }
  }
  if (landing.active == 0) return true;
  for_each_run(
      worker, access, landing, [&](int allocation, std::int64_t offset, std::int64_t lane, std::int64_t lanes) {
        const Allocation& tensor = worker.memory->at(allocation);
        const std::byte* from = tensor.data + offset;
        std::byte* place = to + static_cast<std::size_t>(lane) * size;
        if (lanes == 1 && size == 4) {
          std::memcpy(place, from, 4);
        } else {
          std::memcpy(place, from, static_cast<std::size_t>(lanes) * size);
        }
        if (!tensor.undefined.empty() && worker.options->check_undefined) {
          check_defined(worker, step, tensor, offset, lanes * access.bytes);
        }
        if (worker.lane_order != nullptr) {
          LaneOrder::Conflict conflict;
          if (worker.lane_order->load(allocation, {offset, lanes, lane, access.count, access.bytes, &step}, conflict)) {
            report_lanes(worker, step, allocation, conflict, false);
          }
        }
        if (worker.shadow != nullptr) {
          Shadow::Conflict conflict;
          if (worker.shadow->read(allocation, offset, lanes * access.bytes, worker.program_number, conflict)) {
            report_race(worker, step, allocation, conflict, false);
          }
        }
      });
  if (worker.traffic != nullptr) {
    worker.traffic->count(Traffic::Kind::kLoad, access, landing, worker.program_number, *worker.memory);
  }
  return true;
}

bool store(Worker& worker, const Step& step, Access access, const void* values) {
  worker.stores += 1;
  Landing landing;
  if (!land(worker, step, access, landing)) return false;
  if (landing.active == 0) return true;
  const auto* from = static_cast<const std::byte*>(values);
  const auto size = static_cast<std::size_t>(access.bytes);
  for_each_run(
      worker, access, landing, [&](int allocation, std::int64_t offset, std::int64_t lane, std::int64_t lanes) {
        Allocation& tensor = worker.memory->at(allocation);
        const std::byte* value = from + static_cast<std::size_t>(lane) * size;
        const std::int64_t bytes = lanes * access.bytes;
        if (worker.lane_order != nullptr) {
          LaneOrder::Conflict conflict;
          if (worker.lane_order->store(allocation, {offset, lanes, lane, access.count, access.bytes, &step}, conflict))
            report_lanes(worker, step, allocation, conflict, true);
        }
        if (worker.shadow != nullptr) {
          Shadow::Conflict conflict;
          bool raced = false;
          if (std::memcmp(tensor.data + offset, value, static_cast<std::size_t>(bytes)) == 0 &&
              tensor.undefined.empty()) {
            raced = worker.shadow->write(allocation, offset, bytes, true, worker.program_number, conflict);
          } else {
            const auto is_same = [&](std::int64_t i) {
              const std::int64_t at = i * access.bytes;
              const bool undefined =
                  !tensor.undefined.empty() && tensor.undefined[static_cast<std::size_t>(offset + at)] != 0;
              return !undefined && equal(tensor.data + offset + at, value + at, size);
            };
            for (std::int64_t i = 0; i < lanes && !raced;) {  // neighbours mostly have all changed, or none of them
              const std::int64_t begin = i;
              const bool same = is_same(i);
              while (++i < lanes && is_same(i) == same) {
              }
              raced = worker.shadow->write(allocation, offset + begin * access.bytes, (i - begin) * access.bytes, same,
                                           worker.program_number, conflict);
            }
          }
          if (raced) report_race(worker, step, allocation, conflict, true);
        }
        if (worker.undo != nullptr) worker.undo->note(allocation, tensor, offset, bytes);
        if (worker.masked != nullptr) worker.masked->stores(allocation, tensor, offset, bytes, value);
        std::memcpy(tensor.data + offset, value, static_cast<std::size_t>(bytes));
        if (!tensor.undefined.empty())
          std::memset(tensor.undefined.data() + offset, 0, static_cast<std::size_t>(bytes));
      });
  if (worker.shadow != nullptr && !landing.contiguous && landing.allocation >= 0 && access.count > 1) {
    // Two lanes of one store at one address with different values: which stays is anybody's guess.
    const Allocation& tensor = worker.memory->at(landing.allocation);
    for (std::int64_t i = 0; i < access.count; ++i) {
      if (access.mask != nullptr && access.mask[i] == 0) continue;
      const auto offset = static_cast<std::int64_t>(access.addresses[i] - tensor.address);
      if (equal(tensor.data + offset, from + static_cast<std::size_t>(i) * size, size)) continue;
      worker.find(step, Finding::Kind::kRace,
                  "writes different values to byte " + std::to_string(offset) + " of " + tensor.name +
                      " with one store: nothing orders its lanes",
                  tensor.name, offset);
      break;
    }
  }
  if (worker.traffic != nullptr) {
    worker.traffic->count(Traffic::Kind::kStore, access, landing, worker.program_number, *worker.memory);
  }
  return true;
}

namespace {

struct AccessShape : Detail {
  std::vector<std::int64_t> shape;
  std::int64_t bytes = 0;
  bool masked = false, other = false;
};

Access access_of(const Worker& worker, const Step& step, int mask_operand) {
  const auto& shape = static_cast<const AccessShape&>(*step.detail);
  return {worker.at<std::uint64_t>(step.in[0]), shape.masked ? worker.at<std::uint8_t>(step.in[mask_operand]) : nullptr,
          step.count, shape.bytes, shape.shape};
}

const Step* run_load(Worker& worker, const Step& step) {
  const auto& shape = static_cast<const AccessShape&>(*step.detail);
  const void* other = shape.other ? worker.at<std::byte>(step.in[2]) : nullptr;
  const Access access = access_of(worker, step, 1);
  if (!load(worker, step, access, other, worker.at<std::byte>(step.out[0]))) return nullptr;
  if (worker.masked != nullptr && access.mask != nullptr && other == nullptr)
    worker.masked->masked_load(step, access, worker.at<std::byte>(step.out[0]));
  return &step + 1;
}

const Step* run_store(Worker& worker, const Step& step) {
  return store(worker, step, access_of(worker, step, 2), worker.at<std::byte>(step.in[1])) ? &step + 1 : nullptr;
}

}  // namespace

bool make_access(const StepContext& context, Step& step) {
  const bool is_load = context.op.name == "tt.load";
  if (!is_load && context.op.name != "tt.store") return false;
  const Type& pointers = context.operand(0);
  if (pointers.scalar != Scalar::kPointer) return false;  // a block pointer: tensor_pointer.cpp
  auto& shape = context.make<AccessShape>();
  shape.shape = pointers.shape;
  shape.bytes = size_of(is_load ? context.result().scalar : context.operand(1).scalar);
  shape.masked = context.op.operands.size() > (is_load ? 1U : 2U);
  shape.other = is_load && context.op.operands.size() > 2;
  step.detail = &shape;
  step.count = pointers.count();
  step.run = is_load ? run_load : run_store;
  return shape.bytes > 0;
}

}  // namespace tritonrl::machine
