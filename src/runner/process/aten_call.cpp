#include "runner/process/aten_call.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>

#include <set>
#include <sstream>

#include "runner/process/float_products.h"
#include "runner/process/liveness.h"
#include "runner/process/stop.h"
#include "runner/process/torch_types.h"
#include "runner/structure_tensors.h"

namespace tritonrl::runner {
namespace {

using program::Argument;
using program::Type;
using program::Value;

constexpr std::int32_t kTf32Dropped = 13;  // of float32's 23 bits

// As matrix units read them: what is dropped is not rounded. With the strides that it has.
at::Tensor in_tf32(const at::Tensor& tensor) {
  if (tensor.scalar_type() != at::kFloat) return tensor;
  at::Tensor out = tensor.clone();
  at::Tensor bits = out.view(at::kInt);
  bits.bitwise_and_(~((1 << kTf32Dropped) - 1));
  return out;
}

// A value of the program as the operator's schema wants it.
class Arguments {
 public:
  Arguments(Storages& storages, Rounding rounding) : storages_(storages), rounding_(rounding) {}

  c10::IValue make(const Value& value, const Argument& argument) {
    if (value.is_none()) return {};
    return argument.list ? make_list(value, argument) : make_one(value, argument);
  }

 private:
  // Packed sequences: torch wants their lengths on the host, wherever the data is.
  static bool on_host(const Argument& argument) { return argument.name == "batch_sizes" || argument.name == "lengths"; }

  c10::IValue make_one(const Value& value, const Argument& argument) {
    if (const auto* v = value.get_if<program::TensorRef>()) {
      if (rounding_ == Rounding::kTf32 && !argument.mutated) return in_tf32(storages_.view(*v));
      return on_host(argument) ? storages_.view(*v).cpu() : storages_.view(*v);
    }
    if (const auto* v = value.get_if<program::DType>()) return static_cast<std::int64_t>(scalar_type(*v));
    if (value.get_if<program::Device>() != nullptr) return storages_.device();
    if (const auto* v = value.get_if<program::Keyword>()) {
      return argument.type == Type::kMemoryFormat ? static_cast<std::int64_t>(memory_format(v->name))
                                                  : static_cast<std::int64_t>(at::kStrided);
    }
    if (const auto* v = value.get_if<std::string>()) return *v;
    c10::IValue number;
    if (const auto* v = value.get_if<bool>()) number = *v;
    if (const auto* v = value.get_if<std::int64_t>())
      number = argument.type == Type::kFloat ? c10::IValue(static_cast<double>(*v)) : *v;
    if (const auto* v = value.get_if<double>()) number = *v;
    if (const auto* v = value.get_if<std::complex<double>>()) number = c10::complex<double>(v->real(), v->imag());
    if (argument.type != Type::kTensor) return number;
    at::Tensor wrapped = at::scalar_tensor(number.toScalar(), at::TensorOptions().dtype(number.toScalar().type()));
    wrapped.unsafeGetTensorImpl()->set_wrapped_number(true);
    return wrapped;
  }

  template <class T, class Take>
  c10::IValue list_of(const Value::List& items, const Argument& argument, Take&& take) {
    c10::List<T> list;
    for (const Value& item : items) list.push_back(take(make_one(item, argument)));
    return list;
  }

  c10::IValue make_list(const Value& value, const Argument& argument) {
    Value::List repeated;
    const auto* items = value.get_if<Value::List>();
    if (items == nullptr) {  // int[2] takes one integer
      repeated.assign(static_cast<std::size_t>(argument.list_size > 0 ? argument.list_size : 1), value);
      items = &repeated;
    }
    using IValue = c10::IValue;
    if (argument.type == Type::kTensor && argument.optional_items) {
      c10::List<std::optional<at::Tensor>> list;
      for (const Value& item : *items) {
        list.push_back(item.is_none() ? std::nullopt : std::optional<at::Tensor>(make_one(item, argument).toTensor()));
      }
      return list;
    }
    switch (argument.type) {
      case Type::kTensor:
        return list_of<at::Tensor>(*items, argument, [](const IValue& v) { return v.toTensor(); });
      case Type::kFloat:
        return list_of<double>(*items, argument, [](const IValue& v) { return v.toDouble(); });
      case Type::kBool:
        return list_of<bool>(*items, argument, [](const IValue& v) { return v.toBool(); });
      case Type::kScalar:
        return list_of<at::Scalar>(*items, argument, [](const IValue& v) { return v.toScalar(); });
      default:
        return list_of<std::int64_t>(*items, argument, [](const IValue& v) { return v.toInt(); });
    }
  }

