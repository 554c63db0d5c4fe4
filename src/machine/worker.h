#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/code.h"
#include "machine/machine.h"

namespace tritonrl::machine {

class LaneOrder;
class MaskedValues;
class Shadow;
class Traffic;
class UndoLog;

// What one thread needs to execute programs of a launch. Steps get it as their whole world.
struct Worker {
  const Module* module = nullptr;
  const Code* code = nullptr;
  const MachineOptions* options = nullptr;
  Memory* memory = nullptr;
  Shadow* shadow = nullptr;         // null: no race check
  Traffic* traffic = nullptr;       // null: no counters
  LaneOrder* lane_order = nullptr;  // null: lanes are in order
  UndoLog* undo = nullptr;          // null: nothing will be undone
  MaskedValues* masked = nullptr;   // null: they are not looked at
  void* atomic_lock = nullptr;      // std::mutex, where several threads run
  std::string_view source_file;

  std::byte* frame = nullptr;
  std::uint8_t* marks = nullptr;  // by Step::mark: whether such a step has run
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  std::array<std::int64_t, 3> program = {0, 0, 0};
  std::uint32_t program_number = 1;  // from 1
  std::int64_t lanes = 1;            // inside a reduction's region
  int last_allocation = -1;          // where the last access fell

  std::chrono::steady_clock::time_point deadline;
  std::int64_t fuel = 0;  // elements until the clock is read again
  bool stopped = false;   // a fault ended the launch

  std::array<double, kWorkKinds> work = {};
  std::array<double, 7> dot_ops = {};
  double loads = 0, stores = 0, atomics = 0, dots = 0, reductions = 0, atomic_conflicts = 0;
  double steps = 0;

  std::vector<Finding> findings;
  // Plain reads of what others update atomically. No race if the same program goes on to update the place atomically
  // itself (a loop around a compare-and-swap begins so); the others are found at its end.
  struct PendingRace {
    int allocation = 0;
    std::int64_t offset = 0;
    const Step* step = nullptr;
    std::string message;
  };
  std::vector<PendingRace> pending_races;
  std::string printed;
  std::vector<std::uint64_t> addresses;  // scratch of descriptor accesses
  std::vector<std::uint8_t> mask;
  std::vector<std::uint8_t> kept;  // lanes of an access that are right, where others are not

  template <class T>
  T* at(std::int32_t offset) const {
    return reinterpret_cast<T*>(frame + offset);
  }
  std::int64_t count(const Step& step) const { return step.count < 0 ? lanes : step.count; }

  // Adds a finding unless the same place already has one of the kind, or there are enough. True if it was new.
  bool find(const Step& step, Finding::Kind kind, std::string message, std::string tensor = {},
            std::int64_t offset = 0);
  // The same, and the launch ends: returns null for the caller to return.
  const Step* fault(const Step& step, Finding::Kind kind, std::string message, std::string tensor = {},
                    std::int64_t offset = 0);
  void await_atomic(PendingRace race);
  void atomic_at(int allocation, std::int64_t offset);
  // False, with a finding, once the time is over. Called on every jump backwards.
  bool in_time(const Step& step);
};

// Runs from `first` until a step returns null.
void run_steps(Worker& worker, const Step* first);
// Runs one program from the top of the body.
void run_program(Worker& worker, std::array<std::int64_t, 3> program);

}  // namespace tritonrl::machine
