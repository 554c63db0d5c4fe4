#include "teacher/typing/value_facts.h"

#include "abstract/outside_names.h"

namespace tritonrl::teacher {
namespace {

Fact other(std::string_view name = {}) {
  Fact fact = Fact{.kind = Fact::Kind::kOther};
  fact.text = name;
  return fact;
}

// A number whose value is not known: the text of such a plain value names its kind.
Fact plain_fact(std::string_view kind) {
  if (kind == "int") return Fact{.kind = Fact::Kind::kInt};
  if (kind == "float") return Fact{.kind = Fact::Kind::kFloat};
  if (kind == "bool") return Fact{.kind = Fact::Kind::kBool};
  return {};
}

bool is_module(const abstract::Object& object) {
  return abstract::is_torch_layer(object.outside) || object.outside.ends_with("Module");
}

}  // namespace

Fact ValueFacts::fact_of(const abstract::Value& value, bool whole) {
  if (value.is(abstract::ValueKind::kObject)) return module_fact(*value.object);
  return fact_of(value, 0, whole);
}

Fact ValueFacts::fact_of(const abstract::Value& value, int depth, bool whole) {
  switch (value.kind) {
    case abstract::ValueKind::kUnknown:
      return {};
    case abstract::ValueKind::kPlain:
      return value.list != nullptr ? other() : plain_fact(value.text);
    case abstract::ValueKind::kTensor:
      return value.tensor_type == nullptr ? Fact{} : Fact::tensor(value.tensor_type->dtype, value.tensor_type->shape);
    case abstract::ValueKind::kNone:
      return Fact::none();
    case abstract::ValueKind::kBool:
      return Fact::truth(value.integer != 0);
    case abstract::ValueKind::kInt:
      return Fact::whole(value.integer);
    case abstract::ValueKind::kFloat:
      return Fact::real(value.number);
    case abstract::ValueKind::kText:
      return Fact::words(value.text);
    case abstract::ValueKind::kList: {
      const abstract::List& list = *value.list;
      if (list.open || list.lazy || depth >= kDeepest || (!whole && list.items.size() > kLongestList)) return other();
      std::vector<Fact> items;
      items.reserve(list.items.size());
      for (const abstract::Value& item : list.items) {
        items.push_back(item.is(abstract::ValueKind::kObject) ? other() : fact_of(item, depth + 1, whole));
      }
      return Fact::list(std::move(items));
    }
    case abstract::ValueKind::kName:
      return other(value.text);
    case abstract::ValueKind::kObject:
      return make_module_fact(*value.object, depth);
    default:
      return other();
  }
}

const Fact& ValueFacts::module_fact(const abstract::Object& object) {
  ModuleFact& held = modules_[&object];
  const std::size_t attributes = object.attributes.entries.size(), items = object.items.items.size();
  if (held.fact == nullptr || held.attributes != attributes || held.items != items) {
    held = {.fact = &module_facts_.emplace_back(make_module_fact(object, 0)), .attributes = attributes, .items = items};
  }
  return *held.fact;
}

Fact ValueFacts::make_module_fact(const abstract::Object& object, int depth) {
  if (!is_module(object)) return other();
  Fact fact = Fact{.kind = Fact::Kind::kModule};
  if (object.type != nullptr || !abstract::is_torch_layer(object.outside)) return fact;
  fact.text = abstract::last_part(object.outside);
  const bool contains =
      object.container == abstract::Container::kSequential || object.container == abstract::Container::kList;
  if (!contains) {
    fact.attributes.reserve(object.attributes.entries.size() + 1);
    fact.attributes.emplace_back("training", Fact::truth(true));
    for (const auto& [name, value] : object.attributes.entries) {
      if (!value.is(abstract::ValueKind::kObject)) fact.attributes.emplace_back(name, fact_of(value, depth + 1, false));
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

abstract::Value ValueFacts::value_of(const Fact& fact) {
  switch (fact.kind) {
    case Fact::Kind::kTensor:
      return tensor(fact.dtype, fact.shape);
    case Fact::Kind::kInt:
    case Fact::Kind::kBool:
    case Fact::Kind::kFloat:
      if (!fact.constant) {
        abstract::Value value = abstract::Value::plain();
        value.text = fact.kind == Fact::Kind::kInt ? "int" : fact.kind == Fact::Kind::kBool ? "bool" : "float";
        return value;
      }
      if (fact.kind == Fact::Kind::kFloat) return abstract::Value::real(fact.number);
      return fact.kind == Fact::Kind::kInt ? abstract::Value::whole(fact.integer)
                                           : abstract::Value::boolean(fact.integer != 0);
    case Fact::Kind::kText:
      return fact.constant ? abstract::Value::words(texts_.emplace_back(fact.text)) : abstract::Value::plain();
    case Fact::Kind::kNone:
      return abstract::Value::none();
    case Fact::Kind::kList: {
      std::vector<abstract::Value> items;
      for (const Fact& item : fact.items) items.push_back(value_of(item));
      return tuple(std::move(items));
    }
    case Fact::Kind::kUnknown:
    case Fact::Kind::kModule:
    case Fact::Kind::kOther:
      return abstract::Value::unknown();
  }
  return {};
}

abstract::Value ValueFacts::value_of(const std::vector<Fact>& results) {
  if (results.size() == 1) return value_of(results.front());
  std::vector<abstract::Value> items;
  for (const Fact& result : results) items.push_back(value_of(result));
  return tuple(std::move(items));
}

abstract::Value ValueFacts::tensor(program::DType dtype, Shape shape) {
  Typed& type = types_.emplace_back();
  type.dtype = dtype;
  type.shape = std::move(shape);
  return abstract::Value::tensor(&type);
}

abstract::Value ValueFacts::tuple(std::vector<abstract::Value> items) {
  abstract::List& list = lists_.emplace_back();
  list.items = std::move(items);
  list.tuple = true;
  return {.kind = abstract::ValueKind::kList, .list = &list};
}

abstract::Value ValueFacts::sizes(const Shape& shape) {
  std::vector<abstract::Value> items;
  items.reserve(shape.size());
  for (const std::int64_t size : shape) items.push_back(abstract::Value::whole(size));
  return tuple(std::move(items));
}

abstract::Value ValueFacts::shape_of(const abstract::TensorType& type) {
  // Every type that an evaluator knows was made here.
  auto& typed = const_cast<Typed&>(static_cast<const Typed&>(type));
  if (typed.sizes == nullptr) typed.sizes = sizes(typed.shape).list;
  return {.kind = abstract::ValueKind::kList, .list = typed.sizes};
}

}  // namespace tritonrl::teacher