  Storages& storages_;
  const Rounding rounding_;
};

void collect(const c10::IValue& value, Results& out) {
  if (value.isTensor()) {
    out.emplace_back(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) out.emplace_back(tensor);
  } else {
    out.emplace_back(std::nullopt);
  }
}

void collect(const Value& value, std::vector<std::optional<program::TensorRef>>& out) {
  if (const auto* list = value.get_if<Value::List>()) {
    for (const Value& item : *list) collect(item, out);
  } else if (const auto* tensor = value.get_if<program::TensorRef>()) {
    out.emplace_back(*tensor);
  } else {
    out.emplace_back(std::nullopt);
  }
}

bool same_sizes(const at::Tensor& made, const program::Tensor& recorded) {
  return made.sizes() == at::IntArrayRef(recorded.sizes);
}

bool same_shape(const at::Tensor& made, const program::Tensor& recorded) {
  return same_sizes(made, recorded) && made.scalar_type() == scalar_type(recorded.dtype);
}

// A stride that no step is ever taken by does not matter.
bool same_strides(const at::Tensor& made, const program::Tensor& recorded) {
  if (made.numel() == 0) return true;
  for (std::size_t i = 0; i < recorded.sizes.size(); ++i) {
    if (recorded.sizes[i] > 1 && made.stride(static_cast<std::int64_t>(i)) != recorded.strides[i]) return false;
  }
  return true;
}

// Statistics that a normalisation gives beside its result are float32 on a GPU, and of the input's type here.
void widen_statistics(Results& results, const std::vector<std::optional<program::TensorRef>>& places,
                      const program::Program& program) {
  for (std::size_t i = 1; i < results.size(); ++i) {
    if (!results[i] || !places[i] || !results[i]->defined()) continue;
    const program::Tensor& recorded = program.tensors[static_cast<std::size_t>(places[i]->index)];
    if (recorded.dtype == program::DType::kFloat32 && at::isReducedFloatingType(results[i]->scalar_type()))
      results[i] = results[i]->to(at::kFloat);
  }
}

bool fits(const at::Tensor& made, const program::Tensor& recorded, Layout layout) {
  if (layout == Layout::kConverted) return same_sizes(made, recorded);
  return same_shape(made, recorded) && same_strides(made, recorded);
}

// Steps of a float32 and of a double at one; operators whose results are some of their operands, and whole numbers.
constexpr double kSingleStep = 0x1p-23, kDoubleStep = 0x1p-52, kNoisySteps = 4;
const std::set<std::string_view> kDoNotRound = {"relu",
                                                "relu6",
                                                "hardtanh",
                                                "clamp",
                                                "clamp_min",
                                                "clamp_max",
                                                "maximum",
                                                "minimum",
                                                "fmax",
                                                "fmin",
                                                "where",
                                                "abs",
                                                "neg",
                                                "sign",
                                                "round",
                                                "floor",
                                                "ceil",
                                                "trunc",
                                                "tril",
                                                "triu",
                                                "masked_fill",
                                                "threshold",
                                                "max",
                                                "min",
                                                "amax",
                                                "amin",
                                                "aminmax",
                                                "cummax",
                                                "cummin",
                                                "fix",
                                                "argmax",
                                                "argmin",
                                                "dropout",
                                                "max_pool1d",
                                                "max_pool2d",
                                                "max_pool3d",
                                                "max_pool2d_with_indices",
                                                "max_pool3d_with_indices",
                                                "adaptive_max_pool2d"};

bool rounds(const program::Operator& op) {
  using Kind = program::OperatorKind;
  static const std::set<Kind> kArithmetic = {Kind::kPointwise, Kind::kReduce, Kind::kNormalise,   Kind::kSoftmax,
                                             Kind::kScan,      Kind::kMatmul, Kind::kConvolution, Kind::kRecurrent,
                                             Kind::kAttention, Kind::kPool,   Kind::kResample,    Kind::kFourier,
                                             Kind::kLinalg,    Kind::kLoss};
  return kArithmetic.contains(op.kind) && !op.random && !kDoNotRound.contains(program::plain_name(op.name));
}

void add_noise(const at::Tensor& result, std::uint64_t seed) {
  if (result.scalar_type() != at::kFloat && result.scalar_type() != at::kDouble) return;
  const double most = kNoisySteps * (result.scalar_type() == at::kFloat ? kSingleStep : kDoubleStep);
  const at::Tensor noise = at::empty(result.sizes(), result.options().memory_format(at::MemoryFormat::Contiguous));
  noise.uniform_(1 - most, 1 + most, at::detail::createCPUGenerator(seed));
  at::Tensor(result).mul_(noise);
}

// On what the call made and on what it wrote; what it hands through is its operands'.
void add_noise(const program::Operator& op, const std::vector<const Value*>& bound, const Results& made,
               Storages& storages) {
  if (!rounds(op)) return;
  std::uint64_t seed = made.size();
  for (const std::optional<at::Tensor>& one : made) {
    if (one && one->defined() && one->storage().use_count() == 1) add_noise(*one, ++seed);
  }
  for_each_written(
      op, bound, [&](program::TensorRef ref) { add_noise(storages.view(ref), static_cast<std::uint64_t>(ref.index)); });
}

// Whether anything but the call itself names this memory.
bool is_needed(const program::Program& program, const program::AtenCall& call, int storage) {
  bool needed = false;
  const auto look = [&](program::TensorRef ref) {
    needed = needed || program.tensors[static_cast<std::size_t>(ref.index)].storage == storage;
  };
  const auto look_at = [&](const std::vector<program::Step>& steps) {
    for (const program::Step& step : steps) {
      if (std::get_if<program::AtenCall>(&step) != &call) for_each_tensor_of(step, look);
    }
  };
  look_at(program.initialise);
  for (const program::NamedTensor& one : program.state) look(one.tensor);
  for (const program::Forward& forward : program.forwards) {
    look_at(forward.make_inputs);
    look_at(forward.steps);
    for (const auto* structure : {&forward.inputs, &forward.outputs}) {
      for (const program::TensorRef ref : tensors_of(*structure)) look(ref);
    }
  }
  return needed;
}

[[noreturn]] void mismatch(const program::AtenCall& call, const Results& results, const at::Tensor& made,
                           const program::Tensor& recorded) {
  std::ostringstream message;
  message << call.op << " gave " << made.scalar_type() << made.sizes() << " strides " << made.strides()
          << ", recorded was " << scalar_type(recorded.dtype) << at::IntArrayRef(recorded.sizes) << " strides "
          << at::IntArrayRef(recorded.strides);
  Mismatch detail{.only_strides = same_shape(made, recorded), .strides = {}};
  for (const auto& result : results) {
    detail.strides.push_back(result && result->defined() ? result->strides().vec() : std::vector<std::int64_t>{});
  }
  throw Stop{RunOutcome::Kind::kMismatch, message.str(), std::move(detail)};
}

// Puts a result where the program has it.
void store(const at::Tensor& made, const program::Tensor& place, program::TensorRef ref, Storages& storages) {
  const bool fresh = !storages.exists(place.storage);
  // nobody else holds it, and it is the recorded storage byte for byte
  if (fresh && made.device() == storages.device() && fits(made, place, Layout::kExact) &&
      made.storage().use_count() == 1 && made.storage_offset() == place.offset &&
      static_cast<std::int64_t>(made.storage().nbytes()) == storages.bytes(place.storage)) {
    storages.adopt(place.storage, made.storage());
    return;
  }
  at::Tensor target = storages.view(ref);
  if (made.numel() > 0 && made.const_data_ptr() != target.const_data_ptr()) target.copy_(made);
  storages.define(place.storage);
}

void execute_call(const program::Program& program, const program::AtenCall& call, const program::Operator& op,
                  const std::vector<const Value*>& bound, Storages& storages, Layout layout, Rounding rounding) {
  Results made = call_operator(op, bound, storages, rounding);
  if (rounding == Rounding::kNoisy) add_noise(op, bound, made, storages);
  const auto places = places_of(call.result);
  if (made.size() != places.size()) {
    throw Stop{RunOutcome::Kind::kMismatch, call.op + " gave another number of results than recorded", Mismatch{}};
  }
  widen_statistics(made, places, program);
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!made[i] || !places[i] || !made[i]->defined()) continue;
    const program::Tensor& place = program.tensors[static_cast<std::size_t>(places[i]->index)];
    if (fits(*made[i], place, layout)) continue;
    // what torch keeps for a backward pass has another form on another device (log_sigmoid's buffer is empty on a GPU)
    if (is_needed(program, call, place.storage)) mismatch(call, made, *made[i], place);
    made[i].reset();
  }
  for_each_written(op, bound, [&](program::TensorRef ref) { storages.define(storages.tensor(ref).storage); });
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!made[i] || !places[i] || !made[i]->defined()) continue;
    const at::Tensor one = std::move(*made[i]);
    made[i].reset();
    store(one, storages.tensor(*places[i]), *places[i], storages);
  }
}

