#include <algorithm>
#include <optional>
#include <string>

#include "teacher/operators/argument_facts.h"
#include "teacher/typing/rule_parts.h"

namespace tritonrl::teacher {
namespace {

using program::DType;

class AttributeWriter {
 public:
  AttributeWriter(abstract::Object* object, const LayerClass& layer, const abstract::Arguments& arguments,
                  ValueFacts* values)
      : object_(object), layer_(layer), arguments_(arguments), values_(values) {}

  void write() {
    if (const abstract::Value* dtype = arguments_.keyword("dtype");
        dtype != nullptr && dtype->is(abstract::ValueKind::kName)) {
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

  void set(std::string_view name, const abstract::Value& value) { object_->attributes.set(name, value); }

  abstract::Value given(std::string_view name) const {
    const abstract::Value* value = object_->attributes.find(name);
    return value == nullptr ? abstract::Value() : *value;
  }
  Size whole(std::string_view name) const {
    const abstract::Value value = given(name);
    return value.is(abstract::ValueKind::kInt) ? Size(value.integer) : std::nullopt;
  }
  std::optional<bool> flag(std::string_view name) const { return truth_of(given(name)); }

  void plain_attributes() {
    std::size_t place = 0;
    for (const operators::Parameter& parameter : layer_.parameters) {
      const abstract::Value* value =
          parameter.keyword_only ? arguments_.keyword(parameter.name) : arguments_.get(place++, parameter.name);
      if (parameter.name == "size_average" || parameter.name == "reduce") continue;
      if (value != nullptr) {
        set(parameter.name, *value);
      } else if (parameter.required || arguments_.open) {
        set(parameter.name, abstract::Value());
      } else {
        set(parameter.name, values_->value_of(parameter.standard));
      }
    }
  }

  // A parameter of the module, or None where `present` says no.
  void parameter(std::string_view name, const std::vector<Size>& sizes, std::optional<bool> present = true) {
    if (present == false) return set(name, abstract::Value::none());
    Shape shape;
    for (const Size& size : sizes) {
      if (!size.has_value()) return set(name, abstract::Value::tensor());
      shape.push_back(*size);
    }
    set(name, present.has_value() ? values_->tensor(dtype_, std::move(shape)) : abstract::Value::tensor());
  }

  // A number stands for all dimensions.
  void repeat(std::string_view name, int times) {
    const abstract::Value value = given(name);
    if (value.is(abstract::ValueKind::kInt))
      set(name, values_->tuple(std::vector<abstract::Value>(static_cast<std::size_t>(times), value)));
  }

  void convolution() {
    const bool transposed = layer_.family == LayerFamily::kTransposedConvolution;
    for (const std::string_view name : {"kernel_size", "stride", "padding", "dilation"})
      repeat(name, layer_.dimensions);
    if (!transposed) set("output_padding", abstract::Value::whole(0));
    repeat("output_padding", layer_.dimensions);
    set("transposed", abstract::Value::boolean(transposed));
    const Size in = whole("in_channels"), out = whole("out_channels"), groups = whole("groups");
    const bool known = in && out && groups && *groups > 0;
    std::vector<Size> sizes = transposed ? std::vector<Size>{in, known ? Size(*out / *groups) : std::nullopt}
                                         : std::vector<Size>{out, known ? Size(*in / *groups) : std::nullopt};
    const abstract::Value kernel = given("kernel_size");
    for (int i = 0; i < layer_.dimensions; ++i) {
      const auto place = static_cast<std::size_t>(i);
      const bool has = kernel.is(abstract::ValueKind::kList) && place < kernel.list->items.size() &&
                       kernel.list->items[place].is(abstract::ValueKind::kInt);
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
    set("num_batches_tracked", tracked == true ? values_->tensor(DType::kInt64, {}) : abstract::Value::none());
  }

  void layer_norm() {
    repeat("normalized_shape", 1);
    std::vector<Size> sizes;
    if (const abstract::Value shape = given("normalized_shape");
        shape.is(abstract::ValueKind::kList) && !shape.list->open) {
      for (const abstract::Value& size : shape.list->items) {
        sizes.push_back(size.is(abstract::ValueKind::kInt) ? Size(size.integer) : std::nullopt);
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
    if (given("stride").is(abstract::ValueKind::kNone)) set("stride", given("kernel_size"));
    if (layer_.family != LayerFamily::kTuplePool) return;
    for (const std::string_view name : {"kernel_size", "stride", "padding"}) repeat(name, layer_.dimensions);
  }

  void upsample() {
    as_float("scale_factor");
    const abstract::Value factors = given("scale_factor");
    if (!factors.is(abstract::ValueKind::kList)) return;
    std::vector<abstract::Value> numbers = factors.list->items;
    for (abstract::Value& number : numbers) {
      if (number.is(abstract::ValueKind::kInt)) number = abstract::Value::real(static_cast<double>(number.integer));
    }
    set("scale_factor", values_->tuple(std::move(numbers)));
  }

  void as_float(std::string_view name) {
    if (const Size value = whole(name)) set(name, abstract::Value::real(static_cast<double>(*value)));
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
      own_width = own_width && given(name).is(abstract::ValueKind::kNone);
      if (given(name).is(abstract::ValueKind::kNone)) set(name, abstract::Value::whole(*width));
    }
    set("head_dim", abstract::Value::whole(*width / *heads));
    if (own_width) {
      parameter("in_proj_weight", {3 * *width, *width});
      parameter("in_proj_bias", {3 * *width}, flag("bias"));
    }
  }

  abstract::Object* object_;
  const LayerClass& layer_;
  const abstract::Arguments& arguments_;
  ValueFacts* values_;
  DType dtype_ = DType::kFloat32;
};

}  // namespace

void set_layer_attributes(abstract::Object* object, const LayerClass& layer, const abstract::Arguments& arguments,
                          ValueFacts* values) {
  AttributeWriter(object, layer, arguments, values).write();
}

}  // namespace tritonrl::teacher
