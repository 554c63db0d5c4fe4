#include <algorithm>
#include <array>

#include "abstract/evaluator.h"
#include "abstract/outside_names.h"

namespace tritonrl::abstract {
namespace {

bool starts_upper(std::string_view name) {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

// Functions that give back what they are given, or something that is used like it.
bool gives_argument(std::string_view path) {
  constexpr std::array<std::string_view, 14> kPaths = {"torch.jit.script",
                                                       "torch.jit.trace",
                                                       "torch.compile",
                                                       "torch.vmap",
                                                       "torch.autograd.Variable",
                                                       "copy.deepcopy",
                                                       "copy.copy",
                                                       "torch.nn.utils.weight_norm",
                                                       "torch.nn.utils.spectral_norm",
                                                       "torch.nn.utils.parametrizations.weight_norm",
                                                       "torch.nn.utils.parametrizations.spectral_norm",
                                                       "torch.nn.utils.parametrizations.orthogonal",
                                                       "torch.jit.ignore",
                                                       "typing.cast"};
  for (const std::string_view known : kPaths) {
    if (known == path) return true;
  }
  return path.starts_with("torch.nn.init.") || path.starts_with("torch.nn.utils.rnn.");
}

bool computes_numbers(std::string_view path) {
  return path.starts_with("math.") || path.starts_with("numpy.") || path.starts_with("random.") ||
         path.starts_with("warnings.") || path.starts_with("logging.") || path.starts_with("os.");
}

}  // namespace

bool is_torch_layer(std::string_view path) {
  return path.starts_with("torch.nn.") && !path.starts_with("torch.nn.functional.") && starts_upper(last_part(path));
}

const OperatorName* layer_of(std::string_view path) {
  if (is_torch_layer(path)) return find_layer(last_part(path));
  return find_foreign(path);
}

Container container_of(std::string_view path) {
  if (!is_torch_layer(path)) return Container::kNone;
  const std::string_view name = last_part(path);
  if (name == "Sequential") return Container::kSequential;
  if (name == "ModuleList" || name == "ParameterList") return Container::kList;
  return name == "ModuleDict" || name == "ParameterDict" ? Container::kDict : Container::kNone;
}

Value Evaluator::call_outside(std::string_view path, const Arguments& arguments, int line) {
  const Value first = arguments.positional.empty() ? Value() : arguments.positional.front();
  if (path.starts_with("builtins.")) return call_builtin(path.substr(9), arguments, line);
  if (gives_argument(path)) return first;
  if (rules_ != nullptr && !is_torch_layer(path)) {
    if (const auto told = rules_->call(path, arguments)) return *told;
  }
  if (path.starts_with("torch.")) return call_torch(path, arguments, line);
  if (computes_numbers(path)) return Value::plain();
  const std::string_view name = last_part(path);
  if (name == "partial") {
    Partial& partial = partials_.emplace_back();
    partial.callee = first;
    partial.arguments = arguments;
    if (!partial.arguments.positional.empty()) partial.arguments.positional.erase(partial.arguments.positional.begin());
    return {.kind = ValueKind::kPartial, .partial = &partial};
  }
  if (name == "OrderedDict" || name == "_mock_config" || name == "SimpleNamespace" || name == "Namespace") {
    if (first.is(ValueKind::kDict)) return first;
    Object& record = new_object();
    const Value dict = new_dict();
    const List pairs = arguments.positional.empty() ? List{} : items_of(first);
    for (const Value& pair : pairs.items) {
      if (!pair.is(ValueKind::kList) || pair.list->items.size() != 2) continue;
      const std::string_view key = key_of(pair.list->items[0]);
      dict.dict->set(key.empty() ? "\x02" : key, pair.list->items[1]);
    }
    for (const auto& [key, value] : arguments.keywords) {
      dict.dict->set(key, value);
      record.attributes.set(key, value);
    }
    return name == "OrderedDict" ? dict : Value::of(&record);
  }
  if (name == "repeat" && path == "itertools.repeat") {
    const Value* times = arguments.get(1, "times");
    const bool told = rules_ != nullptr && times != nullptr && times->is(ValueKind::kInt) && times->integer <= 64;
    if (!told) return new_list({first}, true);
    const Value all =
        new_list(std::vector<Value>(static_cast<std::size_t>(std::max<std::int64_t>(times->integer, 0)), first));
    all.list->lazy = true;
    return all;
  }
  if (name == "checkpoint" && !arguments.positional.empty() && !first.is(ValueKind::kTensor)) {
    Arguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    return call(first, rest, line);
  }
  if (const OperatorName* op = find_foreign(path)) {
    if (starts_upper(name) || path.starts_with("torchvision.models.")) return make_outside(path, op, arguments);
    note(*op, line);
    return Value::tensor();
  }
  if (starts_upper(name) && !holds_tensor(first)) return make_outside(path, nullptr, arguments);
  return call_unknown(name, arguments, line);
}

Value Evaluator::call_torch(std::string_view path, const Arguments& arguments, int line) {
  const std::string_view name = last_part(path);
  if (name == "Parameter" || name == "Buffer" || name == "UninitializedParameter") {
    const bool typed =
        rules_ != nullptr && !arguments.positional.empty() && arguments.positional[0].is(ValueKind::kTensor);
    return typed ? arguments.positional[0] : Value::tensor();
  }
  if (path.ends_with(".__init__")) {  // nn.Sequential.__init__(self, ...)
    if (!arguments.positional.empty() && arguments.positional[0].is(ValueKind::kObject)) {
      Arguments rest = arguments;
      rest.positional.erase(rest.positional.begin());
      fill_outside(arguments.positional[0].object, path.substr(0, path.rfind('.')), rest);
    }
    return Value::none();
  }
  if (path.starts_with("torch.Tensor.")) {
    if (rules_ == nullptr || arguments.positional.empty()) return tensor_method(Value::tensor(), name, arguments, line);
    Arguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    return tensor_method(arguments.positional[0], name, rest, line);
  }
  if (path.starts_with("torch.utils.checkpoint.") && !arguments.positional.empty()) {
    Arguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    return call(arguments.positional[0], rest, line);
  }
  if (const OperatorName* known = find_foreign(path)) {  // deeper than the usual folders
    note(*known, line);
    return Value::tensor();
  }
  if (is_torch_layer(path)) return make_outside(path, find_layer(name), arguments);
  const std::string_view folder = path.substr(0, path.size() - name.size());
  const bool computes = folder == "torch." || folder == "torch.nn.functional." || folder == "torch.functional." ||
                        folder == "torch.linalg." || folder == "torch.fft." || folder == "torch.special." ||
                        folder == "torch.sparse." || folder == "torch.ops.aten." || folder == "torch._C._nn.";
  if (computes) {
    if (const OperatorName* op = find_function(name)) {
      note(*op, line);
      return op->query ? Value::plain() : Value::tensor();
    }
    return call_unknown(name, arguments, line);
  }
  if (folder.starts_with("torch.cuda.") || folder.starts_with("torch.jit.") || folder.starts_with("torch.autograd.") ||
      folder.starts_with("torch.backends.") || folder.starts_with("torch.distributed.")) {
    return Value::plain();
  }
  return call_unknown(name, arguments, line);
}

}  // namespace tritonrl::abstract
