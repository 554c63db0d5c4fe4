#include "teacher/kernels/convolutions.h"
#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/tile.h"
#include "teacher/kernels/window.h"

namespace tritonrl::teacher {
namespace {

// Sizes and constants that both forms read; the result's extents follow.
std::vector<std::string> read_sizes(const KernelArguments& arguments, const Window& window) {
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  std::vector<std::string> host = {"C, " + window.each("@", ", ") + " = " + x + ".shape[1:]"};
  host.push_back(window.each("K@", ", ") + " = " + w + (window.axes() == 1 ? ".shape[2]" : ".shape[2:]"));
  host.push_back(arguments.unpack("stride", window.each("S@")));
  host.push_back(arguments.unpack("padding", window.each("P@")));
  host.push_back(arguments.unpack("dilation", window.each("D@")));
  append(host, window.each("O@ = (@ + 2 * P@ - D@ * (K@ - 1) - 1) // S@ + 1"));
  return host;
}

SourceKernel started(const KernelArguments& arguments, const Window& window) {
  SourceKernel out;
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  out.operands = {x, w};
  if (arguments.given("bias")) out.operands.push_back(arguments.name("bias"));
  out.shape = "(" + x + ".shape[0], " + w + ".shape[0], " + window.each("O@", ", ") + ")";
  out.host = read_sizes(arguments, window);
  return out;
}

SourceKernel gathered_product(const KernelArguments& arguments, Variant variant) {
  const Window window(axes_of(arguments.op()));
  const Shape& input = arguments.shape("input");
  const Shape& weight = arguments.shape("weight");
  std::int64_t pixels = input[0], taps = weight[1];
  for (std::size_t i = 2; i < input.size(); ++i) pixels *= input[i], taps *= weight[i];
  const bool several = !has_one_group(arguments);
  const Tile tile = choose_tile(variant, weight[0] / arguments.integer("groups", 1).value_or(1), pixels, taps);

  SourceKernel out = started(arguments, window);
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  if (several) {
    out.host.push_back("Z = " + arguments.name("groups"));
    out.host.push_back("C = " + w + ".shape[1]");
  }
  out.host.push_back("M = " + w + (several ? ".shape[0] // Z" : ".shape[0]"));
  out.host.push_back("N = " + x + ".shape[0] * " + window.each("O@", " * "));
  out.host.push_back("K = C * " + window.each("K@", " * "));
  out.host.push_back(tile.host_line());
  if (several) pass(out.arguments, {"Z"});
  pass(out.arguments, {"M", "N", "K", "C"});
  window.pass_to(out, {"K@", "S@", "P@", "D@"});
  pass(out.constants, {"BM", "BN", "BK"});
  out.grid = tile_grid(several);
  out.options = tile.options;

  out.kernel = tile_indices(tile, several);
  // With several groups n counts the groups of all images.
  out.kernel.push_back("n = " + window.outside("cols", "O") + (several ? " * Z + z" : ""));
  append(out.kernel, window.each_index("$ = # * S@ - P@", "cols", "O"));
  out.kernel.push_back("acc = tl.zeros((BM, BN), dtype=tl.float32)");
  out.kernel.push_back("for k in range(0, K, BK):");
  std::vector<std::string> body = {"ks = k + tl.arange(0, BK)"};
  body.push_back("c = (n * C)[None, :] + (" + window.outside("ks", "K") + ")[:, None]");
  append(body, window.each_index("x$ = $[None, :] + (# * D@)[:, None]", "ks", "K"));
  body.push_back("inside = (ks[:, None] < K) & (cols[None, :] < N) & " + window.in_input());
  body.push_back("a = " +
                 load(w, several ? "(z * M + rows[:, None]) * K + ks[None, :]" : "rows[:, None] * K + ks[None, :]",
                      "(rows[:, None] < M) & (ks[None, :] < K)"));
  body.push_back("b = " + load(x, window.input_offset("c"), "inside"));
  body.push_back("acc += tl.dot(a, b, input_precision='" + tile.precision + "')");
  append(out.kernel, indented(body));
  const std::string area = product(window.each("O@"));
  out.kernel.push_back("o = ((n * M)[None, :] + rows[:, None]) * " + area + " + (cols % " + area + ")[None, :]");
  out.kernel.push_back("m = (rows[:, None] < M) & (cols[None, :] < N)");
  if (arguments.given("bias")) {
    out.kernel.push_back("acc += " + load(arguments.name("bias"), several ? "z * M + rows" : "rows", "rows < M") +
                         "[:, None]");
  }
  return out;
}

// M: output channels of a group, C: input channels of a group.
SourceKernel direct_sum(const KernelArguments& arguments, Variant variant) {
  const Window window(axes_of(arguments.op()));
  SourceKernel out = started(arguments, window);
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  out.host.push_back("C = " + w + ".shape[1]");
  out.host.push_back("O = " + w + ".shape[0]");
  out.host.push_back("M = O // " + arguments.name("groups"));
  out.host.push_back("N = " + x + ".shape[0] * O * " + window.each("O@", " * "));
  out.host.push_back("BLOCK = 256");
  pass(out.arguments, {"M", "N", "O", "C"});
  window.pass_to(out, {"K@", "S@", "P@", "D@"});
  pass(out.constants, {"BLOCK"});
  out.grid = "(triton.cdiv(N, BLOCK),)";

  out.kernel = {"o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)", "m = o < N"};
  out.kernel.push_back("f = " + window.outside("o", "O") + " % O");
  std::vector<std::string> group = window.each("O@");
  group.insert(group.begin(), "M");
  out.kernel.push_back("n = o // " + product(group));
  append(out.kernel, window.each_index("$ = # * S@ - P@", "o", "O"));
  out.kernel.push_back("acc = tl.zeros((BLOCK,), dtype=tl.float32)");
  out.kernel.push_back("for c in range(C):");
  std::vector<std::string> body = window.each("x$ = $ + k$ * D@");
  body.push_back("inside = m & " + window.in_input());
  std::vector<std::string> indices = window.each("k$"), sizes = window.each("K@");
  indices.insert(indices.begin(), {"f", "c"});
  sizes.insert(sizes.begin(), {"", "C"});
  body.push_back("a = " + load(w, offset_of(indices, sizes), "m"));
  body.push_back("b = " + load(x, window.input_offset("(n * C + c)"), "inside"));
  body.push_back("acc += a * b");
  append(out.kernel, indented(window.loops(body, variant == Variant::kFast)));
  if (arguments.given("bias")) out.kernel.push_back("acc += " + load(arguments.name("bias"), "f", "m"));
  return out;
}

}  // namespace

std::size_t axes_of(std::string_view op) {
  for (const char c : op) {
    if (c >= '1' && c <= '3') return static_cast<std::size_t>(c - '0');
  }
  return 0;
}

bool is_plain_convolution(const KernelArguments& arguments) {
  const std::size_t axes = axes_of(arguments.op());
  if (axes == 0 || !arguments.is_float("input") || !arguments.is_float("weight")) return false;
  if (arguments.given("bias") && !arguments.is_float("bias")) return false;
  if (arguments.shape("input").size() != axes + 2 || arguments.shape("weight").size() != axes + 2) return false;
  const Fact* mode = arguments.fact("padding_mode");
  if (mode != nullptr && (mode->kind != Fact::Kind::kText || mode->text != "zeros")) return false;
  for (const char* parameter : {"stride", "padding", "dilation"}) {
    if (!arguments.is_per_axis(parameter, axes)) return false;
  }
  const Fact* groups = arguments.fact("groups");
  return groups != nullptr && groups->kind == Fact::Kind::kInt;
}

bool has_one_group(const KernelArguments& arguments) {
  return arguments.integer("groups", 1) == 1;
}

std::optional<SourceKernel> convolution_kernel(const KernelArguments& arguments, Variant variant) {
  if (!is_plain_convolution(arguments)) return std::nullopt;
  const std::int64_t groups = arguments.integer("groups", 1).value_or(1);
  const bool narrow = groups > 1 && arguments.shape("weight")[0] <= kNarrow * groups;
  return narrow ? direct_sum(arguments, variant) : gathered_product(arguments, variant);
}

}  // namespace tritonrl::teacher
