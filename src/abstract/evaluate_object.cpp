#include <algorithm>
#include <unordered_set>

#include "abstract/evaluator.h"
#include "abstract/outside_names.h"

namespace tritonrl::abstract {
namespace {

constexpr int kDeepestBase = 16;

// Methods of nn.Module that give the module back.
bool gives_itself(std::string_view name) {
  static const std::unordered_set<std::string_view> kNames = {
      "eval", "train", "to", "cuda", "cpu", "half", "float", "double", "bfloat16", "requires_grad_", "apply", "type"};
  return kNames.contains(name);
}

bool names_parameter(std::string_view name) {
  return name.find("weight") != std::string_view::npos || name.find("bias") != std::string_view::npos ||
         name.starts_with("running_");
}

}  // namespace

const Value* Evaluator::member(const Class& type, std::string_view name) const {
  return member(type, name, 0);
}

const Value* Evaluator::member(const Class& type, std::string_view name, int depth) const {
  if (const Value* own = type.members.find(name)) return own;
  if (depth >= kDeepestBase) return nullptr;
  for (const Value& base : type.bases) {
    if (!base.is(ValueKind::kClass)) continue;
    if (const Value* inherited = member(*base.type, name, depth + 1)) return inherited;
  }
  return nullptr;
}

std::string_view Evaluator::outside_base(const Class& type) const {
  return outside_base(type, 0);
}

std::string_view Evaluator::outside_base(const Class& type, int depth) const {
  std::string_view found;
  for (const Value& base : type.bases) {
    if (base.is(ValueKind::kName)) {
      if (found.empty() || found == "torch.nn.Module") found = base.text;
    } else if (base.is(ValueKind::kClass) && depth < kDeepestBase) {
      if (const std::string_view deeper = outside_base(*base.type, depth + 1); !deeper.empty()) found = deeper;
    } else if (base.is(ValueKind::kUnknown) && found.empty()) {
      found = base.text;
    }
  }
  return found;
}

Value Evaluator::instantiate(Class* type, const Arguments& arguments) {
  if (!spend()) return {};
  Object& object = new_object();
  object.type = type;
  object.outside = outside_base(*type);
  object.op = layer_of(object.outside);
  object.container = container_of(object.outside);
  const Value* constructor = member(*type, "__init__");
  if (constructor != nullptr && constructor->is(ValueKind::kFunction)) {
    call_function(*constructor->function, &object, arguments);
    return Value::of(&object);
  }
  fill_outside(&object, object.outside, arguments);
  // A class without constructor is a record of its fields.
  if (object.op == nullptr && object.container == Container::kNone) {
    for (const auto& [name, value] : arguments.keywords) put(&object.attributes, name, value);
  }
  return Value::of(&object);
}

Value Evaluator::make_outside(std::string_view path, const OperatorName* op, const Arguments& arguments) {
  Object& object = new_object();
  object.outside = path;
  object.op = op;
  object.container = container_of(path);
  fill_outside(&object, path, arguments);
  return Value::of(&object);
}

void Evaluator::fill_outside(Object* object, std::string_view path, const Arguments& arguments) {
  const std::string_view name = last_part(path);
  if (name == "TransformerEncoder" || name == "TransformerDecoder") {
    const Value* layer = arguments.get(0, name == "TransformerEncoder" ? "encoder_layer" : "decoder_layer");
    const Value* times = arguments.get(1, "num_layers");
    object->layer = layer == nullptr ? Value() : *layer;
    object->times = times == nullptr ? Value() : *times;
    return;
  }
  if (name == "DataParallel") {
    if (!arguments.positional.empty()) object->layer = arguments.positional[0];
    object->times = Value::whole(1);
    return;
  }
  if (object->container == Container::kNone) {
    if (rules_ != nullptr) rules_->made(object, path, arguments);
    return;
  }
  const auto add_dict = [&](const NameTable& table) {
    for (const auto& [key, value] : table.entries) {
      put(&object->attributes, key, value);
      append(&object->items, value);
    }
    object->items.open = object->items.open || table.open;
  };
  // A dict of names, as OrderedDict gives it, also written as pairs.
  const auto add_pairs = [&](const List& pairs) {
    for (const Value& pair : pairs.items) {
      if (!pair.is(ValueKind::kList) || pair.list->items.size() != 2) continue;
      const Value& value = pair.list->items[1];
      if (const std::string_view key = key_of(pair.list->items[0]); !key.empty()) put(&object->attributes, key, value);
      append(&object->items, value);
    }
  };
  for (const Value& argument : arguments.positional) {
    if (argument.is(ValueKind::kDict)) {
      add_dict(*argument.dict);
    } else if (object->container == Container::kSequential) {
      append(&object->items, argument);
    } else if (object->container == Container::kDict) {
      add_pairs(items_of(argument));
    } else {
      const List items = items_of(argument);
      for (const Value& item : items.items) append(&object->items, item);
      object->items.open = object->items.open || items.open;
    }
  }
  object->items.open = object->items.open || arguments.open;
}

Value Evaluator::call_object(Object* object, const Arguments& arguments, int line) {
  if (!spend()) return {};
  if (object->type != nullptr) {
    for (const std::string_view name : {"__call__", "forward"}) {
      const Value* method = member(*object->type, name);
      if (method != nullptr && method->is(ValueKind::kFunction)) {
        return call_function(*method->function, object, arguments);
      }
    }
  }
  if (const Value* assigned = object->attributes.find("forward")) return call(*assigned, arguments, line);
  return call_layer(object, arguments, line);
}

Value Evaluator::call_layer(Object* object, const Arguments& arguments, int line) {
  if (object->container == Container::kSequential) {
    Value value = arguments.positional.empty() ? Value() : arguments.positional.front();
    repeated_ += object->items.open ? 1 : 0;
    const List items = object->items;
    for (const Value& item : items.items) {
      if (!spend()) break;
      value = call(item, {.positional = {value}, .keywords = {}, .open = false}, line);
    }
    repeated_ -= object->items.open ? 1 : 0;
    return value;
  }
  if (!object->times.is(ValueKind::kUnknown) || !object->layer.is(ValueKind::kUnknown)) {
    const bool plain = object->times.is(ValueKind::kInt) && object->times.integer <= 256;
    repeated_ += plain ? 0 : 1;
    Value value;
    for (std::int64_t i = 0; i < (plain ? object->times.integer : 1); ++i) {
      value = call(object->layer, arguments, line);
      if (!spend()) break;
    }
    repeated_ -= plain ? 0 : 1;
    return value;
  }
  if (rules_ != nullptr) {
    if (const auto told = rules_->layer(*object, arguments)) return *told;
  }
  if (object->op != nullptr) {
    note(*object->op, line);
    return Value::tensor();
  }
  if (object->outside == "torch.nn.Module" || object->outside.empty()) return {};
  return call_unknown(last_part(object->outside), arguments, line);
}

Value Evaluator::children_of(Object* object) {
  std::vector<Value> children = object->items.items;
  const bool contained = !children.empty();
  for (const auto& entry : object->attributes.entries) {
    if (!contained && entry.second.is(ValueKind::kObject)) children.push_back(entry.second);
  }
  if (children.empty() && object->type == nullptr && object->op != nullptr && object->op->heavy > 1) {
    children.push_back(Value::of(object));  // a whole network of another library stands for its parts
  }
  const Value all = new_list(std::move(children), object->items.open);
  all.list->lazy = true;
  return all;
}

Value Evaluator::all_modules(Object* object) {
  std::vector<Value> found = {Value::of(object)};
  for (std::size_t i = 0; i < found.size() && spend(); ++i) {
    const Value children = children_of(found[i].object);
    for (const Value& child : children.list->items) {
      const bool again =
          std::any_of(found.begin(), found.end(), [&](const Value& v) { return v.object == child.object; });
      if (child.is(ValueKind::kObject) && !again) found.push_back(child);
    }
  }
  const Value all = new_list(std::move(found));
  all.list->lazy = true;
  return all;
}

Value Evaluator::object_attribute(Object* object, std::string_view name) {
  if (const Value* own = object->attributes.find(name)) return *own;
  if (name == "training") return Value::boolean(true);
  if (object->type != nullptr) {
    if (const Value* held = member(*object->type, name)) {
      if (!held->is(ValueKind::kFunction)) return *held;
      if (held->function->is_property) return call_function(*held->function, object, {});
      Value bound = *held;
      bound.object = object;
      return bound;
    }
  }
  if (name == "_modules") {
    const Value dict = new_dict();
    for (const auto& entry : object->attributes.entries) {
      if (entry.second.is(ValueKind::kObject)) dict.dict->set(entry.first, entry.second);
    }
    return dict;
  }
  if (name == "__class__" && object->type != nullptr) return {.kind = ValueKind::kClass, .type = object->type};
  if (object->op != nullptr) return names_parameter(name) ? Value::tensor() : Value::plain();
  return Value::unknown(name);
}

Value Evaluator::object_method(Object* object, std::string_view name, const Arguments& arguments, int line) {
  const Value* own = object->attributes.find(name);
  if (own != nullptr) return call(*own, arguments, line);
  if (const Value* held = object->type == nullptr ? nullptr : member(*object->type, name)) {
    if (!held->is(ValueKind::kFunction)) return call(*held, arguments, line);
    return call_function(*held->function, object, arguments);
  }
  const Value* first = arguments.get(0, "name");
  const Value* second = arguments.get(1, name == "add_module" || name == "register_module" ? "module"
                                         : name == "register_parameter"                    ? "param"
                                                                                           : "tensor");
  if (name == "add_module" || name == "register_module" || name == "__setattr__") {
    const Value module = second == nullptr ? Value() : *second;
    const std::string_view key = first == nullptr ? "" : key_of(*first);
    put(&object->attributes, key.empty() ? "\x02" : key, module);
    if (object->container != Container::kNone) append(&object->items, module);
    return Value::none();
  }
  if (name == "register_buffer" || name == "register_parameter") {
    const std::string_view key = first == nullptr ? "" : key_of(*first);
    const Value value = second == nullptr || second->is(ValueKind::kUnknown) ? Value::tensor() : *second;
    if (!key.empty()) put(&object->attributes, key, value);
    return Value::none();
  }
  if (object->container == Container::kList || object->container == Container::kSequential) {
    if (name == "append") {
      append(&object->items, arguments.positional.empty() ? Value() : arguments.positional[0]);
      return Value::of(object);
    }
    if (name == "extend" && !arguments.positional.empty()) {
      const List items = items_of(arguments.positional[0]);
      for (const Value& item : items.items) append(&object->items, item);
      object->items.open = object->items.open || items.open;
      return Value::of(object);
    }
  }
  if (object->container == Container::kDict && (name == "items" || name == "keys" || name == "values")) {
    return dict_method({.kind = ValueKind::kDict, .dict = &object->attributes}, name, arguments);
  }
  if (name == "modules" && rules_ != nullptr) return all_modules(object);
  if (name == "children" || name == "modules" || name == "values") return children_of(object);
  if (name == "named_children" || name == "named_modules") {
    const Value modules = object_attribute(object, "_modules");
    return modules.is(ValueKind::kDict) ? dict_method(modules, "items", {}) : Value();
  }
  // The context of torch.autograd.Function takes notes for the way back.
  if (name == "save_for_backward" || name == "mark_dirty" || name == "mark_non_differentiable" ||
      name == "set_materialize_grads") {
    return Value::none();
  }
  if (name == "parameters" || name == "buffers") return new_list({Value::tensor()}, true);
  if (name == "named_parameters") return new_list({new_list({Value::plain(), Value::tensor()})}, true);
  if (name == "forward" || name == "__call__") return call_layer(object, arguments, line);
  if (gives_itself(name)) return Value::of(object);
  if (name == "__init__") {
    fill_outside(object, object->outside, arguments);
    return Value::none();
  }
  return call_unknown(name, arguments, line);
}

Value Evaluator::super_method(const Value& base, std::string_view name, const Arguments& arguments, int line) {
  for (const Value& above : base.type->bases) {
    if (!above.is(ValueKind::kClass)) continue;
    const Value* held = member(*above.type, name);
    if (held != nullptr && held->is(ValueKind::kFunction))
      return call_function(*held->function, base.object, arguments);
  }
  if (name == "__init__") {
    fill_outside(base.object, base.object->outside, arguments);
    return Value::none();
  }
  if (name == "forward" || name == "__call__") return call_layer(base.object, arguments, line);
  if (name.starts_with("__")) return {};
  // What nn.Module itself offers, not what a class of the text made of it.
  Class* const type = std::exchange(base.object->type, nullptr);
  const Value result = object_method(base.object, name, arguments, line);
  base.object->type = type;
  return result;
}

Value Evaluator::class_method(const Value& base, std::string_view name, const Arguments& arguments, int line) {
  const Value* held = member(*base.type, name);
  if (held == nullptr && name == "apply") {  // torch.autograd.Function: forward with a context
    const Value* forward = member(*base.type, "forward");
    if (forward == nullptr || !forward->is(ValueKind::kFunction)) return call_unknown(base.type->name, arguments, line);
    Arguments with = arguments;
    with.positional.insert(with.positional.begin(), Value::of(&new_object()));
    return call_function(*forward->function, nullptr, with);
  }
  if (held == nullptr) return call_unknown(name, arguments, line);
  if (!held->is(ValueKind::kFunction)) return call(*held, arguments, line);
  const bool unbound = !held->function->is_static && !held->function->is_class_method &&
                       !arguments.positional.empty() && arguments.positional[0].is(ValueKind::kObject);
  if (!unbound) return call_function(*held->function, nullptr, arguments);
  Arguments rest = arguments;  // Base.__init__(self, ...)
  rest.positional.erase(rest.positional.begin());
  return call_function(*held->function, arguments.positional[0].object, rest);
}

}  // namespace tritonrl::abstract
