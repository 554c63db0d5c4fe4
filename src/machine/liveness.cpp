#include "machine/liveness.h"

#include <algorithm>

namespace tritonrl::machine {
namespace {

struct Definition {
  const Block* block = nullptr;
  std::size_t depth = 0;
};

class LastUses {
 public:
  explicit LastUses(const Function& function) : definitions_(function.values.size()) {
    liveness.last_use.assign(function.values.size(), Liveness::kUnused);
    define(function.body);
    for (const ValueId parameter : function.parameters) at(parameter) = {&function.body.blocks.front(), 0};
    use(function.body);
    for (std::size_t value = 0; value < definitions_.size(); ++value) {
      const std::int32_t last = liveness.last_use[value];
      if (last >= 0) liveness.dying[{definitions_[value].block, last}].push_back(static_cast<ValueId>(value));
    }
  }

  Liveness liveness;

 private:
  struct Level {
    const Block* block;
    std::int32_t operation;
  };

  Definition& at(ValueId value) { return definitions_[static_cast<std::size_t>(value)]; }

  void define(const Region& region, std::size_t depth = 0) {
    for (const Block& block : region.blocks) {
      for (const ValueId value : block.arguments) at(value) = {&block, depth};
      for (const Operation& op : block.operations) {
        for (const ValueId value : op.results) at(value) = {&block, depth};
        for (const Region& inner : op.regions) define(inner, depth + 1);
      }
    }
  }

  void use(ValueId value) {
    const Definition& definition = at(value);
    std::int32_t& last = liveness.last_use[static_cast<std::size_t>(value)];
    const Level& level = path_[std::min(definition.depth, path_.size() - 1)];
    if (level.block != definition.block) {
      last = Liveness::kNever;
    } else if (last != Liveness::kNever) {
      last = std::max(last, level.operation);
    }
  }

  void use(const Region& region) {
    for (const Block& block : region.blocks) {
      path_.push_back({&block, 0});
      for (const Operation& op : block.operations) {
        for (const ValueId value : op.operands) use(value);
        for (const Successor& successor : op.successors) {
          for (const ValueId value : successor.arguments) use(value);
        }
        for (const Region& inner : op.regions) use(inner);
        ++path_.back().operation;
      }
      path_.pop_back();
    }
  }

  std::vector<Definition> definitions_;
  std::vector<Level> path_;
};

}  // namespace

Liveness liveness_of(const Function& function) {
  return LastUses(function).liveness;
}

}  // namespace tritonrl::machine
