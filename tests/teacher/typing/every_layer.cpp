#include "tests/teacher/typing/every_layer.h"

#include <string_view>

namespace tritonrl::teacher {
namespace {

// Each line: the constructor of a layer, and after " | " what it is called with in forward.
struct Group {
  std::string_view inputs, layers;
};

constexpr Group kGroups[] = {
    {"x=torch.randn(2, 6, 8)", R"(nn.Linear(8, 5) | x
nn.Linear(8, 5, bias=False) | x
nn.Bilinear(8, 8, 3) | x, x
nn.Conv1d(6, 4, 3, padding=1) | x
nn.Conv1d(6, 12, kernel_size=3, stride=2, dilation=2, groups=3, bias=False) | x
nn.Conv1d(6, 4, 3, padding='same') | x
nn.ConvTranspose1d(6, 4, 3, stride=2, padding=1, output_padding=1) | x
nn.BatchNorm1d(6, eps=0.001, momentum=0.2) | x
nn.BatchNorm1d(6, affine=False, track_running_stats=False) | x
nn.InstanceNorm1d(6, affine=True) | x
nn.LayerNorm(8) | x
nn.LayerNorm((6, 8), elementwise_affine=False) | x
nn.LayerNorm([6, 8], eps=0.01, bias=False) | x
nn.RMSNorm(8) | x
nn.RMSNorm([8], eps=0.01, elementwise_affine=False) | x
nn.GroupNorm(3, 6) | x
nn.GroupNorm(num_groups=2, num_channels=6, affine=False) | x
nn.LocalResponseNorm(2) | x
nn.MaxPool1d(2) | x
nn.MaxPool1d(3, stride=1, padding=1, ceil_mode=True) | x
nn.AvgPool1d(2) | x
nn.AvgPool1d(3, 2, 1, count_include_pad=False) | x
nn.AdaptiveAvgPool1d(4) | x
nn.AdaptiveMaxPool1d(3) | x
nn.ConstantPad1d(2, 0.5) | x
nn.ZeroPad1d((1, 2)) | x
nn.ReflectionPad1d(2) | x
nn.ReplicationPad1d((0, 3)) | x
nn.Flatten() | x
nn.Flatten(0, 1) | x
nn.Unflatten(1, (2, 3)) | x
nn.Upsample(scale_factor=2) | x
nn.Identity() | x
nn.GLU(dim=1) | x)"},
    {"x=torch.randn(2, 4, 6, 8)", R"(nn.Conv2d(4, 8, 3) | x
nn.Conv2d(4, 8, (3, 1), stride=(2, 1), padding=(1, 0)) | x
nn.Conv2d(4, 4, 3, padding=1, groups=4, padding_mode='zeros') | x
nn.ConvTranspose2d(4, 6, 4, stride=2, padding=1) | x
nn.ConvTranspose2d(4, 6, 3, groups=2, dilation=2, bias=False) | x
nn.BatchNorm2d(4) | x
nn.InstanceNorm2d(4) | x
nn.MaxPool2d(2) | x
nn.MaxPool2d((2, 3), stride=(2, 1)) | x
nn.AvgPool2d(2, ceil_mode=True) | x
nn.LPPool2d(2, 2) | x
nn.AdaptiveAvgPool2d(1) | x
nn.AdaptiveAvgPool2d((2, None)) | x
nn.AdaptiveMaxPool2d((2, 3)) | x
nn.ZeroPad2d(1) | x
nn.ReflectionPad2d((1, 1, 2, 2)) | x
nn.CircularPad2d(1) | x
nn.PixelShuffle(2) | x
nn.PixelUnshuffle(2) | x
nn.ChannelShuffle(2) | x
nn.Upsample(size=(12, 16), mode='bilinear', align_corners=True) | x
nn.UpsamplingNearest2d(scale_factor=2) | x
nn.UpsamplingBilinear2d(size=(3, 3)) | x
nn.Unfold(2) | x
nn.Softmax2d() | x
nn.Dropout2d(0.3) | x)"},
    {"x=torch.randn(2, 4, 5, 6, 7)", R"(nn.Conv3d(4, 2, 3, stride=2) | x
nn.ConvTranspose3d(4, 2, 3, stride=2, padding=1, output_padding=1) | x
nn.BatchNorm3d(4) | x
nn.InstanceNorm3d(4) | x
nn.MaxPool3d(2) | x
nn.AvgPool3d(kernel_size=2, stride=1) | x
nn.AdaptiveAvgPool3d(2) | x
nn.ConstantPad3d(1, 2.0) | x
nn.Dropout3d(0.1) | x)"},
    {"x=torch.randn(4, 6)", R"(nn.ReLU() | x
nn.ReLU6() | x
nn.LeakyReLU(0.2) | x
nn.PReLU() | x
nn.PReLU(6) | x
nn.RReLU() | x
nn.ELU(0.5) | x
nn.CELU() | x
nn.SELU() | x
nn.GELU() | x
nn.GELU(approximate='tanh') | x
nn.SiLU() | x
nn.Mish() | x
nn.Sigmoid() | x
nn.LogSigmoid() | x
nn.Tanh() | x
nn.Tanhshrink() | x
nn.Hardtanh(-2.0, 2.0) | x
nn.Hardsigmoid() | x
nn.Hardswish() | x
nn.Hardshrink() | x
nn.Softshrink(0.3) | x
nn.Softplus(beta=2.0) | x
nn.Softsign() | x
nn.Threshold(0.1, 20.0) | x
nn.Softmax(dim=1) | x
nn.LogSoftmax(dim=-1) | x
nn.Softmin(dim=0) | x
nn.Dropout(0.2) | x
nn.AlphaDropout() | x
nn.CosineSimilarity() | x, x
nn.PairwiseDistance() | x, x)"},
    {"x=torch.rand(4, 6), y=torch.rand(4, 6), c=torch.randint(0, 6, (4,)), s=torch.ones(4)", R"(nn.MSELoss() | x, y
nn.L1Loss(reduction='sum') | x, y
nn.SmoothL1Loss(beta=0.5) | x, y
nn.HuberLoss(delta=2.0, reduction='none') | x, y
nn.CrossEntropyLoss(label_smoothing=0.1) | x, c
nn.NLLLoss() | x, c
nn.BCELoss() | x, y
nn.BCEWithLogitsLoss(reduction='none') | x, y
nn.KLDivLoss(reduction='batchmean') | x, y
nn.HingeEmbeddingLoss(margin=0.5) | x, y
nn.MarginRankingLoss() | x, y, y
nn.CosineEmbeddingLoss() | x, y, s
nn.TripletMarginLoss(margin=0.5) | x, y, y
nn.SoftMarginLoss() | x, y
nn.PoissonNLLLoss() | x, y
nn.GaussianNLLLoss() | x, y, y)"},
    {"x=torch.randn(3, 5, 8), i=torch.randint(0, 9, (3, 5)), h=torch.randn(3, 8)", R"(nn.Embedding(9, 4) | i
nn.Embedding(num_embeddings=9, embedding_dim=4, padding_idx=0) | i
nn.LSTM(8, 6, batch_first=True) | x
nn.LSTM(8, 6, num_layers=2, bidirectional=True) | x
nn.GRU(8, 6, 2) | x
nn.RNN(8, 6, nonlinearity='relu', batch_first=True) | x
nn.LSTMCell(8, 6) | h
nn.GRUCell(8, 6) | h
nn.RNNCell(8, 6) | h
nn.MultiheadAttention(8, 2, batch_first=True) | x, x, x
nn.MultiheadAttention(8, 2, dropout=0.1) | x, x, x
nn.TransformerEncoderLayer(8, 2, 16, batch_first=True) | x)"},
};

}  // namespace

std::vector<std::string> every_layer_modules() {
  std::vector<std::string> modules;
  for (const Group& group : kGroups) {
    std::string constructor, forward, names, values;
    std::string_view inputs = group.inputs;
    while (!inputs.empty()) {
      const std::size_t equal = inputs.find('=');
      std::size_t end = equal + 1;
      for (int depth = 0; end < inputs.size() && (inputs[end] != ',' || depth > 0); ++end) {
        depth += inputs[end] == '(' ? 1 : inputs[end] == ')' ? -1 : 0;
      }
      names += ", " + std::string(inputs.substr(0, equal));
      values += std::string(inputs.substr(equal + 1, end - equal - 1)) + ", ";
      inputs.remove_prefix(std::min(inputs.size(), end + 2));
    }
    int number = 0;
    std::string_view rest = group.layers;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      const std::size_t bar = line.find(" | ");
      const std::string name = "self.layer" + std::to_string(++number);
      constructor += "        " + name + " = " + std::string(line.substr(0, bar)) + "\n";
      forward += "        y" + std::to_string(number) + " = " + name + "(" + std::string(line.substr(bar + 3)) + ")\n";
    }
    modules.push_back(
        "import torch\nimport torch.nn as nn\n\nclass Model(nn.Module):\n\n    def __init__(self):\n"
        "        super().__init__()\n" +
        constructor + "\n    def forward(self" + names + "):\n" + forward +
        "        return y1\n\ndef get_inputs():\n    return [" + values +
        "]\n\ndef get_init_inputs():\n    return []\n");
  }
  return modules;
}

}  // namespace tritonrl::teacher
