#include "teacher/typing/layer_classes.h"

#include <array>
#include <unordered_map>

namespace tritonrl::teacher {
namespace {

struct Declaration {
  std::string_view names;  // separated by blanks; "Conv#d" stands for Conv1d, Conv2d and Conv3d
  LayerFamily family;
  std::string_view parameters;
};

using enum LayerFamily;

constexpr auto kDeclarations = std::to_array<Declaration>({
    {"Linear", kLinear, "in_features, out_features, bias=True"},
    {"Bilinear", kBilinear, "in1_features, in2_features, out_features, bias=True"},
    {"Conv#d", kConvolution,
     "in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, "
     "padding_mode='zeros'"},
    {"ConvTranspose#d", kTransposedConvolution,
     "in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, "
     "padding_mode='zeros'"},
    {"BatchNorm#d SyncBatchNorm", kBatchNorm,
     "num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True"},
    {"InstanceNorm#d", kInstanceNorm, "num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False"},
    {"LayerNorm", kLayerNorm, "normalized_shape, eps=1e-05, elementwise_affine=True, bias=True"},
    {"RMSNorm", kRmsNorm, "normalized_shape, eps=None, elementwise_affine=True"},
    {"GroupNorm", kGroupNorm, "num_groups, num_channels, eps=1e-05, affine=True"},
    {"LocalResponseNorm", kPlain, "size, alpha=0.0001, beta=0.75, k=1.0"},
    {"Embedding", kEmbedding,
     "num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, "
     "sparse=False"},
    {"PReLU", kPRelu, "num_parameters=1, init=0.25"},

    {"ReLU SELU SiLU Mish Hardswish Hardsigmoid", kPlain, "inplace=False"},
    {"ReLU6", kPlain, "inplace=False, min_val=0.0, max_val=6.0"},
    {"Sigmoid Tanh LogSigmoid Softsign Tanhshrink Identity Softmax2d", kPlain, ""},
    {"LeakyReLU", kPlain, "negative_slope=0.01, inplace=False"},
    {"RReLU", kPlain, "lower=0.125, upper=0.3333333333333333, inplace=False"},
    {"ELU CELU", kPlain, "alpha=1.0, inplace=False"},
    {"GELU", kPlain, "approximate='none'"},
    {"GLU", kPlain, "dim=-1"},
    {"Hardtanh", kPlain, "min_val=-1.0, max_val=1.0, inplace=False"},
    {"Hardshrink Softshrink", kPlain, "lambd=0.5"},
    {"Softplus", kPlain, "beta=1.0, threshold=20.0"},
    {"Threshold", kPlain, "threshold, value, inplace=False"},
    {"Softmax LogSoftmax Softmin", kPlain, "dim=None"},
    {"Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout", kPlain, "p=0.5, inplace=False"},

    {"MaxPool#d", kPool, "kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False"},
    {"AvgPool1d", kTuplePool, "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True"},
    {"AvgPool2d AvgPool3d", kPool,
     "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None"},
    {"LPPool#d", kPlain, "norm_type, kernel_size, stride=None, ceil_mode=False"},
    {"AdaptiveAvgPool#d", kPlain, "output_size"},
    {"AdaptiveMaxPool#d", kPlain, "output_size, return_indices=False"},

    {"ConstantPad#d", kPad, "padding, value"},
    {"ZeroPad#d", kPad, "padding, value=0.0"},
    {"ReflectionPad#d ReplicationPad#d CircularPad#d", kPad, "padding"},
    {"Flatten", kPlain, "start_dim=1, end_dim=-1"},
    {"Unflatten", kPlain, "dim, unflattened_size"},
    {"Upsample", kUpsample,
     "size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None"},
    {"UpsamplingNearest2d", kUpsample,
     "size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None"},
    {"UpsamplingBilinear2d", kUpsample,
     "size=None, scale_factor=None, mode='bilinear', align_corners=True, recompute_scale_factor=None"},
    {"PixelShuffle", kPlain, "upscale_factor"},
    {"PixelUnshuffle", kPlain, "downscale_factor"},
    {"ChannelShuffle", kPlain, "groups"},
    {"Unfold", kPlain, "kernel_size, dilation=1, padding=0, stride=1"},
    {"Fold", kPlain, "output_size, kernel_size, dilation=1, padding=0, stride=1"},
    {"CosineSimilarity", kPlain, "dim=1, eps=1e-08"},
    {"PairwiseDistance", kPlain, "norm=2.0, eps=1e-06, keepdim=False"},

    {"MSELoss L1Loss SoftMarginLoss MultiLabelMarginLoss", kLoss, "size_average=None, reduce=None, reduction='mean'"},
    {"SmoothL1Loss", kLoss, "size_average=None, reduce=None, reduction='mean', beta=1.0"},
    {"HuberLoss", kLoss, "reduction='mean', delta=1.0"},
    {"CrossEntropyLoss", kLoss,
     "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0"},
    {"NLLLoss", kLoss, "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'"},
    {"BCELoss MultiLabelSoftMarginLoss", kLoss, "weight=None, size_average=None, reduce=None, reduction='mean'"},
    {"BCEWithLogitsLoss", kLoss, "weight=None, size_average=None, reduce=None, reduction='mean', pos_weight=None"},
    {"KLDivLoss", kLoss, "size_average=None, reduce=None, reduction='mean', log_target=False"},
    {"HingeEmbeddingLoss", kLoss, "margin=1.0, size_average=None, reduce=None, reduction='mean'"},
    {"MarginRankingLoss CosineEmbeddingLoss", kLoss, "margin=0.0, size_average=None, reduce=None, reduction='mean'"},
    {"TripletMarginLoss", kLoss,
     "margin=1.0, p=2.0, eps=1e-06, swap=False, size_average=None, reduce=None, reduction='mean'"},
    {"PoissonNLLLoss", kLoss,
     "log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean'"},
    {"GaussianNLLLoss", kLoss, "*, full=False, eps=1e-06, reduction='mean'"},
    {"MultiMarginLoss", kLoss, "p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction='mean'"},

    {"LSTM GRU", kRecurrent,
     "input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, "
     "proj_size=0"},
    {"RNN", kRecurrent,
     "input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, batch_first=False, dropout=0.0, "
     "bidirectional=False"},
    {"LSTMCell GRUCell", kCell, "input_size, hidden_size, bias=True"},
    {"RNNCell", kCell, "input_size, hidden_size, bias=True, nonlinearity='tanh'"},
    {"MultiheadAttention", kAttention,
     "embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, "
     "batch_first=False"},
});

std::unordered_map<std::string, LayerClass> read_declarations() {
  std::unordered_map<std::string, LayerClass> classes;
  const auto add = [&](const Declaration& declaration, const std::string& name, int dimensions) {
    LayerClass& one = classes[name];
    one.family = declaration.family;
    one.dimensions = dimensions;
    one.parameters = operators::read_parameters(declaration.parameters);
  };
  for (const Declaration& declaration : kDeclarations) {
    std::string_view rest = declaration.names;
    while (!rest.empty()) {
      const std::string name(rest.substr(0, rest.find(' ')));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      const std::size_t hole = name.find('#');
      for (int dimensions = 1; dimensions <= 3 && hole != std::string::npos; ++dimensions) {
        std::string filled = name;
        filled[hole] = static_cast<char>('0' + dimensions);
        add(declaration, filled, dimensions);
      }
      const char digit = name.size() > 2 ? name[name.size() - 2] : ' ';
      if (hole == std::string::npos) add(declaration, name, digit >= '1' && digit <= '3' ? digit - '0' : 0);
    }
  }
  for (auto& [name, one] : classes) one.name = name;
  return classes;
}

}  // namespace

const LayerClass* find_layer_class(std::string_view name) {
  static const std::unordered_map<std::string, LayerClass> kClasses = read_declarations();
  const auto found = kClasses.find(std::string(name));
  return found == kClasses.end() ? nullptr : &found->second;
}

}  // namespace tritonrl::teacher
