#include "data/teacher/typing/value_facts.h"

#include "data/labels/outside_names.h"

namespace tritonrl::data::teacher {
namespace {

Fact of_kind(Fact::Kind kind) {
  Fact fact;
  fact.kind = kind;
  return fact;
}

Fact other(std::string_view name = {}) {
  Fact fact = of_kind(Fact::Kind::kOther);
  fact.text = name;
  return fact;
}

// A number whose value is not known: the text of such a plain value names its kind.
Fact plain_fact(std::string_view kind) {
  if (kind == "int") return of_kind(Fact::Kind::kInt);
  if (kind == "float") return of_kind(Fact::Kind::kFloat);
  if (kind == "bool") return of_kind(Fact::Kind::kBool);
  return {};
}

bool is_module(const Object& object) {
  return is_torch_layer(object.outside) || object.outside.ends_with("Module");
}

}  // namespace

Fact ValueFacts::fact_of(const Value& value, bool whole) {
  if (value.is(ValueKind::kObject)) return module_fact(*value.object);
  return fact_of(value, 0, whole);
}

Fact ValueFacts::fact_of(const Value& value, int depth, bool whole) {
  switch (value.kind) {
    case ValueKind::kUnknown:
      return {};
    case ValueKind::kPlain:
      return value.list != nullptr ? other() : plain_fact(value.text);
    case ValueKind::kTensor:
      return value.tensor_type == nullptr ? Fact{} : Fact::tensor(value.tensor_type->dtype, value.tensor_type->shape);
    case ValueKind::kNone:
      return Fact::none();
    case ValueKind::kBool:
      return Fact::truth(value.integer != 0);
    case ValueKind::kInt:
      return Fact::whole(value.integer);
    case ValueKind::kFloat:
      return Fact::real(value.number);
    case ValueKind::kText:
      return Fact::words(value.text);
    case ValueKind::kList: {
      const List& list = *value.list;
      if (list.open || list.lazy || depth >= kDeepest || (!whole && list.items.size() > kLongestList)) return other();
      std::vector<Fact> items;
      items.reserve(list.items.size());
      for (const Value& item : list.items) {
        items.push_back(item.is(ValueKind::kObject) ? other() : fact_of(item, depth + 1, whole));
      }
      return Fact::list(std::move(items));
    }
    case ValueKind::kName:
      return other(value.text);
    case ValueKind::kObject:
      return make_module_fact(*value.object, depth);
    case ValueKind::kDict:
    case ValueKind::kClass:
    case ValueKind::kFunction:
    case ValueKind::kPartial:
    case ValueKind::kSuper:
      return other();
  }
  return {};
}

const Fact& ValueFacts::module_fact(const Object& object) {
  ModuleFact& held = modules_[&object];
  const std::size_t attributes = object.attributes.entries.size(), items = object.items.items.size();
  if (held.fact == nullptr || held.attributes != attributes || held.items != items) {
    held = {.fact = &module_facts_.emplace_back(make_module_fact(object, 0)), .attributes = attributes, .items = items};
  }
  return *held.fact;
}

Fact ValueFacts::make_module_fact(const Object& object, int depth) {
  if (!is_module(object)) return other();
  Fact fact = of_kind(Fact::Kind::kModule);
  if (object.type != nullptr || !is_torch_layer(object.outside)) return fact;
  fact.text = last_part(object.outside);
  const bool contains = object.container == Container::kSequential || object.container == Container::kList;
  if (!contains) {
    fact.attributes.reserve(object.attributes.entries.size() + 1);
    fact.attributes.emplace_back("training", Fact::truth(true));
    for (const auto& [name, value] : object.attributes.entries) {
      if (!value.is(ValueKind::kObject)) fact.attributes.emplace_back(name, fact_of(value, depth + 1, false));
    }
    return fact;
  }
  fact.attributes.emplace_back("training", Fact::truth(true));
  if (depth >= kDeepest || object.items.open || object.items.items.size() > kLongestList) return fact;
  for (std::size_t i = 0; i < object.items.items.size(); ++i) {
    fact.attributes.emplace_back(std::to_string(i), fact_of(object.items.items[i], depth + 1, false));
  }
  return fact;
}

Value ValueFacts::value_of(const Fact& fact) {
  switch (fact.kind) {
    case Fact::Kind::kTensor:
      return tensor(fact.dtype, fact.shape);
    case Fact::Kind::kInt:
    case Fact::Kind::kBool:
    case Fact::Kind::kFloat:
      if (!fact.constant) {
        Value value = Value::plain();
        value.text = fact.kind == Fact::Kind::kInt ? "int" : fact.kind == Fact::Kind::kBool ? "bool" : "float";
        return value;
      }
      if (fact.kind == Fact::Kind::kFloat) return Value::real(fact.number);
      return fact.kind == Fact::Kind::kInt ? Value::whole(fact.integer) : Value::boolean(fact.integer != 0);
    case Fact::Kind::kText:
      return fact.constant ? Value::words(texts_.emplace_back(fact.text)) : Value::plain();
    case Fact::Kind::kNone:
      return Value::none();
    case Fact::Kind::kList: {
      std::vector<Value> items;
      for (const Fact& item : fact.items) items.push_back(value_of(item));
      return tuple(std::move(items));
    }
    case Fact::Kind::kUnknown:
    case Fact::Kind::kModule:
    case Fact::Kind::kOther:
      return Value::unknown();
  }
  return {};
}

Value ValueFacts::value_of(const std::vector<Fact>& results) {
  if (results.size() == 1) return value_of(results.front());
  std::vector<Value> items;
  for (const Fact& result : results) items.push_back(value_of(result));
  return tuple(std::move(items));
}

Value ValueFacts::tensor(program::DType dtype, Shape shape) {
  Typed& type = types_.emplace_back();
  type.dtype = dtype;
  type.shape = std::move(shape);
  return Value::tensor(&type);
}

Value ValueFacts::tuple(std::vector<Value> items) {
  List& list = lists_.emplace_back();
  list.items = std::move(items);
  list.tuple = true;
  return {.kind = ValueKind::kList, .list = &list};
}

Value ValueFacts::sizes(const Shape& shape) {
  std::vector<Value> items;
  items.reserve(shape.size());
  for (const std::int64_t size : shape) items.push_back(Value::whole(size));
  return tuple(std::move(items));
}

Value ValueFacts::shape_of(const TensorType& type) {
  // Every type that an evaluator knows was made here.
  auto& typed = const_cast<Typed&>(static_cast<const Typed&>(type));
  if (typed.sizes == nullptr) typed.sizes = sizes(typed.shape).list;
  return {.kind = ValueKind::kList, .list = typed.sizes};
}

}  // namespace tritonrl::data::teacher
