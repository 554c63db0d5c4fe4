#include "judge/input_uses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "judge/elements.h"
#include "judge/rules/step_access.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using program::AtenCall;
using program::DType;
using program::Operator;
using program::OperatorKind;
using program::Program;
using program::Tensor;
using program::Value;

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 8> kComparisons = {"lt", "le", "gt", "ge", "eq", "ne", "less", "greater"};
constexpr std::array<std::string_view, 7> kAdding = {"index_add",    "scatter_add",        "scatter_reduce",
                                                     "index_reduce", "embedding_backward", "embedding_dense_backward",
                                                     "bincount"};
constexpr std::array<std::string_view, 4> kOverwriting = {"index_copy", "index_put", "put", "scatter"};
constexpr std::array<std::string_view, 6> kStructured = {"offsets", "boundaries",   "sorted_sequence",
                                                         "sorter",  "cu_seqlens_q", "cu_seqlens_k"};

// A call with its arguments by name.
class Call {
 public:
  // `call`, which lives as long as this, may be null.
  Call(const Program& program, const AtenCall* call)
      : program_(program), op_(call == nullptr ? nullptr : program::find_operator(call->op)) {
    if (op_ != nullptr) bound_ = program::bind_arguments(*call, *op_, nullptr);
  }

  bool known() const { return bound_.has_value(); }
  const Operator& op() const { return *op_; }
  std::string_view name() const { return program::plain_name(op_->name); }
  std::size_t count() const { return bound_->size(); }
  std::string_view argument(std::size_t i) const { return op_->arguments[i].name; }
  const Value* value(std::size_t i) const { return (*bound_)[i]; }

  const Value* find(std::string_view name) const {
    for (std::size_t i = 0; i < count(); ++i) {
      if (argument(i) == name) return value(i);
    }
    return nullptr;
  }
  const Tensor* tensor(std::string_view name) const {
    const Value* found = find(name);
    const auto* ref = found == nullptr ? nullptr : found->get_if<program::TensorRef>();
    return ref == nullptr ? nullptr : &program_.tensors[static_cast<std::size_t>(ref->index)];
  }
  std::optional<std::int64_t> number(std::string_view name) const {
    const Value* found = find(name);
    const auto* number = found == nullptr ? nullptr : found->get_if<std::int64_t>();
    return number == nullptr ? std::nullopt : std::optional(*number);
  }
  bool flag(std::string_view name) const {
    const Value* found = find(name);
    const auto* flag = found == nullptr ? nullptr : found->get_if<bool>();
    return flag != nullptr && *flag;
  }

 private:
  const Program& program_;
  const Operator* op_;
  std::optional<std::vector<const Value*>> bound_;
};

std::int64_t size_at(const Tensor* tensor, std::int64_t dim) {
  if (tensor == nullptr) return 0;
  const auto rank = static_cast<std::int64_t>(tensor->sizes.size());
  if (dim < 0) dim += rank;
  return dim >= 0 && dim < rank ? tensor->sizes[static_cast<std::size_t>(dim)] : 0;
}

// Whether an argument chooses places.
bool is_place(const Call& call, std::string_view argument) {
  if (argument == "index" || argument == "indices") return true;
  const std::string_view name = call.name();
  if (argument == "target") return name.starts_with("nll_loss") || name == "cross_entropy_loss";
  return argument == "self" && (name == "one_hot" || name == "bincount");
}

// How many places there are to choose from; `at`: which one of a list of indices. 0: not known.
std::int64_t places(const Call& call, std::size_t at) {
  const std::string_view name = call.name();
  if (name == "embedding") return size_at(call.tensor("weight"), 0);
  if (name.starts_with("embedding")) return call.number("num_weights").value_or(0);
  if (name == "one_hot") return std::max<std::int64_t>(0, call.number("num_classes").value_or(0));
  const Tensor* self = call.tensor("self");
  if (self == nullptr) return 0;
  if (name == "take" || name == "put") return self->numel();
  if (name.starts_with("nll_loss") || name == "cross_entropy_loss")
    return size_at(self, self->sizes.size() > 1 ? 1 : 0);
  if (name == "index" || name == "index_put") return size_at(self, static_cast<std::int64_t>(at));
  if (const auto dim = call.number("dim")) return size_at(self, *dim);
  return 0;
}

