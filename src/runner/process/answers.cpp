#include "runner/process/answers.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/scalar_tensor.h>

#include <cmath>

#include "program/operator_table.h"
#include "runner/process/aten_call.h"
#include "runner/process/stop.h"

namespace tritonrl::runner {
namespace {

using program::Question;
using program::Value;

constexpr std::int64_t kMaxValues = 65536;
constexpr double kRounding = 1e-6;  // of a float32

Value value_of(const at::Scalar& scalar) {
  if (scalar.isBoolean()) return {scalar.toBool()};
  if (scalar.isComplex()) {
    const auto number = scalar.toComplexDouble();
    return {std::complex<double>(number.real(), number.imag())};
  }
  if (scalar.isFloatingPoint()) return {scalar.toDouble()};
  return {scalar.toLong()};
}

Value list_of(const at::Tensor& tensor) {
  if (tensor.numel() > kMaxValues) throw Stop{RunOutcome::Kind::kAtenError, "more values asked for than one may have"};
  const at::Tensor flat = tensor.reshape({-1});
  Value::List out;
  for (std::int64_t i = 0; i < flat.numel(); ++i) out.push_back(value_of(flat[i].item()));
  return {std::move(out)};
}

// The operator on the tensors asked about, all other arguments by default.
Value shape_of(const Question& question, Storages& storages) {
  const program::Operator* op = program::find_operator(question.op);
  if (op == nullptr) throw Stop{RunOutcome::Kind::kMalformed, question.op + " is not allowed"};
  std::vector<Value> about;
  for (const program::TensorRef ref : question.about) about.push_back({ref});
  std::vector<const Value*> bound;
  std::size_t used = 0;
  for (const program::Argument& argument : op->arguments) {
    const bool takes = argument.type == program::Type::kTensor && !argument.list && !argument.mutated;
    if (takes && used < about.size()) {
      bound.push_back(&about[used++]);
    } else if (argument.has_default) {
      bound.push_back(nullptr);
    } else {
      throw Stop{RunOutcome::Kind::kMalformed, question.op + " needs more than tensors"};
    }
  }
  const Results results = call_operator(*op, bound, storages);
  if (results.empty() || !results[0]) throw Stop{RunOutcome::Kind::kAtenError, question.op + " gave no tensor"};
  Value::List out;
  for (const std::int64_t size : results[0]->sizes()) out.push_back({size});
  return {std::move(out)};
}

Value answer_or_throw(const Question& question, Storages& storages) {
  const at::Tensor first = storages.view(question.about.front());
  switch (question.kind) {
    case Question::Kind::kItem:
      if (first.numel() != 1) throw Stop{RunOutcome::Kind::kAtenError, "an item of a tensor that has not one element"};
      return value_of(first.item());
    case Question::Kind::kList:
      return list_of(first);
    case Question::Kind::kShape:
      return shape_of(question, storages);
    case Question::Kind::kEqual:
      return {at::equal(first, storages.view(question.about.at(1)))};
  }
  return {};
}

// The number that a value is; nothing for lists and complex ones.
std::optional<double> number_of(const Value& value) {
  if (const auto* v = value.get_if<bool>()) return *v;
  if (const auto* v = value.get_if<double>()) return *v;
  if (const auto* v = value.get_if<std::int64_t>()) return static_cast<double>(*v);
  return std::nullopt;
}

}  // namespace

Value answer_to(const Question& question, Storages& storages) {
  try {
    return answer_or_throw(question, storages);
  } catch (const c10::Error& error) {
    throw Stop{RunOutcome::Kind::kAtenError, std::string("a question: ") + error.what_without_backtrace()};
  }
}

bool same_answer(const Value& a, const Value& b) {
  if (a == b) return true;
  const auto* left = a.get_if<Value::List>();
  const auto* right = b.get_if<Value::List>();
  if (left != nullptr && right != nullptr) {
    if (left->size() != right->size()) return false;
    for (std::size_t i = 0; i < left->size(); ++i) {
      if (!same_answer((*left)[i], (*right)[i])) return false;
    }
    return true;
  }
  const auto x = number_of(a), y = number_of(b);
  if (!x || !y) return false;
  // sums by atomics differ from run to run; counts and sizes do not
  const bool rounded = *x != std::floor(*x) && std::abs(*x - *y) <= kRounding * std::abs(*x);
  return *x == *y || rounded || (std::isnan(*x) && std::isnan(*y));
}

}  // namespace tritonrl::runner
