#include "machine/ir/dominance.h"

#include <algorithm>
#include <utility>

#include "machine/ir/cursor.h"

namespace tritonrl::machine {
namespace {

const std::vector<Successor>& successors_of(const Block& block) {
  static const std::vector<Successor> none;
  return block.operations.empty() ? none : block.operations.back().successors;
}

// Blocks in the order in which a walk leaves them.
std::vector<std::size_t> postorder(const Region& region) {
  std::vector<std::size_t> left;
  if (region.blocks.empty()) return left;
  std::vector<bool> seen(region.blocks.size());
  std::vector<std::pair<std::size_t, std::size_t>> path = {{0, 0}};  // block, next successor
  seen[0] = true;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    const std::vector<Successor>& successors = successors_of(region.blocks[block]);
    if (next == successors.size()) {
      left.push_back(block);
      path.pop_back();
      continue;
    }
    const auto target = static_cast<std::size_t>(successors[next++].block);
    if (seen[target]) continue;
    seen[target] = true;
    path.emplace_back(target, 0);
  }
  return left;
}

}  // namespace

// After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
Dominance::Dominance(const Region& region) : order_(region.blocks.size(), -1) {
  std::vector<std::size_t> blocks = postorder(region);
  std::reverse(blocks.begin(), blocks.end());
  for (std::size_t i = 0; i < blocks.size(); ++i) order_[blocks[i]] = static_cast<int>(i);
  std::vector<std::vector<int>> predecessors(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (const Successor& successor : successors_of(region.blocks[blocks[i]])) {
      const int target = order_[static_cast<std::size_t>(successor.block)];
      predecessors[static_cast<std::size_t>(target)].push_back(static_cast<int>(i));
    }
  }
  above_.assign(blocks.size(), -1);
  if (blocks.empty()) return;
  above_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
      int common = -1;
      for (int one : predecessors[i]) {
        if (above_[static_cast<std::size_t>(one)] < 0) continue;
        while (common >= 0 && one != common) {
          int& later = one > common ? one : common;
          later = above_[static_cast<std::size_t>(later)];
        }
        common = one;
      }
      if (above_[i] == common) continue;
      above_[i] = common;
      changed = true;
    }
  }
}

bool Dominance::dominates(std::size_t above, std::size_t below) const {
  const int wanted = order_[above];
  int at = order_[below];
  while (at > wanted) at = above_[static_cast<std::size_t>(at)];
  return at == wanted;
}

namespace {

// More than Triton ever makes; keeps hostile graphs cheap.
constexpr std::size_t kMaxBlocks = 4096;

class OrderCheck {
 public:
  explicit OrderCheck(const Function& function) : function_(function), definitions_(function.values.size()) {}

  void run() {
    define(function_.body, 0);
    region_ids_ = 0;
    check(function_.body);
  }

 private:
  struct Place {
    int region = -1;  // by the order of the walk
    std::size_t block = 0;
    std::size_t operation = 0;  // 0: an argument; operations count from 1
  };
  struct Definition {
    Place place;
    std::size_t depth = 0;
  };

  // Both walks see regions in the same order.
  void define(const Region& region, std::size_t depth) {
    const int id = region_ids_++;
    for (std::size_t b = 0; b < region.blocks.size(); ++b) {
      const Block& block = region.blocks[b];
      for (const ValueId value : block.arguments) at(value) = {{id, b, 0}, depth};
      for (std::size_t i = 0; i < block.operations.size(); ++i) {
        for (const ValueId value : block.operations[i].results) at(value) = {{id, b, i + 1}, depth};
        for (const Region& inner : block.operations[i].regions) define(inner, depth + 1);
      }
    }
  }

  void check(const Region& region) {
    if (region.blocks.size() > kMaxBlocks) throw IrError{0, "too many blocks"};
    check_successors(region);
    const Dominance dominance(region);
    dominances_.push_back(&dominance);
    path_.push_back({region_ids_++, 0, 0});
    for (std::size_t b = 0; b < region.blocks.size(); ++b) {
      for (std::size_t i = 0; i < region.blocks[b].operations.size(); ++i) {
        const Operation& op = region.blocks[b].operations[i];
        path_.back().block = b;
        path_.back().operation = i + 1;
        for (const ValueId value : op.operands) check_use(op, value);
        for (const Successor& successor : op.successors) {
          for (const ValueId value : successor.arguments) check_use(op, value);
        }
        for (const Region& inner : op.regions) check(inner);
      }
    }
    path_.pop_back();
    dominances_.pop_back();
  }

  // The last operation of a block alone has them, and none is the first block.
  static void check_successors(const Region& region) {
    for (const Block& block : region.blocks) {
      for (const Operation& op : block.operations) {
        if (!op.successors.empty() && &op != &block.operations.back()) {
          throw IrError{op.offset, op.name + ": a branch within a block"};
        }
        for (const Successor& successor : op.successors) {
          if (successor.block < 1 || successor.block >= static_cast<int>(region.blocks.size())) {
            throw IrError{op.offset, op.name + ": no block to go to"};
          }
        }
      }
    }
  }

  void check_use(const Operation& op, ValueId value) const {
    const Definition& definition = definitions_[static_cast<std::size_t>(value)];
    const Place& from = definition.place;
    bool visible = from.region >= 0 && definition.depth < path_.size() && path_[definition.depth].region == from.region;
    if (visible) {
      const Place& here = path_[definition.depth];
      const Dominance& dominance = *dominances_[definition.depth];
      if (here.block == from.block) {
        visible = from.operation < here.operation;
      } else if (dominance.reachable(here.block)) {
        visible = dominance.reachable(from.block) && dominance.dominates(from.block, here.block);
      }
    }
    if (!visible) throw IrError{op.offset, op.name + ": uses a value before it is defined"};
  }

  Definition& at(ValueId value) { return definitions_[static_cast<std::size_t>(value)]; }

  const Function& function_;
  std::vector<Definition> definitions_;
  std::vector<Place> path_;
  std::vector<const Dominance*> dominances_;
  int region_ids_ = 0;
};

}  // namespace

void check_order(const Function& function) {
  OrderCheck(function).run();
}

}  // namespace tritonrl::machine
