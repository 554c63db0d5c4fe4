#pragma once

#include "abstract/evaluator.h"

namespace tritonrl::abstract {

template <typename First, typename Second>
Evaluator::Flow Evaluator::fork(First first, Second second) {
  const std::size_t mark = operators_.size();
  const std::optional<Value> result = scope_->result;
  std::size_t opened = branches_.open();
  const Flow flow_a = first();
  const std::vector<Change> changes_a = branches_.close(opened);
  std::vector<ForwardOperator> operators_a(operators_.begin() + static_cast<std::ptrdiff_t>(mark), operators_.end());
  const int computing_a = computing_since(mark);
  const std::optional<Value> result_a = scope_->result;
  operators_.resize(mark);
  scope_->result = result;

  opened = branches_.open();
  const Flow flow_b = second();
  const std::vector<Change> changes_b = branches_.close(opened);
  const bool only_a = flow_b == Flow::kRaise && flow_a != Flow::kRaise;
  const bool only_b = flow_a == Flow::kRaise && flow_b != Flow::kRaise;
  if (only_a || (!only_b && computing_a >= computing_since(mark))) {
    operators_.resize(mark);
    operators_.insert(operators_.end(), operators_a.begin(), operators_a.end());
  }
  if (only_a) {
    scope_->result = result_a;
    branches_.keep(changes_a);
    return flow_a;
  }
  if (only_b) {
    branches_.keep(changes_b);
    return flow_b;
  }
  if (result_a.has_value()) {
    scope_->result = scope_->result.has_value() ? either(*result_a, *scope_->result) : *result_a;
  }
  branches_.join(changes_a, changes_b);
  if (flow_a == Flow::kNext || flow_b == Flow::kNext) return Flow::kNext;
  return flow_a;
}

}  // namespace tritonrl::abstract
