#include "optimize/fewest_kernels.h"

#include <algorithm>
#include <map>
#include <set>

#include "program/cost.h"
#include "program/operator_table.h"

namespace tritonrl::optimize {
namespace {

using program::AtenCall;
using program::OperatorKind;
using program::Program;
using program::Tensor;

// Whether the teacher could write it together with its neighbours.
bool can_be_fused(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kView:  // that copies
    case OperatorKind::kFill:
    case OperatorKind::kCopy:
    case OperatorKind::kPointwise:
    case OperatorKind::kReduce:
    case OperatorKind::kNormalise:
    case OperatorKind::kSoftmax:
    case OperatorKind::kScan:
    case OperatorKind::kPool:
    case OperatorKind::kGather:
    case OperatorKind::kPermute:
    case OperatorKind::kLoss:
      return true;
    default:
      return false;
  }
}

bool is_no_work(OperatorKind kind) {
  return kind == OperatorKind::kView || kind == OperatorKind::kAllocate;
}

template <typename Visit>
void for_each_operand(const AtenCall& call, const Visit& visit) {
  for (const program::Value& value : call.args) program::for_each_tensor(value, visit);
  for (const auto& [name, value] : call.kwargs) program::for_each_tensor(value, visit);
}

template <typename Visit>
void for_each_operand(const program::Step& step, const Visit& visit) {
  if (const auto* call = std::get_if<AtenCall>(&step)) {
    for_each_operand(*call, visit);
  } else if (const auto* launch = std::get_if<program::Launch>(&step)) {
    for (const program::LaunchArgument& argument : launch->variants.front().arguments)
      program::for_each_tensor(argument.value, visit);
  } else {
    for (const program::TensorRef& ref : std::get<program::Question>(step).about) visit(ref);
  }
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

class Walk {
 public:
  Walk(const Program& program, const program::Forward& forward, const program::Target& target)
      : program_(program), forward_(forward), target_(target) {
    for (std::size_t i = 0; i < forward.steps.size(); ++i)
      for_each_operand(forward.steps[i], [&](program::TensorRef ref) { last_use_[storage_of(ref)] = i; });
    note_outputs(forward.outputs);
  }

  FewestKernels over(std::size_t begin, std::size_t end) {
    const program::ProgramCost cost =
        program::cost_of(program_, std::span(forward_.steps).subspan(begin, end - begin), target_);
    std::map<std::size_t, const program::StepCost*> by_step;
    for (const program::StepCost& one : cost.steps) by_step[begin + one.step] = &one;
    for (std::size_t i = begin; i < end; ++i) {
      const auto found = by_step.find(i);
      if (found == by_step.end()) continue;
      const program::StepCost& one = *found->second;
      const AtenCall* call = std::get_if<AtenCall>(&forward_.steps[i]);
      if (call != nullptr && is_no_work(one.kind) && one.seconds == 0) continue;
      out_.eager_seconds += one.seconds;
      out_.eager_kernels += static_cast<int>(one.cost.launches);
      if (call != nullptr && can_be_fused(one.kind)) {
        add(*call, one.cost, one.seconds);
      } else {
        flush(i);
        out_.seconds += one.seconds;
        out_.kernels += static_cast<int>(one.cost.launches);
        if (call != nullptr) add_once(out_.kept, std::string(program::plain_name(call->op)));
      }
    }
    flush(end);
    return std::move(out_);
  }

 private:
  int storage_of(program::TensorRef ref) const { return tensor(ref).storage; }
  const Tensor& tensor(program::TensorRef ref) const { return program_.tensors[static_cast<std::size_t>(ref.index)]; }

  void note_outputs(const program::Structure& outputs) {
    program::for_each_tensor(outputs.leaf,
                             [&](program::TensorRef ref) { last_use_[storage_of(ref)] = forward_.steps.size(); });
    for (const auto& [name, item] : outputs.items) note_outputs(item);
  }

  void note(std::map<int, double>& bytes, program::TensorRef ref) {
    double& known = bytes[storage_of(ref)];
    known = std::max(known, program::unique_bytes(tensor(ref)));
  }

  void add(const AtenCall& call, const program::Cost& cost, double eager_seconds) {
    eager_ += eager_seconds;
    for_each_operand(call, [&](program::TensorRef ref) {
      if (!written_.contains(storage_of(ref))) note(read_, ref);
    });
    program::for_each_tensor(call.result, [&](program::TensorRef ref) { note(written_, ref); });
    arithmetic_.scalar_ops += cost.scalar_ops;
    arithmetic_.scalar_precision = std::max(arithmetic_.scalar_precision, cost.scalar_precision);
    any_ = any_ || cost.launches > 0;
    const program::Operator* op = program::find_operator(call.op);
    if (cost.launches > 0 && op != nullptr && program::is_compute(op->kind))
      add_once(out_.fused, std::string(program::plain_name(call.op)));
  }

  // One kernel for all since the last: what nobody needs from `next` on stays in it.
  void flush(std::size_t next) {
    if (any_) {
      program::Cost cost = arithmetic_;
      cost.launches = 1;
      for (const auto& [storage, bytes] : read_) cost.bytes_read += bytes;
      for (const auto& [storage, bytes] : written_) {
        const auto used = last_use_.find(storage);
        if (used != last_use_.end() && used->second >= next) cost.bytes_written += bytes;
      }
      out_.seconds += std::min(program::modelled_seconds(cost, target_), eager_);
      ++out_.kernels;
    }
    read_.clear();
    written_.clear();
    arithmetic_ = {};
    any_ = false;
    eager_ = 0;
  }

  const Program& program_;
  const program::Forward& forward_;
  const program::Target& target_;
  std::map<int, std::size_t> last_use_;  // by storage: the last step that reads it; behind all steps: an output
  std::map<int, double> read_, written_;
  program::Cost arithmetic_;
  bool any_ = false;
  double eager_ = 0;  // of the calls since the last kernel: a gather does not read all of its table
  FewestKernels out_;
};

}  // namespace

FewestKernels fewest_kernels(const Program& program, const program::Forward& forward, std::size_t begin,
                             std::size_t end, const program::Target& target) {
  return Walk(program, forward, target).over(begin, end);
}

}  // namespace tritonrl::optimize
