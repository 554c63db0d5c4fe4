#include "abstract/outside_names.h"
#include "teacher/typing/rule_parts.h"

namespace tritonrl::teacher {
namespace {

std::optional<std::int64_t> whole(const abstract::Object& object, std::string_view name) {
  const abstract::Value* value = object.attributes.find(name);
  if (value == nullptr || !value->is(abstract::ValueKind::kInt)) return std::nullopt;
  return value->integer;
}

std::optional<bool> flag(const abstract::Object& object, std::string_view name) {
  const abstract::Value* value = object.attributes.find(name);
  return value == nullptr ? std::nullopt : truth_of(*value);
}

std::optional<abstract::Value> recurrent(const abstract::Object& object, const abstract::TensorType& input, bool lstm,
                                         ValueFacts* values) {
  const auto hidden = whole(object, "hidden_size"), layers = whole(object, "num_layers");
  const auto both = flag(object, "bidirectional"), batch_first = flag(object, "batch_first");
  if (!hidden || !layers || !both || !batch_first || input.shape.size() < 2 || input.shape.size() > 3)
    return std::nullopt;
  const std::int64_t projected = whole(object, "proj_size").value_or(0), ways = *both ? 2 : 1;
  const std::int64_t out = projected > 0 ? projected : *hidden;
  Shape output = input.shape;
  output.back() = ways * out;
  const auto state = [&](std::int64_t width) {
    Shape shape = {ways * *layers};
    if (input.shape.size() == 3) shape.push_back(*batch_first ? input.shape[0] : input.shape[1]);
    shape.push_back(width);
    return values->tensor(input.dtype, std::move(shape));
  };
  const abstract::Value result = values->tensor(input.dtype, std::move(output));
  const abstract::Value last = lstm ? values->tuple({state(out), state(*hidden)}) : state(out);
  return values->tuple({result, last});
}

std::optional<abstract::Value> cell(const abstract::Object& object, const abstract::TensorType& input, bool lstm,
                                    ValueFacts* values) {
  const auto hidden = whole(object, "hidden_size");
  if (!hidden || input.shape.empty()) return std::nullopt;
  Shape shape = input.shape;
  shape.back() = *hidden;
  const abstract::Value state = values->tensor(input.dtype, std::move(shape));
  return lstm ? values->tuple({state, state}) : state;
}

std::optional<abstract::Value> attention(const abstract::Object& object, const abstract::Arguments& arguments,
                                         ValueFacts* values) {
  const abstract::Value* query = arguments.get(0, "query");
  const abstract::Value* key = arguments.get(1, "key");
  const auto batch_first = flag(object, "batch_first");
  if (query == nullptr || key == nullptr || query->tensor_type == nullptr || key->tensor_type == nullptr ||
      !batch_first) {
    return std::nullopt;
  }
  const Shape &from = query->tensor_type->shape, &to = key->tensor_type->shape;
  const abstract::Value output = values->tensor(query->tensor_type->dtype, from);
  const abstract::Value* wanted = arguments.get(4, "need_weights");
  const auto needed = wanted == nullptr ? std::optional(true) : truth_of(*wanted);
  if (!needed.has_value()) return std::nullopt;
  if (!*needed) return values->tuple({output, abstract::Value::none()});
  const abstract::Value* averaged = arguments.get(6, "average_attn_weights");
  if ((averaged != nullptr && truth_of(*averaged) != true) || from.size() != to.size()) return std::nullopt;
  Shape weights;
  if (from.size() == 3) {
    weights = *batch_first ? Shape{from[0], from[1], to[1]} : Shape{from[1], from[0], to[0]};
  } else if (from.size() == 2) {
    weights = {from[0], to[0]};
  } else {
    return std::nullopt;
  }
  return values->tuple({output, values->tensor(query->tensor_type->dtype, std::move(weights))});
}

}  // namespace

std::optional<abstract::Value> layer_result(const abstract::Object& object, const abstract::Arguments& arguments,
                                            ValueFacts* values) {
  const std::string_view name = abstract::last_part(object.outside);
  if (!abstract::is_torch_layer(object.outside)) return std::nullopt;
  if (name == "MultiheadAttention") return attention(object, arguments, values);
  const abstract::Value* input = arguments.positional.empty() ? nullptr : &arguments.positional[0];
  if (input == nullptr || input->tensor_type == nullptr) return std::nullopt;
  const bool lstm = name.starts_with("LSTM");
  if (name == "LSTM" || name == "GRU" || name == "RNN") return recurrent(object, *input->tensor_type, lstm, values);
  if (name == "LSTMCell" || name == "GRUCell" || name == "RNNCell")
    return cell(object, *input->tensor_type, lstm, values);
  if (name == "Identity" || name == "TransformerEncoderLayer" || name == "TransformerDecoderLayer") return *input;
  return std::nullopt;
}

}  // namespace tritonrl::teacher
