#include "tests/program/aten_replay.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>

#include <cstring>
#include <stdexcept>

#include "program/operator_table.h"

namespace tritonrl::program {
namespace {

at::ScalarType scalar_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
      return at::kDouble;
    case DType::kFloat32:
      return at::kFloat;
    case DType::kFloat16:
      return at::kHalf;
    case DType::kBFloat16:
      return at::kBFloat16;
    case DType::kFloat8E4M3Fn:
      return at::kFloat8_e4m3fn;
    case DType::kFloat8E5M2:
      return at::kFloat8_e5m2;
    case DType::kFloat8E4M3FnUz:
      return at::kFloat8_e4m3fnuz;
    case DType::kFloat8E5M2FnUz:
      return at::kFloat8_e5m2fnuz;
    case DType::kInt64:
      return at::kLong;
    case DType::kInt32:
      return at::kInt;
    case DType::kInt16:
      return at::kShort;
    case DType::kInt8:
      return at::kChar;
    case DType::kUInt64:
      return at::kUInt64;
    case DType::kUInt32:
      return at::kUInt32;
    case DType::kUInt16:
      return at::kUInt16;
    case DType::kUInt8:
      return at::kByte;
    case DType::kBool:
      return at::kBool;
    case DType::kComplex64:
      return at::kComplexFloat;
    case DType::kComplex128:
      return at::kComplexDouble;
  }
  throw std::logic_error("a dtype without a torch type");
}

at::MemoryFormat memory_format(const std::string& name) {
  if (name == "channels_last") return at::MemoryFormat::ChannelsLast;
  if (name == "channels_last_3d") return at::MemoryFormat::ChannelsLast3d;
  return name == "preserve_format" ? at::MemoryFormat::Preserve : at::MemoryFormat::Contiguous;
}

class Arguments {
 public:
  explicit Arguments(AtenReplay& replay) : replay_(replay) {}

  c10::IValue make(const Value& value, const Argument& argument) {
    if (value.is_none()) return {};
    if (argument.list) return make_list(value, argument);
    return make_one(value, argument);
  }

 private:
  c10::IValue make_one(const Value& value, const Argument& argument) {
    if (const auto* v = value.get_if<TensorRef>()) return replay_.tensor(*v);
    if (const auto* v = value.get_if<DType>()) return static_cast<std::int64_t>(scalar_type(*v));
    if (value.get_if<Device>() != nullptr) return at::Device(at::kCPU);
    if (const auto* v = value.get_if<Keyword>()) {
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

  c10::IValue make_list(const Value& value, const Argument& argument) {
    Value::List repeated;
    const auto* items = value.get_if<Value::List>();
    if (items == nullptr) {
      repeated.assign(argument.list_size > 0 ? argument.list_size : 1, value);
      items = &repeated;
    }
    if (argument.type == Type::kTensor && argument.optional_items) {
      c10::List<std::optional<at::Tensor>> list;
      for (const Value& item : *items) {
        list.push_back(item.is_none() ? std::nullopt : std::optional<at::Tensor>(make_one(item, argument).toTensor()));
      }
      return list;
    }
    if (argument.type == Type::kTensor) {
      c10::List<at::Tensor> list;
      for (const Value& item : *items) list.push_back(make_one(item, argument).toTensor());
      return list;
    }
    if (argument.type == Type::kFloat) {
      c10::List<double> list;
      for (const Value& item : *items) list.push_back(make_one(item, argument).toDouble());
      return list;
    }
    if (argument.type == Type::kBool) {
      c10::List<bool> list;
      for (const Value& item : *items) list.push_back(make_one(item, argument).toBool());
      return list;
    }
    if (argument.type == Type::kScalar) {
      c10::List<at::Scalar> list;
      for (const Value& item : *items) list.push_back(make_one(item, argument).toScalar());
      return list;
    }
    c10::List<std::int64_t> list;
    for (const Value& item : *items) list.push_back(make_one(item, argument).toInt());
    return list;
  }

  AtenReplay& replay_;
};

void collect(const c10::IValue& value, std::vector<std::optional<at::Tensor>>& out) {
  if (value.isTensor())
    out.push_back(value.toTensor());
  else if (value.isTensorList())
    for (const at::Tensor& t : value.toTensorVector()) out.push_back(t);
  else
    out.push_back(std::nullopt);
}

void collect(const Value& value, std::vector<std::optional<TensorRef>>& out) {
  if (const auto* list = value.get_if<Value::List>()) {
    for (const Value& item : *list) collect(item, out);
  } else if (const auto* tensor = value.get_if<TensorRef>()) {
    out.push_back(*tensor);
  } else {
    out.push_back(std::nullopt);
  }
}

}  // namespace

at::Tensor AtenReplay::tensor(TensorRef ref) {
  const Tensor& view = program_.tensors[ref.index];
  at::Tensor& memory = storages_[view.storage];
  if (!memory.defined()) {
    const Storage& storage = program_.storages[view.storage];
    memory = at::empty({storage.bytes}, at::TensorOptions().dtype(at::kByte));
    if (!storage.constant.empty()) std::memcpy(memory.data_ptr(), storage.constant.data(), storage.constant.size());
  }
  at::Tensor out = at::empty({0}, at::TensorOptions().dtype(scalar_type(view.dtype)));
  return out.set_(memory.storage(), view.offset, view.sizes, view.strides);
}

std::vector<at::Tensor> AtenReplay::tensors(const Structure& structure) {
  std::vector<at::Tensor> out;
  for_each_tensor(structure.leaf, [&](TensorRef ref) { out.push_back(tensor(ref)); });
  for (const auto& [name, item] : structure.items) {
    for (at::Tensor& t : tensors(item)) out.push_back(std::move(t));
  }
  return out;
}

void AtenReplay::run(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (std::holds_alternative<Launch>(step)) throw std::runtime_error("a launch cannot be replayed on the host");
    if (const auto* call = std::get_if<AtenCall>(&step)) run(*call);
  }
}