std::vector<const Value*> bound_arguments(const program::AtenCall& call, const program::Operator& op) {
  std::string why;
  auto bound = program::bind_arguments(call, op, &why);
  if (!bound) throw Stop{RunOutcome::Kind::kMalformed, call.op + ": " + why};
  return std::move(*bound);
}

}  // namespace

std::vector<std::optional<program::TensorRef>> places_of(const Value& result) {
  std::vector<std::optional<program::TensorRef>> out;
  collect(result, out);
  return out;
}

bool is_pure_view(const program::Program& program, const program::AtenCall& call, const program::Operator& op) {
  if (op.kind != program::OperatorKind::kView) return false;
  const auto places = places_of(call.result);
  if (places.empty() || !places[0]) return false;
  // one that had to copy has made a storage of its own
  const int storage = program.tensors[static_cast<std::size_t>(places[0]->index)].storage;
  bool shares = false;
  const auto look = [&](program::TensorRef ref) {
    shares = shares || program.tensors[static_cast<std::size_t>(ref.index)].storage == storage;
  };
  for (const Value& value : call.args) program::for_each_tensor(value, look);
  for (const auto& [name, value] : call.kwargs) program::for_each_tensor(value, look);
  return shares;
}

Results call_operator(const program::Operator& op, const std::vector<const Value*>& bound, Storages& storages,
                      Rounding rounding) {
  try {
    const std::size_t dot = op.name.find('.');
    const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(
        op.name.substr(0, dot).c_str(), dot == std::string::npos ? "" : op.name.substr(dot + 1).c_str());
    const auto& declared = handle.schema().arguments();
    if (declared.size() != bound.size()) throw Stop{RunOutcome::Kind::kAtenError, op.name + " has another schema here"};
    std::vector<c10::IValue> stack;
    Arguments arguments(storages, program::is_heavy(op.kind) ? rounding : Rounding::kNone);
    for (std::size_t i = 0; i < bound.size(); ++i) {
      stack.push_back(bound[i] != nullptr ? arguments.make(*bound[i], op.arguments[i])
                                          : declared[i].default_value().value_or(c10::IValue()));
    }
    const std::optional<at::ScalarType> narrow = widen_product(op, stack);
    handle.callBoxed(&stack);
    Results out;
    for (const c10::IValue& value : stack) collect(value, out);
    if (narrow) round_product(*narrow, out);
    return out;
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    // in the words of torch for x86, for ARM, and for GPUs
    const bool memory = text.find("allocate memory") != std::string::npos ||
                        text.find("not enough memory") != std::string::npos ||
                        text.find("out of memory") != std::string::npos;
    throw Stop{memory ? RunOutcome::Kind::kOutOfMemory : RunOutcome::Kind::kAtenError, op.name + ": " + text};
  } catch (const std::bad_alloc&) {
    throw Stop{RunOutcome::Kind::kOutOfMemory, op.name + ": no memory"};
  } catch (const std::exception& error) {
    throw Stop{RunOutcome::Kind::kAtenError, op.name + ": " + error.what()};
  }
}

void execute(const program::Program& program, const program::AtenCall& call, Storages& storages, Layout layout,
             Rounding rounding) {
  const program::Operator* op = program::find_operator(call.op);
  if (op == nullptr) throw Stop{RunOutcome::Kind::kMalformed, call.op + " is not allowed"};
  if (is_pure_view(program, call, *op)) return;
  if (op->kind == program::OperatorKind::kAllocate) {
    program::for_each_tensor(call.result, [&](program::TensorRef ref) {
      const program::Tensor& made = storages.tensor(ref);
      storages.make_undefined(made.storage, made.dtype);
    });
    return;
  }
  const auto bound = bound_arguments(call, *op);
  try {
    execute_call(program, call, *op, bound, storages, layout, rounding);
  } catch (const c10::Error& error) {
    throw Stop{RunOutcome::Kind::kAtenError, call.op + ": " + error.what_without_backtrace()};
  }
}

}  // namespace tritonrl::runner
