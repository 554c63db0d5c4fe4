#include "machine/masked_values.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/hash64.h"
#include "machine/numbers/float_formats.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

constexpr auto kPatience = std::chrono::seconds(5);  // a loop may never end with other values

// Large and of either sign, so that sums, products, largest and smallest values change.
std::uint64_t other_value(Scalar scalar, std::uint64_t lane) {
  const std::uint64_t drawn = base::mix64(lane);
  if (scalar == Scalar::kI1) return 1;
  if (!is_float(scalar)) return drawn;
  const int bits = 8 * size_of(scalar);
  const double size = bits == 8 ? 64 : (scalar == Scalar::kF16 ? 3e4 : 1e30);
  return from_double(scalar, (drawn & 1) != 0 ? size : -size);
}

}  // namespace

const Step MaskedValues::kAll, MaskedValues::kNone;

void MaskedValues::begin_program() {
  log_.clear();
  met_.clear();
  digest_ = 0;
}

void MaskedValues::masked_load(const Step& step, const Access& access, std::byte* out) {
  if (std::memchr(access.mask, 0, static_cast<std::size_t>(access.count)) == nullptr) return;
  if (std::find(met_.begin(), met_.end(), &step) == met_.end()) met_.push_back(&step);
  if (poisoned_ != &kAll && poisoned_ != &step) return;
  const auto size = static_cast<std::size_t>(access.bytes);
  for (std::int64_t i = 0; i < access.count; ++i) {
    if (access.mask[i] != 0) continue;
    const std::uint64_t bits = other_value(step.scalar, static_cast<std::uint64_t>(i));
    std::memcpy(out + static_cast<std::size_t>(i) * size, &bits, size);
  }
}

void MaskedValues::digest(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const std::byte*>(data);
  for (; bytes >= 8; at += 8, bytes -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    digest_ = base::mix64(digest_ + word);
  }
  std::uint64_t rest = bytes;
  std::memcpy(&rest, at, bytes);
  digest_ = base::mix64(digest_ + rest);
}

void MaskedValues::stores(int allocation, const Allocation& tensor, std::int64_t offset, std::int64_t bytes,
                          const std::byte* value) {
  const auto count = static_cast<std::size_t>(bytes);
  const std::int64_t where[] = {allocation, offset, bytes};
  digest(where, sizeof(where));
  digest(value, count);
  log_.note(allocation, tensor, offset, bytes);
}

void MaskedValues::goes_wrong(const Step& step, std::int64_t lanes) {
  const std::int64_t what[] = {step.location, lanes};
  digest(what, sizeof(what));
}

std::uint64_t MaskedValues::run_again(Worker& worker, const Step* poisoned) {
  log_.undo(*worker.memory);
  begin_program();
  poisoned_ = poisoned;
  Worker again = worker;  // counts, findings and prints of its own
  again.findings.clear();
  again.printed.clear();
  again.shadow = nullptr;
  again.lane_order = nullptr;
  again.undo = nullptr;
  again.traffic = nullptr;
  again.marks = marks_.data();
  again.deadline = std::min(worker.deadline, std::chrono::steady_clock::now() + kPatience);
  run_steps(again, again.code->body.data());
  poisoned_ = &kNone;
  return again.stopped ? ~digest_ : digest_;
}

bool MaskedValues::is_told(const Step* load) const {
  return std::find(told_.begin(), told_.end(), load) != told_.end();
}

void MaskedValues::end_program(Worker& worker) {
  if (met_.empty() || worker.stopped || !log_.is_whole()) return;
  const std::uint64_t right = digest_;
  const std::vector<const Step*> met = met_;
  if (run_again(worker, &kAll) == right) return;
  std::vector<const Step*> used;
  for (const Step* load : met) {
    if (!is_told(load) && run_again(worker, load) != right) used.push_back(load);
  }
  if (used.empty()) {  // one that was told before, or several together
    const auto known = std::find_if(met.begin(), met.end(), [&](const Step* load) { return is_told(load); });
    used.push_back(known != met.end() ? *known : met.front());
  }
  run_again(worker, &kNone);
  for (const Step* load : used) {
    worker.find(*load, Finding::Kind::kMaskedValue,
                "what the program stores depends on lanes that the mask turns off: without `other` they read anything");
    if (!is_told(load)) told_.push_back(load);
  }
}

}  // namespace tritonrl::machine