void AtenReplay::run(const AtenCall& call) {
  const Operator* op = find_operator(call.op);
  std::vector<std::optional<TensorRef>> places;
  collect(call.result, places);
  std::string why;
  const auto bound = bind_arguments(call, *op, &why);
  if (!bound) throw std::runtime_error(call.op + ": " + why);
  if (op->kind == OperatorKind::kView) {
    // a view is its result; one that had to copy has made a storage of its own
    bool shares = false;
    const int storage = places.empty() || !places[0] ? -1 : program_.tensors[places[0]->index].storage;
    for (const Value* value : *bound) {
      if (value != nullptr)
        for_each_tensor(*value, [&](TensorRef t) { shares = shares || program_.tensors[t.index].storage == storage; });
    }
    if (shares) return;
  }
  const std::size_t dot = call.op.find('.');
  const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(
      call.op.substr(0, dot).c_str(), dot == std::string::npos ? "" : call.op.substr(dot + 1).c_str());
  std::vector<c10::IValue> stack;
  Arguments arguments(*this);
  for (std::size_t i = 0; i < bound->size(); ++i) {
    const Value* value = (*bound)[i];
    const auto& declared = handle.schema().arguments()[i];
    stack.push_back(value != nullptr ? arguments.make(*value, op->arguments[i])
                                     : declared.default_value().value_or(c10::IValue()));
  }
  handle.callBoxed(&stack);
  std::vector<std::optional<at::Tensor>> made;
  for (const c10::IValue& value : stack) collect(value, made);
  if (made.size() != places.size()) throw std::runtime_error(call.op + ": another number of results than recorded");
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (made[i] && places[i] && made[i]->defined()) store(call, *made[i], *places[i]);
  }
}

void AtenReplay::store(const AtenCall& call, const at::Tensor& made, TensorRef place) {
  at::Tensor target = tensor(place);
  if (made.sizes() != target.sizes() || made.scalar_type() != target.scalar_type() ||
      (made.numel() > 1 && made.strides() != target.strides())) {
    std::ostringstream message;
    message << call.op << " gave " << made.scalar_type() << made.sizes() << " strides " << made.strides()
            << ", recorded was " << target.scalar_type() << target.sizes() << " strides " << target.strides();
    throw std::runtime_error(message.str());
  }
  if (made.numel() > 0 && made.data_ptr() != target.data_ptr()) target.copy_(made);
}

}  // namespace tritonrl::program
