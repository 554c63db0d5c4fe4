#include "machine/atomics.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "machine/masked_values.h"
#include "machine/numbers/float_formats.h"
#include "machine/shadow.h"
#include "machine/steps.h"
#include "machine/traffic.h"
#include "machine/undo_log.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

constexpr std::pair<std::string_view, AtomicKind> kKinds[] = {
    {"add", AtomicKind::kAdd},      {"fadd", AtomicKind::kFloatAdd},    {"and", AtomicKind::kAnd},
    {"or", AtomicKind::kOr},        {"xor", AtomicKind::kXor},          {"max", AtomicKind::kMax},
    {"min", AtomicKind::kMin},      {"umax", AtomicKind::kUnsignedMax}, {"umin", AtomicKind::kUnsignedMin},
    {"exch", AtomicKind::kExchange}};

template <class Signed>
Signed combine_integer(AtomicKind kind, Signed old, Signed value) {
  using Unsigned = std::make_unsigned_t<Signed>;
  const auto a = static_cast<Unsigned>(old);
  const auto b = static_cast<Unsigned>(value);
  switch (kind) {
    case AtomicKind::kAdd:
    case AtomicKind::kFloatAdd:
      return static_cast<Signed>(static_cast<Unsigned>(a + b));
    case AtomicKind::kAnd:
      return static_cast<Signed>(a & b);
    case AtomicKind::kOr:
      return static_cast<Signed>(a | b);
    case AtomicKind::kXor:
      return static_cast<Signed>(a ^ b);
    case AtomicKind::kMax:
      return std::max(old, value);
    case AtomicKind::kMin:
      return std::min(old, value);
    case AtomicKind::kUnsignedMax:
      return static_cast<Signed>(std::max(a, b));
    case AtomicKind::kUnsignedMin:
      return static_cast<Signed>(std::min(a, b));
    case AtomicKind::kExchange:
      return value;
  }
  return value;
}

template <class Float>
Float combine_float(AtomicKind kind, Float old, Float value) {
  switch (kind) {
    case AtomicKind::kMax:
      return std::max(old, value);
    case AtomicKind::kMin:
      return std::min(old, value);
    case AtomicKind::kExchange:
      return value;
    default:
      return old + value;
  }
}

template <class T, class Combine>
void apply(std::byte* place, const std::byte* value, Combine&& combine) {
  T a, b;
  std::memcpy(&a, place, sizeof(T));
  std::memcpy(&b, value, sizeof(T));
  const T made = combine(a, b);
  std::memcpy(place, &made, sizeof(T));
}

template <class T>
void apply_integer(AtomicKind kind, std::byte* place, const std::byte* value) {
  apply<T>(place, value, [kind](T a, T b) { return combine_integer(kind, a, b); });
}

bool apply(Scalar element, AtomicKind kind, std::byte* place, const std::byte* value) {
  switch (element) {
    case Scalar::kF64:
      apply<double>(place, value, [kind](double a, double b) { return combine_float(kind, a, b); });
      return true;
    case Scalar::kF32:
      apply<float>(place, value, [kind](float a, float b) { return combine_float(kind, a, b); });
      return true;
    case Scalar::kF16:
      apply<std::uint16_t>(place, value, [kind](std::uint16_t a, std::uint16_t b) {
        return Half::narrow(combine_float(kind, Half::widen(a), Half::widen(b)));
      });
      return true;
    case Scalar::kBF16:
      apply<std::uint16_t>(place, value, [kind](std::uint16_t a, std::uint16_t b) {
        return BFloat16::narrow(combine_float(kind, BFloat16::widen(a), BFloat16::widen(b)));
      });
      return true;
    case Scalar::kI64:
    case Scalar::kPointer:
    case Scalar::kIndex:
      apply_integer<std::int64_t>(kind, place, value);
      return true;
    case Scalar::kI32:
      apply_integer<std::int32_t>(kind, place, value);
      return true;
    case Scalar::kI16:
      apply_integer<std::int16_t>(kind, place, value);
      return true;
    case Scalar::kI8:
    case Scalar::kI1:
      apply_integer<std::int8_t>(kind, place, value);
      return true;
    default:
      return false;
  }
}

