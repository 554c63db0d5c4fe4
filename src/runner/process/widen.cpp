#include "runner/process/widen.h"

#include <ATen/Context.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/DefaultDtype.h>

#include <algorithm>
#include <set>

#include "program/operator_table.h"
#include "runner/oracle_type.h"
#include "runner/process/aten_call.h"
#include "runner/process/liveness.h"
#include "runner/process/stop.h"
#include "runner/process/torch_types.h"
#include "runner/structure_tensors.h"

namespace tritonrl::runner {
namespace {

using program::DType;

[[noreturn]] void refuse(const std::string& why) {
  throw Stop{RunOutcome::Kind::kNotExecutable, "no oracle: " + why};
}

// By storage: the types as which the forward sees it.
using SeenTypes = std::vector<std::set<DType>>;

SeenTypes seen_types(const program::Program& program, const program::Forward& forward) {
  SeenTypes out(program.storages.size());
  const auto look = [&](program::TensorRef ref) {
    const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
    out[static_cast<std::size_t>(tensor.storage)].insert(tensor.dtype);
  };
  for (const program::Step& step : forward.steps) for_each_tensor_of(step, look);
  for (const program::TensorRef ref : tensors_of(forward.inputs)) look(ref);
  for (const program::TensorRef ref : tensors_of(forward.outputs)) look(ref);
  return out;
}

void check(const program::Forward& forward, const SeenTypes& seen) {
  for (const program::Step& step : forward.steps) {
    if (std::holds_alternative<program::Launch>(step)) refuse("the forward launches a kernel");
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].contains(DType::kComplex64) || seen[i].contains(DType::kComplex128)) refuse("complex tensors");
    if (seen[i].size() > 1 && std::any_of(seen[i].begin(), seen[i].end(), is_widened)) {
      refuse("storage " + std::to_string(i) + " is seen as several types");
    }
  }
}

bool is_widened_storage(const std::set<DType>& seen) {
  return seen.size() == 1 && is_widened(*seen.begin());
}

program::Program widened(const program::Program& program, const program::Forward& forward) {
  const SeenTypes seen = seen_types(program, forward);
  check(forward, seen);
  program::Program out;
  out.storages.resize(program.storages.size());  // constants are contents of the narrow storages
  for (std::size_t i = 0; i < seen.size(); ++i) {
    out.storages[i].bytes = program.storages[i].bytes;
    if (is_widened_storage(seen[i])) {
      out.storages[i].bytes = program.storages[i].bytes / program::size_of(*seen[i].begin()) * sizeof(double);
    }
  }
  out.tensors = program.tensors;
  for (program::Tensor& tensor : out.tensors) {
    if (is_widened_storage(seen[static_cast<std::size_t>(tensor.storage)])) tensor.dtype = oracle_type(tensor.dtype);
  }
  return out;
}

// All elements of an existing storage, as the forward's type or as bytes.
at::Tensor elements(int storage, DType dtype, Storages& storages) {
  return at::from_blob(storages.data(storage), {storages.bytes(storage) / program::size_of(dtype)},
                       at::TensorOptions().dtype(scalar_type(dtype)).device(storages.device()));
}

program::Value widened(const program::Value& value) {
  if (const auto* dtype = value.get_if<DType>()) return {oracle_type(*dtype)};
  const auto* list = value.get_if<program::Value::List>();
  if (list == nullptr) return value;
  program::Value::List out;
  for (const program::Value& item : *list) out.push_back(widened(item));
  return {std::move(out)};
}

program::AtenCall widened(const program::AtenCall& call) {
  program::AtenCall out = call;
  for (program::Value& value : out.args) value = widened(value);
  for (auto& [name, value] : out.kwargs) value = widened(value);
  return out;
}

// Factories and divisions of integers make tensors of the default type.
class DoubleByDefault {
 public:
  DoubleByDefault() { c10::set_default_dtype(caffe2::TypeMeta::Make<double>()); }
  ~DoubleByDefault() { c10::set_default_dtype(before_); }
  DoubleByDefault(const DoubleByDefault&) = delete;
  DoubleByDefault& operator=(const DoubleByDefault&) = delete;

 private:
  const caffe2::TypeMeta before_ = c10::get_default_dtype();
};

bool may_draw(const program::AtenCall& call) {
  const program::Operator* op = program::find_operator(call.op);
  return op != nullptr && (op->random || op->kind == program::OperatorKind::kRandom);
}

}  // namespace

WidenedForward::WidenedForward(const RunRequest& request, int forward, Storages& narrow)
    : forward_(request.program->forwards[static_cast<std::size_t>(forward)]),
      program_(widened(*request.program, forward_)),
      storages_(program_, request.garbage_seed, request.memory_bytes, narrow.space()) {
  std::vector<bool> copied(program_.storages.size(), false);
  const auto copy = [&](program::TensorRef ref) {
    const program::Tensor& tensor = narrow.tensor(ref);
    const auto at = static_cast<std::size_t>(tensor.storage);
    if (copied[at]) return;
    copied[at] = true;
    if (!narrow.exists(tensor.storage)) {
      if (request.program->storages[at].constant.empty()) return;  // a step will make it
      narrow.view(ref);
    }
    const at::Tensor made = is_widened(tensor.dtype) ? elements(tensor.storage, tensor.dtype, narrow).to(at::kDouble)
                                                     : elements(tensor.storage, DType::kUInt8, narrow).clone();
    storages_.adopt(tensor.storage, made.storage());
  };
  for (const program::Step& step : forward_.steps) for_each_tensor_of(step, copy);
  for (const program::TensorRef ref : tensors_of(forward_.inputs)) copy(ref);
  for (const program::TensorRef ref : tensors_of(forward_.outputs)) copy(ref);
}

void WidenedForward::run_step(std::size_t step) {
  const auto* call = std::get_if<program::AtenCall>(&forward_.steps[step]);
  if (call == nullptr) return;  // a question: the recording holds for its answer
  const DoubleByDefault doubles;
  if (!may_draw(*call)) return execute(program_, widened(*call), storages_, Layout::kConverted);
  const at::Generator& generator = at::globalContext().defaultGenerator(storages_.device());
  const at::Tensor before = generator.get_state();
  execute(program_, widened(*call), storages_, Layout::kConverted);
  if (!before.equal(generator.get_state())) refuse(call->op + " draws random numbers");
}

std::vector<at::Tensor> WidenedForward::outputs() {
  std::vector<at::Tensor> out;
  for (const program::TensorRef ref : tensors_of(forward_.outputs)) out.push_back(storages_.view(ref));
  return out;
}

}  // namespace tritonrl::runner
