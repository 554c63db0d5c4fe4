#include "teacher/typing/fact_rules.h"

#include <utility>

#include "abstract/outside_names.h"
#include "teacher/operators/argument_facts.h"
#include "teacher/typing/rule_parts.h"

namespace tritonrl::teacher {
namespace {

constexpr std::int64_t kMostItems = 4096;

bool may_be_tensor(const abstract::Value& value) {
  return (value.is(abstract::ValueKind::kTensor) && value.tensor_type == nullptr) ||
         value.is(abstract::ValueKind::kUnknown);
}

}  // namespace

void FactRules::saw(const syntax::SyntaxNode& node, const abstract::Value& value, bool quietly) {
  if (quietly && !options_.everywhere) {
    const bool constructed = value.is(abstract::ValueKind::kObject) && value.object->type == nullptr && node.is("Call");
    if (!constructed) return;
  }
  if (!quietly && missing_ == nullptr && may_be_tensor(value)) missing_ = &node;
  if (value.is(abstract::ValueKind::kObject)) {
    facts_.note(&node, values_.module_fact(*value.object));
  } else {
    facts_.note(&node, values_.fact_of(value));
  }
}

std::optional<abstract::Value> FactRules::call(std::string_view path, const abstract::Arguments& arguments) {
  if (const auto number = number_function(path, arguments)) return number;
  if (!path.starts_with("torch.")) return std::nullopt;
  if (auto limits = limits_of(path, arguments)) return abstract::Value::name(texts_.emplace_back(*std::move(limits)));
  if (path == "torch.is_tensor" && !arguments.positional.empty()) {
    return abstract::Value::boolean(arguments.positional[0].is(abstract::ValueKind::kTensor));
  }
  if (const auto made = made_tensor(path, arguments, &values_)) return made;
  return table_.function(path, arguments);
}

std::optional<abstract::Value> FactRules::method(const abstract::Value& tensor, std::string_view name,
                                                 const abstract::Arguments& arguments) {
  if (tensor.tensor_type == nullptr) return std::nullopt;
  if (const auto answer = tensor_question(tensor, name, arguments, &values_)) return answer;
  return table_.method(tensor, name, arguments);
}

std::optional<abstract::Value> FactRules::sign(std::string_view op, const abstract::Value& left,
                                               const abstract::Value* right) {
  return table_.sign(op, left, right);
}

std::optional<abstract::Value> FactRules::item(const abstract::Value& tensor, const abstract::Value& index) {
  if (tensor.tensor_type == nullptr) return std::nullopt;
  auto type = index_type(*tensor.tensor_type, index);
  if (!type.has_value()) return std::nullopt;
  return values_.tensor(type->dtype, std::move(type->shape));
}

std::optional<abstract::Value> FactRules::attribute(const abstract::Value& tensor, std::string_view name) {
  if (tensor.tensor_type == nullptr) return std::nullopt;
  return tensor_attribute(*tensor.tensor_type, name, &values_);
}

std::optional<abstract::Value> FactRules::name(std::string_view path) {
  return number_name(path);
}

std::optional<abstract::List> FactRules::items(const abstract::Value& tensor) {
  if (tensor.tensor_type == nullptr || tensor.tensor_type->shape.empty()) return std::nullopt;
  const Shape& shape = tensor.tensor_type->shape;
  if (shape[0] > kMostItems) return std::nullopt;
  const abstract::Value item = values_.tensor(tensor.tensor_type->dtype, Shape(shape.begin() + 1, shape.end()));
  return abstract::List{.items = std::vector<abstract::Value>(static_cast<std::size_t>(shape[0]), item)};
}

void FactRules::made(abstract::Object* object, std::string_view path, const abstract::Arguments& arguments) {
  if (!abstract::is_torch_layer(path)) return;
  if (const LayerClass* layer = find_layer_class(abstract::last_part(path))) {
    set_layer_attributes(object, *layer, arguments, &values_);
  }
}

std::optional<abstract::Value> FactRules::layer(const abstract::Object& object, const abstract::Arguments& arguments) {
  if (!abstract::is_torch_layer(object.outside)) return std::nullopt;
  if (const auto result = layer_result(object, arguments, &values_)) return result;
  return table_.layer(object, arguments);
}

}  // namespace tritonrl::teacher
