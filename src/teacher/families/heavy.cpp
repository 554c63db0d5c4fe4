#include "teacher/families/heavy.h"

namespace tritonrl::teacher {

char derived_letter(Sizes& sizes, int value) {
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    if (!sizes.known(letter)) {
      sizes.set(letter, value);
      return letter;
    }
    if (sizes[letter] == value) return letter;
  }
  TRL_CHECK(false, "more sizes than letters");
  return 'z';
}

Letters heavy_input_shape(Draw& draw, Heavy heavy) {
  switch (heavy) {
    case Heavy::kLinear:
      return Letters(draw.word({"BX", "BX", "BX", "BTX"}));
    case Heavy::kMatmul:
      return Letters(draw.word({"BX", "BTX", "TX"}));
    case Heavy::kBmm:
      return "BTX";
    case Heavy::kConv1d:
    case Heavy::kTransposed1d:
      return "BCL";
    case Heavy::kConv2d:
    case Heavy::kTransposed2d:
      return "BCHW";
    case Heavy::kConv3d:
    case Heavy::kTransposed3d:
      return "BCPHW";
  }
  return "BX";
}

namespace {

Value apply_product(Body& body, Heavy heavy, const Value& v, char out) {
  Page& page = body.page;
  Draw& draw = page.draw;
  const char in = v.shape.back();
  Value result{.text = {}, .shape = v.shape, .range = {.size = 3, .from = -8, .to = 8}, .fresh = true};
  result.shape.back() = out;
  if (heavy == Heavy::kBmm) {
    page.idioms.note("operator:bmm");
    const std::string other = page.input("y", Letters("B") + in + out, InputKind::kNormal);
    result.text = draw.chance(60)   ? "torch.bmm(" + v.text + ", " + other + ")"
                  : draw.chance(50) ? "torch.matmul(" + v.text + ", " + other + ")"
                                    : v.text + " @ " + other;
    result.range.size = 6;
    return result;
  }
  if (heavy == Heavy::kMatmul) {
    page.idioms.note("operator:matmul");
    const bool turned = draw.chance(35);
    const std::string rows = page.size_text(*body.owner, turned ? out : in),
                      columns = page.size_text(*body.owner, turned ? in : out);
    const std::string weight =
        page.attribute(*body.owner, "weight",
                       "nn.Parameter(torch.randn(" + rows + ", " + columns + ")" + (draw.chance(50) ? " * 0.1)" : ")"));
    const std::string side = weight + (turned ? std::string(draw.word({".t()", ".T", ".transpose(0, 1)"})) : "");
    result.text = draw.chance(60) ? "torch.matmul(" + v.text + ", " + side + ")" : "(" + v.text + ") @ " + side;
    result.range.size = 6;
    return result;
  }
  page.idioms.note("operator:linear");
  const std::string from = page.size_text(*body.owner, in), to = page.size_text(*body.owner, out);
  if (draw.chance(10)) {
    const std::string weight =
        page.attribute(*body.owner, "weight", "nn.Parameter(torch.randn(" + to + ", " + from + ") * 0.1)");
    const std::string bias =
        draw.chance(60) ? page.attribute(*body.owner, "bias", "nn.Parameter(torch.zeros(" + to + "))") : "";
    result.text = page.functional("linear") + "(" + v.text + ", " + weight + (bias.empty() ? "" : ", " + bias) + ")";
    return result;
  }
  const std::string made = "nn.Linear(" + from + ", " + to + (draw.chance(20) ? ", bias=False)" : ")");
  const std::string layer = page.attribute(*body.owner, draw.chance(50) ? "linear" : "fc", made);
  result.text = layer + "(" + v.text + ")";
  return result;
}

}  // namespace

Value apply_heavy(Body& body, Heavy heavy, const Value& v, char out) {
  if (heavy <= Heavy::kBmm) return apply_product(body, heavy, v, out);
  Page& page = body.page;
  Draw& draw = page.draw;
  const bool transposed = heavy >= Heavy::kTransposed1d;
  const std::size_t dims = v.shape.size() - 2;
  int least = 1 << 20;
  for (std::size_t at = 2; at < v.shape.size(); ++at) least = std::min(least, page.sizes[v.shape[at]]);
  int kernel = draw.of({1, 3, 3, 3, 5, 2, 4});
  while (kernel > least) kernel -= 2;
  kernel = std::max(1, kernel);
  int stride = draw.of({1, 1, 1, 2}),
      padding = draw.chance(50)   ? kernel / 2
                : draw.chance(30) ? 1
                                  : 0,
      dilation = 1, extra = 0;
  if (stride > kernel) stride = 1;
  if (padding * 2 > kernel) padding = kernel / 2;
  if (kernel > 1 && draw.chance(10) && 2 * (kernel - 1) + 1 <= least) dilation = 2;
  if (transposed && stride > 1 && draw.chance(30)) extra = 1;
  const int in = page.sizes[v.shape[1]], to = page.sizes[out];
  int groups = 1;
  if (draw.chance(page.surface.real ? 22 : 10)) groups = in % 2 == 0 && to % 2 == 0 ? 2 : 1;
  Value result{.text = {}, .shape = v.shape, .range = {.size = 3, .from = -8, .to = 8}, .fresh = true};
  result.shape[1] = out;
  for (std::size_t at = 2; at < v.shape.size(); ++at) {
    const int size = page.sizes[v.shape[at]];
    const int after = transposed ? (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + extra + 1
                                 : (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
    if (after < 1) return apply_heavy(body, heavy, v, out);
    if (after != size) result.shape[at] = derived_letter(page.sizes, after);
  }
  const std::string name = (transposed ? "conv_transpose" : "conv") + std::to_string(dims) + "d";
  page.idioms.note("operator:" + name);
  const std::string from_text = page.size_text(*body.owner, v.shape[1]);
  const std::string to_text = page.size_text(*body.owner, out);
  std::string constructor =
      (transposed ? "nn.ConvTranspose" : "nn.Conv") + std::to_string(dims) + "d(" + from_text + ", " + to_text + ", ";
  const std::string kernel_text = page.constructor_number(*body.owner, std::to_string(kernel), "kernel");
  constructor += (draw.chance(50) ? "kernel_size=" : "") + kernel_text;
  if (stride != 1 || draw.chance(15))
    constructor += ", stride=" + page.constructor_number(*body.owner, std::to_string(stride), "stride");
  if (padding != 0 || draw.chance(10))
    constructor += ", padding=" + page.constructor_number(*body.owner, std::to_string(padding), "padding");
  if (extra != 0) constructor += ", output_padding=1";
  if (dilation != 1) constructor += ", dilation=2";
  if (groups != 1) constructor += ", groups=2";
  if (draw.chance(20)) constructor += ", bias=False";
  const std::string layer = page.attribute(*body.owner, "conv", constructor + ")");
  result.text = layer + "(" + v.text + ")";
  return result;
}

}  // namespace tritonrl::teacher
