#include "machine/worker.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "machine/lane_order.h"
#include "machine/masked_values.h"
#include "machine/numbers/float_formats.h"
#include "machine/shadow.h"

namespace tritonrl::machine {
namespace {

constexpr std::int64_t kFuel = 1 << 16;  // jumps and elements between two looks at the clock

bool has_nan(const std::byte* values, Scalar scalar, std::int64_t count) {
  const int size = size_of(scalar);
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, values + i * size, static_cast<std::size_t>(size));
    if (std::isnan(to_double(scalar, bits))) return true;
  }
  return false;
}

// Whether a step that only calculates made a NaN from operands without one.
void look_for_nan(Worker& worker, const Step& step) {
  if (!is_float(step.scalar) || step.function == nullptr) return;
  if (!has_nan(worker.at<std::byte>(step.out[0]), step.scalar, worker.count(step))) return;
  for (std::size_t i = 0; i < step.op->operands.size() && i < 4; ++i) {
    if (has_nan(worker.at<std::byte>(step.in[i]), step.scalar, worker.count(step))) return;
  }
  worker.find(step, Finding::Kind::kNan, "makes a NaN from operands that have none");
}

}  // namespace

bool Worker::find(const Step& step, Finding::Kind kind, std::string message, std::string tensor, std::int64_t offset) {
  int same_kind = 0;
  for (Finding& one : findings) {
    if (one.kind != kind) continue;
    if (one.location == step.location && one.tensor == tensor) {
      ++one.times;
      return false;
    }
    ++same_kind;
  }
  if (same_kind >= options->max_findings) return false;
  Finding& made = findings.emplace_back();
  made.kind = kind;
  made.operation = step.op->name;
  made.location = step.location;
  made.program = program;
  made.tensor = std::move(tensor);
  made.offset = offset;
  made.message = std::move(message);
  if (const Location* place = place_in(*module, step.location, source_file)) made.line = place->line;
  return true;
}

const Step* Worker::fault(const Step& step, Finding::Kind kind, std::string message, std::string tensor,
                          std::int64_t offset) {
  find(step, kind, std::move(message), std::move(tensor), offset);
  stopped = true;
  return nullptr;
}

void Worker::await_atomic(PendingRace race) {
  constexpr std::size_t kMost = 64;
  if (pending_races.size() < kMost) pending_races.push_back(std::move(race));
}

void Worker::atomic_at(int allocation, std::int64_t offset) {
  std::erase_if(pending_races,
                [&](const PendingRace& race) { return race.allocation == allocation && race.offset == offset; });
}

bool Worker::in_time(const Step& step) {
  if (--fuel > 0) return true;
  fuel = kFuel;
  if (std::chrono::steady_clock::now() < deadline) return true;
  fault(step, Finding::Kind::kTimeout,
        "the launch takes longer than " + std::to_string(options->wall_ms) +
            (step.op->name.empty() ? " ms" : " ms; the loop at this line was running"));
  return false;
}

void run_steps(Worker& worker, const Step* step) {
  while (step != nullptr) {
    const Step& now = *step;
    worker.work[static_cast<std::size_t>(now.kind)] +=
        now.count < 0 ? now.work * static_cast<double>(worker.lanes) : now.work;
    worker.steps += 1;
    worker.marks[now.mark] = 1;
    worker.fuel -= now.count >> 6;
    if (now.barrier && worker.lane_order != nullptr) worker.lane_order->barrier();
    step = now.run(worker, now);
    if (worker.options->nan_origin && step != nullptr) look_for_nan(worker, now);
  }
}

void run_program(Worker& worker, std::array<std::int64_t, 3> program) {
  worker.program = program;
  worker.program_number =
      static_cast<std::uint32_t>(program[0] + worker.grid[0] * (program[1] + worker.grid[1] * program[2])) + 1;
  if (worker.shadow != nullptr) worker.shadow->begin_program();
  if (worker.masked != nullptr) worker.masked->begin_program();
  if (worker.lane_order != nullptr) worker.lane_order->barrier();
  run_steps(worker, worker.code->body.data());
  for (Worker::PendingRace& race : worker.pending_races) {
    const std::string tensor = worker.memory->at(race.allocation).name;
    worker.find(*race.step, Finding::Kind::kRace, std::move(race.message), tensor, race.offset);
  }
  worker.pending_races.clear();
  if (worker.masked != nullptr) worker.masked->end_program(worker);
}

}  // namespace tritonrl::machine