// Follows one input through a forward.
class Follower {
 public:
  Follower(const Program& program, int storage) : program_(program), same_{storage} {}

  InputUse follow() {
    for (const program::Step& step : program_.forwards.front().steps) follow(step);
    return use_;
  }

 private:
  const Tensor& tensor(program::TensorRef ref) const { return program_.tensors[static_cast<std::size_t>(ref.index)]; }

  void follow(const program::Step& step) {
    const StepAccess access = access_of(program_, step);
    const bool same = reads(access, same_);
    if (!same && !reads(access, derived_)) return;
    if (const auto* question = std::get_if<program::Question>(&step)) {
      // a mask may choose elements: how many there are is asked of its contents, not of numbers
      const bool mask = std::all_of(question->about.begin(), question->about.end(),
                                    [&](program::TensorRef ref) { return tensor(ref).dtype == DType::kBool; });
      use_.asked = use_.asked || !mask;
      return;
    }
    const auto* aten = std::get_if<AtenCall>(&step);
    const Call call(program_, aten);
    if (!call.known()) {
      use_.structured = true;
      return;
    }
    for (std::size_t i = 0; i < call.count(); ++i) look_at(call, i);
    const OperatorKind kind = call.op().kind;
    const bool keeps = same && (kind == OperatorKind::kView || kind == OperatorKind::kCopy);
    if (same && is_one_of(call.name(), kComparisons)) use_.compared = true;
    program::for_each_tensor(aten->result, [&](program::TensorRef ref) {
      const Tensor& made = tensor(ref);
      if (!is_whole(made.dtype) || same_.contains(made.storage)) return;
      if (std::find(access.writes.begin(), access.writes.end(), made.storage) == access.writes.end()) return;
      (keeps ? same_ : derived_).insert(made.storage);
    });
  }

  void look_at(const Call& call, std::size_t argument) {
    if (call.value(argument) == nullptr) return;
    const bool place = is_place(call, call.argument(argument));
    const bool structured = is_one_of(call.argument(argument), kStructured);
    std::size_t at = 0;
    const auto look = [&](const Value& value) {
      program::for_each_tensor(value, [&](program::TensorRef ref) {
        const Tensor& one = tensor(ref);
        const bool same = same_.contains(one.storage);
        if (!same && !derived_.contains(one.storage)) return;
        if (structured) use_.structured = true;
        if (!place || !is_whole(one.dtype) || one.dtype == DType::kBool) return;
        choose(call, same, places(call, at));
      });
      ++at;
    };
    if (const auto* list = call.value(argument)->get_if<Value::List>()) {
      for (const Value& one : *list) look(one);
    } else {
      look(*call.value(argument));
    }
  }

  void choose(const Call& call, bool same, std::int64_t bound) {
    const bool adds = is_one_of(call.name(), kAdding) || call.flag("accumulate") || call.find("reduce") != nullptr;
    use_.adds_up = use_.adds_up || adds;
    const bool one_value = call.op().name.find("value") != std::string::npos;
    if (!adds && !one_value && is_one_of(call.name(), kOverwriting)) use_.overwrites = true;
    if (!same) {
      use_.leads_to_index = true;
      return;
    }
    const bool limited = bound > 0 && (!use_.indexes || use_.bound > 0);
    use_.bound = !limited ? 0 : use_.indexes ? std::min(use_.bound, bound) : bound;
    use_.indexes = true;
  }

  static bool reads(const StepAccess& access, const std::set<int>& storages) {
    return std::any_of(access.reads.begin(), access.reads.end(), [&](int one) { return storages.contains(one); });
  }

  const Program& program_;
  std::set<int> same_, derived_;  // storages with its values, and whole numbers that follow from them
  InputUse use_;
};

}  // namespace

std::vector<InputUse> uses_of(const Program& program) {
  std::vector<InputUse> out;
  for (const program::TensorRef ref : runner::tensors_of(program.forwards.front().inputs)) {
    const Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
    out.push_back(Follower(program, tensor.storage).follow());
  }
  return out;
}

}  // namespace tritonrl::judge