struct AtomicStep : Detail {
  std::vector<std::int64_t> shape;
  Scalar element = Scalar::kNone;
  AtomicKind kind = AtomicKind::kAdd;
  bool masked = false;
  bool acquires = false, releases = false;
};

std::int64_t offset_in(const Allocation& tensor, std::uint64_t address) {
  return static_cast<std::int64_t>(address - tensor.address);
}

// The part that all atomics share: where the lane falls, who else touched it, whether it holds anything. `value`: what
// it is updated with.
Allocation& touch(Worker& worker, const Step& step, const Access& access, const Landing& landing, std::int64_t lane,
                  const std::byte* value) {
  const int index = landing.allocation >= 0 ? landing.allocation : worker.memory->find(access.addresses[lane]);
  Allocation& tensor = worker.memory->at(index);
  const std::int64_t offset = offset_in(tensor, access.addresses[lane]);
  if (worker.undo != nullptr) worker.undo->note(index, tensor, offset, access.bytes);
  if (worker.masked != nullptr) worker.masked->stores(index, tensor, offset, access.bytes, value);
  if (!tensor.undefined.empty()) {
    const auto begin = tensor.undefined.begin() + offset;
    if (worker.options->check_undefined &&
        std::any_of(begin, begin + access.bytes, [](std::uint8_t one) { return one != 0; })) {
      worker.find(step, Finding::Kind::kUndefinedRead,
                  "updates byte " + std::to_string(offset) + " of " + tensor.name + ", which nothing has written",
                  tensor.name, offset);
    }
    std::fill(begin, begin + access.bytes, std::uint8_t{0});
  }
  if (worker.shadow != nullptr) {
    worker.atomic_at(index, offset);
    Shadow::Conflict conflict;
    if (worker.shadow->atomic(index, offset, access.bytes, worker.program_number, conflict)) {
      worker.find(step, Finding::Kind::kRace,
                  "updates byte " + std::to_string(offset) + " of " + tensor.name + ", which another program " +
                      (conflict.other_wrote ? "wrote" : "read") + " without an atomic: nothing orders the two",
                  tensor.name, offset);
    }
  }
  return tensor;
}

void synchronise(Worker& worker, const AtomicStep& detail, const Access& access) {
  if (worker.shadow == nullptr || access.count != 1 || (access.mask != nullptr && access.mask[0] == 0)) return;
  worker.shadow->synchronise(access.addresses[0], detail.acquires, detail.releases, worker.program_number);
}

const Step* run_rmw(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const AtomicStep&>(*step.detail);
  const Access access{worker.at<std::uint64_t>(step.in[0]),
                      detail.masked ? worker.at<std::uint8_t>(step.in[2]) : nullptr, step.count,
                      size_of(detail.element), detail.shape};
  synchronise(worker, detail, access);
  return update(worker, step, access, detail.element, detail.kind, worker.at<std::byte>(step.in[1]),
                worker.at<std::byte>(step.out[0]))
             ? &step + 1
             : nullptr;
}

const Step* run_cas(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const AtomicStep&>(*step.detail);
  const auto bytes = static_cast<std::size_t>(size_of(detail.element));
  Access access{worker.at<std::uint64_t>(step.in[0]), nullptr, step.count, static_cast<std::int64_t>(bytes),
                detail.shape};
  worker.atomics += 1;
  Landing landing;
  if (!land(worker, step, access, landing)) return nullptr;
  synchronise(worker, detail, access);
  std::unique_lock<std::mutex> lock;
  if (worker.atomic_lock != nullptr) lock = std::unique_lock(*static_cast<std::mutex*>(worker.atomic_lock));
  for (std::int64_t i = 0; i < access.count; ++i) {
    const std::size_t lane = static_cast<std::size_t>(i) * bytes;
    if (access.mask != nullptr && access.mask[i] == 0) {  // turned off, for it is wrong
      std::memset(worker.at<std::byte>(step.out[0]) + lane, 0, bytes);
      continue;
    }
    Allocation& tensor = touch(worker, step, access, landing, i, worker.at<std::byte>(step.in[2]) + lane);
    std::byte* place = tensor.data + offset_in(tensor, access.addresses[i]);
    const bool equal = std::memcmp(place, worker.at<std::byte>(step.in[1]) + lane, bytes) == 0;
    std::memcpy(worker.at<std::byte>(step.out[0]) + lane, place, bytes);
    if (equal) std::memcpy(place, worker.at<std::byte>(step.in[2]) + lane, bytes);
  }
  if (worker.traffic != nullptr) {
    worker.traffic->count(Traffic::Kind::kAtomic, access, landing, worker.program_number, *worker.memory);
  }
  return worker.in_time(step) ? &step + 1 : nullptr;
}

}  // namespace

