#pragma once

#include <string_view>
#include <vector>

#include "teacher/operators/table.h"

namespace tritonrl::teacher {

// What a class of torch.nn makes of its constructor's arguments.
enum class LayerFamily : std::uint8_t {
  kPlain,  // attributes of the same names
  kLinear,
  kBilinear,
  kConvolution,
  kTransposedConvolution,
  kBatchNorm,
  kInstanceNorm,
  kLayerNorm,
  kRmsNorm,
  kGroupNorm,
  kEmbedding,
  kPRelu,
  kPool,       // stride is kernel_size where it is None
  kTuplePool,  // and all are tuples
  kPad,        // `padding` on every side
  kUpsample,   // factors are floats
  kLoss,       // `weight` and `pos_weight` are buffers
  kRecurrent,
  kCell,
  kAttention,
};

struct LayerClass {
  std::string_view name;  // "Conv2d"
  LayerFamily family = LayerFamily::kPlain;
  int dimensions = 0;                            // of Conv2d: 2
  std::vector<operators::Parameter> parameters;  // of its constructor
};

// Null: not described here.
const LayerClass* find_layer_class(std::string_view name);

}  // namespace tritonrl::teacher
