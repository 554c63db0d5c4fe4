#include "data/teacher/typing/layer_attributes.h"

#include <algorithm>
#include <optional>
#include <string>

#include "data/teacher/operators/argument_facts.h"

namespace tritonrl::data::teacher {
namespace {

using program::DType;

class AttributeWriter {
 public:
  AttributeWriter(Object* object, const LayerClass& layer, const Arguments& arguments, ValueFacts* values)
      : object_(object), layer_(layer), arguments_(arguments), values_(values) {}

  void write() {
    if (const Value* dtype = arguments_.keyword("dtype"); dtype != nullptr && dtype->is(ValueKind::kName)) {
      dtype_ = operators::dtype_named(dtype->text).value_or(DType::kFloat32);
    }
    object_->attributes.entries.reserve(kUsualAttributes);
    plain_attributes();
    switch (layer_.family) {
      case LayerFamily::kPlain:
        break;
      case LayerFamily::kLinear:
        parameter("weight", {whole("out_features"), whole("in_features")});
        parameter("bias", {whole("out_features")}, flag("bias"));
        break;
      case LayerFamily::kBilinear:
        parameter("weight", {whole("out_features"), whole("in1_features"), whole("in2_features")});
        parameter("bias", {whole("out_features")}, flag("bias"));
        break;
      case LayerFamily::kConvolution:
      case LayerFamily::kTransposedConvolution:
        convolution();
        break;
      case LayerFamily::kBatchNorm:
      case LayerFamily::kInstanceNorm:
        batch_norm();
        break;
      case LayerFamily::kLayerNorm:
      case LayerFamily::kRmsNorm:
        layer_norm();
        break;
      case LayerFamily::kGroupNorm:
        parameter("weight", {whole("num_channels")}, flag("affine"));
        parameter("bias", {whole("num_channels")}, flag("affine"));
        break;
      case LayerFamily::kEmbedding:
        parameter("weight", {whole("num_embeddings"), whole("embedding_dim")});
        break;
      case LayerFamily::kPRelu:
        parameter("weight", {whole("num_parameters")});
        break;
      case LayerFamily::kPool:
      case LayerFamily::kTuplePool:
        pool();
        break;
      case LayerFamily::kPad:
        repeat("padding", 2 * layer_.dimensions);
        break;
      case LayerFamily::kUpsample:
        upsample();
        break;
      case LayerFamily::kLoss:
        break;
      case LayerFamily::kRecurrent:
        recurrent();
        break;
      case LayerFamily::kCell:
        cell();
        break;
      case LayerFamily::kAttention:
        attention();
        break;
    }
  }

 private:
  using Size = std::optional<std::int64_t>;
  static constexpr std::size_t kUsualAttributes = 16;

  void set(std::string_view name, const Value& value) { object_->attributes.set(name, value); }

  Value given(std::string_view name) const {
    const Value* value = object_->attributes.find(name);
    return value == nullptr ? Value() : *value;
  }
  Size whole(std::string_view name) const {
    const Value value = given(name);
    return value.is(ValueKind::kInt) ? Size(value.integer) : std::nullopt;
  }
  std::optional<bool> flag(std::string_view name) const { return truth_of(given(name)); }

  void plain_attributes() {
    std::size_t place = 0;
    for (const operators::Parameter& parameter : layer_.parameters) {
      const Value* value =
          parameter.keyword_only ? arguments_.keyword(parameter.name) : arguments_.get(place++, parameter.name);
      if (parameter.name == "size_average" || parameter.name == "reduce") continue;
      if (value != nullptr) {
        set(parameter.name, *value);
      } else if (parameter.required || arguments_.open) {
        set(parameter.name, Value());
      } else {
        set(parameter.name, values_->value_of(parameter.standard));
      }
    }
  }

  // A parameter of the module, or None where `present` says no.
  void parameter(std::string_view name, const std::vector<Size>& sizes, std::optional<bool> present = true) {
    if (present == false) return set(name, Value::none());
    Shape shape;
    for (const Size& size : sizes) {
      if (!size.has_value()) return set(name, Value::tensor());
      shape.push_back(*size);
    }
    set(name, present.has_value() ? values_->tensor(dtype_, std::move(shape)) : Value::tensor());
  }

  // A number stands for all dimensions.
  void repeat(std::string_view name, int times) {
    const Value value = given(name);
    if (value.is(ValueKind::kInt))
      set(name, values_->tuple(std::vector<Value>(static_cast<std::size_t>(times), value)));
  }