std::optional<AtomicKind> atomic_kind(std::string_view text) {
  for (const auto& [name, kind] : kKinds) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

std::optional<AtomicKind> descriptor_reduction(std::string_view text, Scalar element) {
  if (text == "add") return is_float(element) ? AtomicKind::kFloatAdd : AtomicKind::kAdd;
  return text == "inc" || text == "dec" ? std::nullopt : atomic_kind(text);
}

bool update(Worker& worker, const Step& step, Access access, Scalar element, AtomicKind kind, const void* values,
            void* old) {
  worker.atomics += 1;
  Landing landing;
  if (!land(worker, step, access, landing)) return false;
  const auto bytes = static_cast<std::size_t>(access.bytes);
  if (old != nullptr && landing.active < access.count) {
    std::memset(old, 0, static_cast<std::size_t>(access.count) * bytes);
  }
  if (landing.active == 0) return true;
  std::unique_lock<std::mutex> lock;
  if (worker.atomic_lock != nullptr) lock = std::unique_lock(*static_cast<std::mutex*>(worker.atomic_lock));
  std::uint64_t previous = 0;
  for (std::int64_t i = 0; i < access.count; ++i) {
    if (access.mask != nullptr && access.mask[i] == 0) continue;
    const std::size_t lane = static_cast<std::size_t>(i) * bytes;
    Allocation& tensor = touch(worker, step, access, landing, i, static_cast<const std::byte*>(values) + lane);
    std::byte* place = tensor.data + offset_in(tensor, access.addresses[i]);
    if (old != nullptr) std::memcpy(static_cast<std::byte*>(old) + lane, place, bytes);
    if (!apply(element, kind, place, static_cast<const std::byte*>(values) + lane)) {
      worker.fault(step, Finding::Kind::kNotExecutable, "an atomic on " + to_string(element));
      return false;
    }
    if (i > 0 && access.addresses[i] == previous) worker.atomic_conflicts += 1;
    previous = access.addresses[i];
  }
  if (worker.traffic != nullptr) {
    worker.traffic->count(Traffic::Kind::kAtomic, access, landing, worker.program_number, *worker.memory);
  }
  return true;
}

bool make_atomic(const StepContext& context, Step& step) {
  const bool rmw = context.op.name == "tt.atomic_rmw";
  if (!rmw && context.op.name != "tt.atomic_cas") return false;
  const Type& pointers = context.operand(0);
  auto& detail = context.make<AtomicStep>();
  detail.shape = pointers.shape;
  detail.element = context.operand(1).scalar;
  detail.masked = rmw && context.op.operands.size() > 2;
  const std::string_view sem = context.op.string("sem", "acq_rel");
  detail.acquires = sem == "acq_rel" || sem == "acquire";
  detail.releases = sem == "acq_rel" || sem == "release";
  if (rmw) {
    const std::optional<AtomicKind> kind = atomic_kind(context.op.string("rmw"));
    if (!kind) return false;
    detail.kind = *kind;
  }
  step.detail = &detail;
  step.count = pointers.count();
  step.run = rmw ? run_rmw : run_cas;
  return size_of(detail.element) > 0;
}

}  // namespace tritonrl::machine
