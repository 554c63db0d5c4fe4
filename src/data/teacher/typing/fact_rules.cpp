#include "data/teacher/typing/fact_rules.h"

#include <utility>

#include "data/labels/outside_names.h"
#include "data/teacher/operators/argument_facts.h"
#include "data/teacher/typing/index_type.h"
#include "data/teacher/typing/layer_attributes.h"
#include "data/teacher/typing/layer_results.h"
#include "data/teacher/typing/made_tensors.h"
#include "data/teacher/typing/number_functions.h"
#include "data/teacher/typing/tensor_questions.h"

namespace tritonrl::data::teacher {
namespace {

constexpr std::int64_t kMostItems = 4096;

bool may_be_tensor(const Value& value) {
  return (value.is(ValueKind::kTensor) && value.tensor_type == nullptr) || value.is(ValueKind::kUnknown);
}

}  // namespace

void FactRules::saw(const python::SyntaxNode& node, const Value& value, bool quietly) {
  if (quietly && !options_.everywhere) {
    const bool constructed = value.is(ValueKind::kObject) && value.object->type == nullptr && node.is("Call");
    if (!constructed) return;
  }
  if (!quietly && missing_ == nullptr && may_be_tensor(value)) missing_ = &node;
  if (value.is(ValueKind::kObject)) {
    facts_.note(&node, values_.module_fact(*value.object));
  } else {
    facts_.note(&node, values_.fact_of(value));
  }
}

std::optional<Value> FactRules::call(std::string_view path, const Arguments& arguments) {
  if (const auto number = number_function(path, arguments)) return number;
  if (!path.starts_with("torch.")) return std::nullopt;
  if (auto limits = limits_of(path, arguments)) return Value::name(texts_.emplace_back(*std::move(limits)));
  if (path == "torch.is_tensor" && !arguments.positional.empty()) {
    return Value::boolean(arguments.positional[0].is(ValueKind::kTensor));
  }
  if (const auto made = made_tensor(path, arguments, &values_)) return made;
  return table_.function(path, arguments);
}

std::optional<Value> FactRules::method(const Value& tensor, std::string_view name, const Arguments& arguments) {
  if (tensor.tensor_type == nullptr) return std::nullopt;
  if (const auto answer = tensor_question(tensor, name, arguments, &values_)) return answer;
  return table_.method(tensor, name, arguments);
}

std::optional<Value> FactRules::sign(std::string_view op, const Value& left, const Value* right) {
  return table_.sign(op, left, right);
}

std::optional<Value> FactRules::item(const Value& tensor, const Value& index) {
  if (tensor.tensor_type == nullptr) return std::nullopt;
  auto type = index_type(*tensor.tensor_type, index);
  if (!type.has_value()) return std::nullopt;
  return values_.tensor(type->dtype, std::move(type->shape));
}

std::optional<Value> FactRules::attribute(const Value& tensor, std::string_view name) {
  if (tensor.tensor_type == nullptr) return std::nullopt;
  return tensor_attribute(*tensor.tensor_type, name, &values_);
}

std::optional<Value> FactRules::name(std::string_view path) {
  return number_name(path);
}

std::optional<List> FactRules::items(const Value& tensor) {
  if (tensor.tensor_type == nullptr || tensor.tensor_type->shape.empty()) return std::nullopt;
  const Shape& shape = tensor.tensor_type->shape;
  if (shape[0] > kMostItems) return std::nullopt;
  const Value item = values_.tensor(tensor.tensor_type->dtype, Shape(shape.begin() + 1, shape.end()));
  return List{.items = std::vector<Value>(static_cast<std::size_t>(shape[0]), item)};
}

void FactRules::made(Object* object, std::string_view path, const Arguments& arguments) {
  if (!is_torch_layer(path)) return;
  if (const LayerClass* layer = find_layer_class(last_part(path))) {
    set_layer_attributes(object, *layer, arguments, &values_);
  }
}

std::optional<Value> FactRules::layer(const Object& object, const Arguments& arguments) {
  if (!is_torch_layer(object.outside)) return std::nullopt;
  if (const auto result = layer_result(object, arguments, &values_)) return result;
  return table_.layer(object, arguments);
}

}  // namespace tritonrl::data::teacher
