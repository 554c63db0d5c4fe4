#include "teacher/typing/layer_classes.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tritonrl::teacher {
namespace {

using enum LayerFamily;

// As the lines `layer` of program/operators/ name them, behind the constructor's parameters.
constexpr program::Words<LayerFamily, 20> kFamilies = {{{"", kPlain},
                                                        {"linear", kLinear},
                                                        {"bilinear", kBilinear},
                                                        {"convolution", kConvolution},
                                                        {"transposed_convolution", kTransposedConvolution},
                                                        {"batch_norm", kBatchNorm},
                                                        {"instance_norm", kInstanceNorm},
                                                        {"layer_norm", kLayerNorm},
                                                        {"rms_norm", kRmsNorm},
                                                        {"group_norm", kGroupNorm},
                                                        {"embedding", kEmbedding},
                                                        {"prelu", kPRelu},
                                                        {"pool", kPool},
                                                        {"tuple_pool", kTuplePool},
                                                        {"pad", kPad},
                                                        {"upsample", kUpsample},
                                                        {"loss", kLoss},
                                                        {"recurrent", kRecurrent},
                                                        {"cell", kCell},
                                                        {"attention", kAttention}}};

// "Conv2d(in_channels, …) convolution".
LayerClass read_class(std::string_view line) {
  const std::size_t begin = line.find('('), end = line.rfind(')');
  LayerClass one{.name = line.substr(0, begin)};
  const std::string_view behind = line.substr(end + 1);
  one.family = program::meaning_of(behind.substr(std::min<std::size_t>(behind.size(), 1)), kFamilies, line);
  const char digit = one.name.size() > 2 ? one.name[one.name.size() - 2] : ' ';
  one.dimensions = digit >= '1' && digit <= '3' ? digit - '0' : 0;
  one.parameters = operators::read_parameters(line.substr(begin + 1, end - begin - 1));
  return one;
}

std::unordered_map<std::string_view, LayerClass> read_classes() {
  std::unordered_map<std::string_view, LayerClass> classes;
  for (const program::OperatorEntry& entry : program::operator_entries()) {
    for (const std::string_view line : entry.texts("layer")) {
      if (line.find('(') == std::string_view::npos) continue;  // a class whose constructor is not described
      LayerClass one = read_class(line);
      classes.emplace(one.name, std::move(one));
    }
  }
  return classes;
}

}  // namespace

const LayerClass* find_layer_class(std::string_view name) {
  static const std::unordered_map<std::string_view, LayerClass> kClasses = read_classes();
  const auto found = kClasses.find(name);
  return found == kClasses.end() ? nullptr : &found->second;
}

}  // namespace tritonrl::teacher