  void convolution() {
    const bool transposed = layer_.family == LayerFamily::kTransposedConvolution;
    for (const std::string_view name : {"kernel_size", "stride", "padding", "dilation"})
      repeat(name, layer_.dimensions);
    if (!transposed) set("output_padding", Value::whole(0));
    repeat("output_padding", layer_.dimensions);
    set("transposed", Value::boolean(transposed));
    const Size in = whole("in_channels"), out = whole("out_channels"), groups = whole("groups");
    const bool known = in && out && groups && *groups > 0;
    std::vector<Size> sizes = transposed ? std::vector<Size>{in, known ? Size(*out / *groups) : std::nullopt}
                                         : std::vector<Size>{out, known ? Size(*in / *groups) : std::nullopt};
    const Value kernel = given("kernel_size");
    for (int i = 0; i < layer_.dimensions; ++i) {
      const auto place = static_cast<std::size_t>(i);
      const bool has = kernel.is(ValueKind::kList) && place < kernel.list->items.size() &&
                       kernel.list->items[place].is(ValueKind::kInt);
      sizes.push_back(has ? Size(kernel.list->items[place].integer) : std::nullopt);
    }
    const std::optional<bool> biased = flag("bias");
    parameter("weight", sizes);
    parameter("bias", {out}, biased);
  }

  void batch_norm() {
    const Size channels = whole("num_features");
    parameter("weight", {channels}, flag("affine"));
    parameter("bias", {channels}, flag("affine"));
    const auto tracked = flag("track_running_stats");
    parameter("running_mean", {channels}, tracked);
    parameter("running_var", {channels}, tracked);
    set("num_batches_tracked", tracked == true ? values_->tensor(DType::kInt64, {}) : Value::none());
  }

  void layer_norm() {
    repeat("normalized_shape", 1);
    std::vector<Size> sizes;
    if (const Value shape = given("normalized_shape"); shape.is(ValueKind::kList) && !shape.list->open) {
      for (const Value& size : shape.list->items) {
        sizes.push_back(size.is(ValueKind::kInt) ? Size(size.integer) : std::nullopt);
      }
      set("normalized_shape", values_->tuple(shape.list->items));
    } else {
      sizes.emplace_back();
    }
    const auto affine = flag("elementwise_affine");
    if (layer_.family == LayerFamily::kLayerNorm) {
      const auto biased = flag("bias");
      parameter("bias", sizes, affine == true ? biased : affine);
    }
    parameter("weight", sizes, affine);
  }

  void pool() {
    if (given("stride").is(ValueKind::kNone)) set("stride", given("kernel_size"));
    if (layer_.family != LayerFamily::kTuplePool) return;
    for (const std::string_view name : {"kernel_size", "stride", "padding"}) repeat(name, layer_.dimensions);
  }

  void upsample() {
    as_float("scale_factor");
    const Value factors = given("scale_factor");
    if (!factors.is(ValueKind::kList)) return;
    std::vector<Value> numbers = factors.list->items;
    for (Value& number : numbers) {
      if (number.is(ValueKind::kInt)) number = Value::real(static_cast<double>(number.integer));
    }
    set("scale_factor", values_->tuple(std::move(numbers)));
  }

  void as_float(std::string_view name) {
    if (const Size value = whole(name)) set(name, Value::real(static_cast<double>(*value)));
  }

  std::int64_t gates() const { return layer_.name.starts_with("LSTM") ? 4 : layer_.name.starts_with("GRU") ? 3 : 1; }

  // The names live as long as the program: those of the first layers.
  void recurrent() {
    as_float("dropout");
    static constexpr std::string_view kNames[][2] = {
        {"weight_ih_l0", "weight_hh_l0"}, {"weight_ih_l1", "weight_hh_l1"}, {"weight_ih_l2", "weight_hh_l2"}};
    if (flag("bidirectional") != false || given("proj_size").integer != 0) return;
    const Size in = whole("input_size"), hidden = whole("hidden_size"), layers = whole("num_layers");
    if (!in || !hidden || !layers) return;
    for (std::size_t i = 0; i < 3 && static_cast<std::int64_t>(i) < *layers; ++i) {
      parameter(kNames[i][0], {gates() * *hidden, i == 0 ? in : hidden});
      parameter(kNames[i][1], {gates() * *hidden, hidden});
    }
  }

  void cell() {
    const Size in = whole("input_size"), hidden = whole("hidden_size");
    if (!in || !hidden) return;
    parameter("weight_ih", {gates() * *hidden, in});
    parameter("weight_hh", {gates() * *hidden, hidden});
    parameter("bias_ih", {gates() * *hidden}, flag("bias"));
    parameter("bias_hh", {gates() * *hidden}, flag("bias"));
  }

  void attention() {
    bool own_width = true;
    const Size width = whole("embed_dim"), heads = whole("num_heads");
    if (!width || !heads || *heads <= 0) return;
    as_float("dropout");
    for (const std::string_view name : {"kdim", "vdim"}) {
      own_width = own_width && given(name).is(ValueKind::kNone);
      if (given(name).is(ValueKind::kNone)) set(name, Value::whole(*width));
    }
    set("head_dim", Value::whole(*width / *heads));
    if (own_width) {
      parameter("in_proj_weight", {3 * *width, *width});
      parameter("in_proj_bias", {3 * *width}, flag("bias"));
    }
  }

  Object* object_;
  const LayerClass& layer_;
  const Arguments& arguments_;
  ValueFacts* values_;
  DType dtype_ = DType::kFloat32;
};

}  // namespace

void set_layer_attributes(Object* object, const LayerClass& layer, const Arguments& arguments, ValueFacts* values) {
  AttributeWriter(object, layer, arguments, values).write();
}

}  // namespace tritonrl::data::teacher
