#include "machine/reduction.h"

#include <algorithm>
#include <cstring>

#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

using Operand = Reduction::Operand;

std::size_t bytes(std::int64_t count, const Operand& operand) {
  return static_cast<std::size_t>(count * operand.bytes);
}

// [outer, size, inner] -> [size, outer, inner], or back.
void put_axis_first(const Reduction& reduction, const Operand& operand, const std::byte* from, std::byte* to) {
  const std::size_t row = bytes(reduction.inner, operand);
  for (std::int64_t o = 0; o < reduction.outer; ++o) {
    for (std::int64_t s = 0; s < reduction.size; ++s) {
      std::memcpy(to + static_cast<std::size_t>(s * reduction.outer + o) * row, from, row);
      from += row;
    }
  }
}

void put_axis_back(const Reduction& reduction, const Operand& operand, const std::byte* from, std::byte* to) {
  const std::size_t row = bytes(reduction.inner, operand);
  for (std::int64_t o = 0; o < reduction.outer; ++o) {
    for (std::int64_t s = 0; s < reduction.size; ++s) {
      std::memcpy(to, from + static_cast<std::size_t>(s * reduction.outer + o) * row, row);
      to += row;
    }
  }
}

class Run {
 public:
  Run(Worker& worker, const Step& step) : worker_(worker), reduction_(static_cast<const Reduction&>(*step.detail)) {}

  // work[to..] = region(work[left..], work[right..]) for `lanes` elements of each operand; false after a fault.
  bool combine(std::int64_t left, std::int64_t right, std::int64_t to, std::int64_t lanes) {
    if (reduction_.single != nullptr) {
      const Operand& operand = reduction_.operands.front();
      std::byte* work = worker_.frame + operand.work;
      const void* in[2] = {work + bytes(left, operand), work + bytes(right, operand)};
      reduction_.single(work + bytes(to, operand), in, lanes);
      worker_.work[static_cast<std::size_t>(reduction_.single_kind)] +=
          reduction_.single_work * static_cast<double>(lanes);
      return true;
    }
    const std::int64_t at_once = reduction_.straight ? lanes : 1;
    for (std::int64_t lane = 0; lane < lanes; lane += at_once) {
      for (const Operand& operand : reduction_.operands) {
        const std::byte* work = worker_.frame + operand.work;
        std::memcpy(worker_.frame + operand.left, work + bytes(left + lane, operand), bytes(at_once, operand));
        std::memcpy(worker_.frame + operand.right, work + bytes(right + lane, operand), bytes(at_once, operand));
      }
      if (!run_region(at_once)) return false;
      for (const Operand& operand : reduction_.operands) {
        std::memcpy(worker_.frame + operand.work + bytes(to + lane, operand), worker_.frame + operand.made,
                    bytes(at_once, operand));
      }
    }
    return true;
  }

  bool run_region(std::int64_t lanes) {
    worker_.lanes = lanes;
    run_steps(worker_, &worker_.code->regions[reduction_.region]);
    worker_.lanes = 1;
    return !worker_.stopped;
  }

  bool reduce() {
    load();
    const std::int64_t rest = reduction_.outer * reduction_.inner;
    for (std::int64_t size = reduction_.size; size > 1;) {
      const std::int64_t half = size / 2;
      size -= half;
      if (!combine(0, size * rest, 0, half * rest)) return false;
    }
    for (const Operand& operand : reduction_.operands) {
      std::memcpy(worker_.frame + operand.to, worker_.frame + operand.work, bytes(rest, operand));
    }
    return true;
  }

  bool scan() {
    load();
    const std::int64_t rest = reduction_.outer * reduction_.inner;
    const std::int64_t last = reduction_.size - 1;
    for (std::int64_t i = 1; i <= last; ++i) {
      const std::int64_t at = reduction_.reverse ? last - i : i;
      const std::int64_t before = reduction_.reverse ? at + 1 : at - 1;
      if (!combine(before * rest, at * rest, at * rest, rest)) return false;
    }
    for (const Operand& operand : reduction_.operands) {
      put_axis_back(reduction_, operand, worker_.frame + operand.work, worker_.frame + operand.to);
    }
    return true;
  }

  bool map() {
    const std::int64_t at_once = reduction_.straight ? reduction_.size : 1;
    for (std::int64_t lane = 0; lane < reduction_.size; lane += at_once) {
      for (const Operand& operand : reduction_.operands) {
        if (operand.from < 0) continue;
        std::memcpy(worker_.frame + operand.left, worker_.frame + operand.from + bytes(lane, operand),
                    bytes(at_once, operand));
      }
      if (!run_region(at_once)) return false;
      for (const Operand& operand : reduction_.operands) {
        if (operand.to < 0) continue;
        std::memcpy(worker_.frame + operand.to + bytes(lane, operand), worker_.frame + operand.made,
                    bytes(at_once, operand));
      }
    }
    return true;
  }

 private:
  void load() {
    for (const Operand& operand : reduction_.operands) {
      put_axis_first(reduction_, operand, worker_.frame + operand.from, worker_.frame + operand.work);
    }
  }

  Worker& worker_;
  const Reduction& reduction_;
};

}  // namespace

const Step* run_reduction(Worker& worker, const Step& step) {
  worker.reductions += 1;
  Run run(worker, step);
  bool done = false;
  switch (static_cast<const Reduction&>(*step.detail).kind) {
    case Reduction::Kind::kReduce:
      done = run.reduce();
      break;
    case Reduction::Kind::kScan:
      done = run.scan();
      break;
    case Reduction::Kind::kMap:
      done = run.map();
      break;
  }
  return done ? &step + 1 : nullptr;
}

}  // namespace tritonrl::machine
