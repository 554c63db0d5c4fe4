#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/code.h"
#include "machine/frame_allocator.h"
#include "machine/liveness.h"
#include "machine/lower.h"

namespace tritonrl::machine {

// Thrown inside lower() and caught there.
struct LowerFailure {
  std::string message;
};

// The state of lowering one module: lower.cpp holds single operations, lower_control.cpp loops, branches and calls,
// lower_region.cpp reductions and scans.
class Lowering {
 public:
  Lowering(const Module& module, const LowerOptions& options);
  Code run();

 private:
  // Where a value is.
  struct Place {
    std::int32_t offset = -1;
    bool invariant = false;  // the same in all programs: computed by the prologue
    bool lanes = false;      // one element a lane of the region that is being lowered
    bool owned = false;      // released when the value dies
  };

  // A function that is being inlined.
  struct Activation {
    const Function* function = nullptr;
    Liveness liveness;
    std::vector<Place> places;
    std::vector<Place> results;             // where its results go
    std::vector<std::size_t> returns;       // jumps to its end, to be patched
    std::vector<std::size_t> block_begins;  // of the body's blocks, once known
    struct Patch {
      std::size_t step;
      int block;
    };
    std::vector<Patch> patches;  // jumps to blocks
  };

  // lower.cpp
  void lower_block(const Block& block);
  void lower_operation(const Operation& op);
  void lower_constant(const Operation& op);
  void lower_alias(const Operation& op);
  void lower_elementwise(const Operation& op);
  bool lower_step(const Operation& op);
  void lower_unknown(const Operation& op);
  void lower_hint(const Operation& op);
  void release_dead(const Block& block, std::int32_t index);

  // lower_control.cpp
  void lower_function(const Function& function, std::vector<Place> arguments, std::vector<Place> results);
  void lower_call(const Operation& op);
  void lower_return(const Operation& op);
  void lower_branch(const Operation& op);
  void lower_for(const Operation& op);
  void lower_while(const Operation& op);
  void lower_if(const Operation& op);
  void lower_yield(const Operation& op);
  void move(const std::vector<ValueId>& from, const std::vector<Place>& to, const Operation& op);
  std::size_t emit_jump(const Operation& op);
  void patch(std::size_t jump, std::size_t destination);

  // lower_region.cpp
  void lower_reduction(const Operation& op);
  bool straight_line(const Region& region) const;

  // shared
  Activation& active() { return *activations_.back(); }
  const Type& type(ValueId value) { return active().function->values[static_cast<std::size_t>(value)]; }
  Place& place(ValueId value) { return active().places[static_cast<std::size_t>(value)]; }
  std::int64_t bytes_of(const Type& type) const;  // of a value in the frame, all lanes of it inside a region
  std::int32_t allocate(std::int64_t bytes, bool fresh = false);
  // Invariant places are never shared with others: the prologue fills them before anything else runs.
  Place allocate_for(const Type& type, bool invariant);
  void bind(ValueId value, Place place) { this->place(value) = place; }
  bool invariant(const Operation& op);
  // The operand's offset, spread over the lanes if it comes from outside the region.
  std::int32_t operand(ValueId value, const Operation& op);
  Step& emit(const Operation& op, bool to_prologue = false);
  std::vector<Step>& list() { return region_lanes_ > 0 ? code_.regions : code_.body; }
  template <class T>
  T& make_detail() {
    auto owned = std::make_unique<T>();
    T& made = *owned;
    code_.details.push_back(std::move(owned));
    return made;
  }

  const Module& module_;
  LowerOptions options_;
  Code code_;
  FrameAllocator frame_;
  std::vector<std::unique_ptr<Activation>> activations_;
  struct Yield {
    std::vector<Place> to;
  };
  std::vector<Yield> yields_;      // where scf.yield of the loops and branches around goes
  std::int64_t region_lanes_ = 0;  // > 0: lowering a region that runs on up to that many lanes
};

}  // namespace tritonrl::machine
