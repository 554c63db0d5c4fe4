#include "machine/ir/validate.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/ir/cursor.h"
#include "machine/ir/dominance.h"
#include "machine/ir/forms.h"
#include "machine/ir/regions.h"
#include "machine/ir/rules.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

constexpr int kMaxCallDepth = 128;

using Functions = std::unordered_map<std::string_view, const Function*>;

void make_unknown(Operation& op) {
  op.known = false;
  op.regions.clear();
  op.successors.clear();
  if (op.text.empty()) op.text = op.name;
}

// Operands that may make the operation unknown. What only hands others on does so whatever they are, and a terminator
// has to be known.
std::size_t looks_at(Rule rule, const Operation& op) {
  if (rule == Rule::kFor) return 3;
  if (rule == Rule::kIf || rule == Rule::kIndexSwitch) return 1;
  return rule < Rule::kCall ? op.operands.size() : 0;
}

// Whether it also makes its results, rather than receive them from a region or a function.
bool makes_results(Rule rule) {
  return rule < Rule::kCall;
}

// First of all: what cannot be executed is unknown, so that the rest is of known types.
void find_unknown(Function& function, Region& region, const Functions& functions) {
  const auto opaque = [&](ValueId value) {
    return function.values[static_cast<std::size_t>(value)].kind == Type::Kind::kOpaque;
  };
  for (Block& block : region.blocks) {
    for (Operation& op : block.operations) {
      if (!op.known) {
        make_unknown(op);
        continue;
      }
      const Form& form = *find_form(op.name);
      bool known = true;
      for (std::size_t i = 0; i < op.operands.size() && i < looks_at(form.rule, op); ++i) {
        known = known && !opaque(op.operands[i]);
      }
      for (const ValueId value : op.results) known = known && !(makes_results(form.rule) && opaque(value));
      if (form.rule == Rule::kCall) {
        const auto callee = functions.find(op.string("callee"));
        if (callee == functions.end()) throw IrError{op.offset, "tt.call: no such function"};
        known = known && !callee->second->body.blocks.empty();
      }
      if (!known) make_unknown(op);
      for (Region& inner : op.regions) find_unknown(function, inner, functions);
    }
  }
}

void check_numbers(const Operation& op, const Form& form) {
  const auto fits = [](std::size_t count, int least, int most) {
    return count >= static_cast<std::size_t>(least) && (most < 0 || count <= static_cast<std::size_t>(most));
  };
  const auto exact = [&](std::size_t count, int wanted) { return wanted < 0 || fits(count, wanted, wanted); };
  if (!fits(op.operands.size(), form.least, form.most)) throw IrError{op.offset, op.name + ": not so many operands"};
  if (!exact(op.results.size(), form.results)) throw IrError{op.offset, op.name + ": not so many results"};
  if (!exact(op.regions.size(), form.regions)) throw IrError{op.offset, op.name + ": not so many regions"};
}

// What a function does, for those that call it.
struct Calls {
  std::vector<const Function*> callees;  // once for each call
  std::int64_t operations = 0;
};

class FunctionCheck {
 public:
  FunctionCheck(const Function& function, const Functions& functions) : function_(function), functions_(functions) {}

  void run() {
    if (function_.body.blocks.empty()) return;
    check_region(function_.body);
    check_returns();
    check_order(function_);
  }

  const Calls& calls() const { return calls_; }

 private:
  void check_region(const Region& region) {
    for (const Block& block : region.blocks) {
      if (block.operations.empty()) throw IrError{0, function_.name + ": an empty block"};
      for (const Operation& op : block.operations) {
        ++calls_.operations;
        if (!op.known) continue;
        const Form& form = *find_form(op.name);
        if (form.terminator != (&op == &block.operations.back())) {
          throw IrError{op.offset, op.name + (form.terminator ? ": stands within a block" : ": ends a block")};
        }
        check_operation(op, form, region);
      }
    }
  }

  void check_operation(const Operation& op, const Form& form, const Region& region) {
    check_numbers(op, form);
    const TypedOperation typed(function_, op);
    check_region_shapes(typed, form.rule);
    if (form.rule == Rule::kCall) {
      check_call(typed);
    } else if (form.check != nullptr) {
      form.check(typed);
    }
    check_control(typed, form.rule, region);
    for (const Region& inner : op.regions) check_region(inner);
  }

  void check_call(const TypedOperation& op) {
    const Function& callee = *functions_.at(op.op().string("callee"));
    op.require(callee.parameters.size() == op.operands() && callee.results.size() == op.op().results.size(),
               "numbers do not fit the function");
    for (std::size_t i = 0; i < op.operands(); ++i) {
      const auto parameter = static_cast<std::size_t>(callee.parameters[i]);
      op.require(op.operand(i) == callee.values[parameter], "types do not fit the function");
    }
    for (std::size_t i = 0; i < op.op().results.size(); ++i) {
      op.require(op.result(i) == callee.results[i], "types do not fit the function");
    }
    calls_.callees.push_back(&callee);
  }

  void check_returns() const {
    for (const Block& block : function_.body.blocks) {
      const Operation& last = block.operations.back();
      if (!last.known) continue;
      const TypedOperation op(function_, last);
      const Rule rule = find_form(last.name)->rule;
      op.require(rule == Rule::kReturn || !last.successors.empty() || last.name == "ub.unreachable",
                 "cannot end a function's block");
      if (rule == Rule::kReturn) check_types(op, 0, function_.results);
    }
  }

  const Function& function_;
  const Functions& functions_;
  Calls calls_;
};

// How deep the calls below each function nest, and how many operations it is with every call replaced by what it calls.
// No function may reach itself.
class CallCheck {
 public:
  CallCheck(const std::unordered_map<const Function*, Calls>& calls, std::int64_t max_operations)
      : calls_(calls), max_operations_(max_operations) {}

  void visit(const Function* function, int depth) {
    State& state = states_[function];  // stays where it is while others are added
    if (state.open) throw IrError{0, function->name + ": calls itself"};
    if (depth + state.depth > kMaxCallDepth) throw IrError{0, function->name + ": calls nest too deep"};
    if (state.depth > 0) return;
    state.open = true;
    const Calls& calls = calls_.at(function);
    int below = 0;
    std::int64_t operations = calls.operations;
    for (const Function* callee : calls.callees) {
      visit(callee, depth + 1);
      const State& called = states_[callee];
      below = std::max(below, called.depth);
      operations += called.operations;
      if (operations > max_operations_) throw IrError{0, function->name + ": too many operations"};
    }
    state = {false, below + 1, operations};
  }

 private:
  struct State {
    bool open = false;
    int depth = 0;  // 0: not visited
    std::int64_t operations = 0;
  };

  const std::unordered_map<const Function*, Calls>& calls_;
  std::int64_t max_operations_;
  std::unordered_map<const Function*, State> states_;
};

}  // namespace

void validate(Module& module, std::int64_t max_operations) {
  Functions functions;
  for (const Function& function : module.functions) {
    if (!functions.emplace(function.name, &function).second) throw IrError{0, function.name + " is defined twice"};
  }
  for (Function& function : module.functions) find_unknown(function, function.body, functions);
  std::unordered_map<const Function*, Calls> calls;
  for (const Function& function : module.functions) {
    FunctionCheck check(function, functions);
    check.run();
    calls.emplace(&function, check.calls());
  }
  CallCheck check(calls, max_operations);
  for (const Function& function : module.functions) check.visit(&function, 0);
}

}  // namespace tritonrl::machine
