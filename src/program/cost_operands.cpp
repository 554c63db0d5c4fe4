#include "program/cost_operands.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace tritonrl::program {
namespace {

std::vector<const Tensor*> tensors_in(const Program& program, const Value& value) {
  std::vector<const Tensor*> found;
  for_each_tensor(value, [&](TensorRef ref) {
    if (ref.index >= 0 && ref.index < static_cast<int>(program.tensors.size()))
      found.push_back(&program.tensors[ref.index]);
  });
  return found;
}

}  // namespace

double Operands::Group::numel() const {
  double sum = 0;
  for (const Tensor* tensor : tensors) sum += static_cast<double>(tensor->numel());
  return sum;
}

Operands::Operands(const Program& program, const AtenCall& call, const Operator& op)
    : program_(program), op_(op), name_(plain_name(op.name)) {
  bound_ = bind_arguments(call, op, nullptr).value_or(std::vector<const Value*>(op.arguments.size(), nullptr));
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    if (bound_[i] == nullptr) continue;
    auto found = tensors_in(program, *bound_[i]);
    if (!found.empty()) inputs_.push_back({&op.arguments[i], &op.arguments[i], std::move(found)});
  }
  const auto* list = call.result.get_if<Value::List>();
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const bool one = op.results.size() == 1;
    if (!one && (list == nullptr || i >= list->size())) break;
    auto found = tensors_in(program, one ? call.result : (*list)[i]);
    if (!found.empty()) results_.push_back({&op.results[i], nullptr, std::move(found)});
  }
}

const Value* Operands::value(std::string_view argument) const {
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    if (op_.arguments[i].name == argument) return bound_[i] == nullptr || bound_[i]->is_none() ? nullptr : bound_[i];
  }
  return nullptr;
}

std::vector<const Tensor*> Operands::tensors(std::string_view argument) const {
  const Value* found = value(argument);
  return found == nullptr ? std::vector<const Tensor*>{} : tensors_in(program_, *found);
}

const Tensor* Operands::tensor(std::string_view argument) const {
  const auto found = tensors(argument);
  return found.empty() ? nullptr : found.front();
}

const Tensor* Operands::first_of(std::initializer_list<std::string_view> arguments) const {
  for (const std::string_view argument : arguments) {
    if (const Tensor* found = tensor(argument)) return found;
  }
  return nullptr;
}

std::vector<std::int64_t> Operands::integers(std::string_view argument) const {
  const Value* found = value(argument);
  if (found == nullptr) return {};
  if (const auto* one = found->get_if<std::int64_t>()) return {*one};
  if (const auto* one = found->get_if<double>(); one != nullptr && std::abs(*one) < 1e9 && *one == std::floor(*one))
    return {static_cast<std::int64_t>(*one)};
  std::vector<std::int64_t> all;
  if (const auto* list = found->get_if<Value::List>()) {
    for (const Value& item : *list) {
      if (const auto* number = item.get_if<std::int64_t>()) all.push_back(*number);
    }
  }
  return all;
}

std::optional<std::int64_t> Operands::integer(std::string_view argument) const {
  const auto all = integers(argument);
  if (all.size() != 1) return std::nullopt;
  return all.front();
}

double Operands::count(std::string_view argument, double otherwise) const {
  const auto found = integer(argument);
  return found ? static_cast<double>(std::max<std::int64_t>(0, *found)) : otherwise;
}

bool Operands::flag(std::string_view argument, bool otherwise) const {
  const Value* found = value(argument);
  const bool* set = found == nullptr ? nullptr : found->get_if<bool>();
  return set == nullptr ? otherwise : *set;
}

const Tensor* Operands::input() const {
  return inputs_.empty() ? nullptr : inputs_.front().tensors.front();
}

const Tensor* Operands::result() const {
  if (!results_.empty()) return results_.front().tensors.front();
  for (const Group& group : inputs_) {
    if (group.argument->mutated) return group.tensors.front();
  }
  return nullptr;
}

double Operands::elements() const {
  double most = 0;
  for (const Group& group : inputs_) most = std::max(most, group.numel());
  for (const Group& group : results_) most = std::max(most, group.numel());
  return most;
}

std::int64_t size_at(const Tensor& tensor, std::int64_t dim) {
  const auto rank = static_cast<std::int64_t>(tensor.sizes.size());
  if (dim < 0) dim += rank;
  return dim >= 0 && dim < rank ? tensor.sizes[static_cast<std::size_t>(dim)] : 1;
}

double numel(const Tensor* tensor) {
  return tensor == nullptr ? 0 : static_cast<double>(tensor->numel());
}

}  // namespace tritonrl::program
