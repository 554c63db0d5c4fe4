#include "teacher/kernels/convolutions.h"
#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/tile.h"
#include "teacher/kernels/window.h"

namespace tritonrl::teacher {
namespace {

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

std::vector<std::string> read_sizes(const KernelArguments& arguments, const Window& window) {
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  std::vector<std::string> host = {"C, " + window.each("@", ", ") + " = " + x + ".shape[1:]"};
  host.push_back(window.each("K@", ", ") + " = " + w + (window.axes() == 1 ? ".shape[2]" : ".shape[2:]"));
  host.push_back(arguments.unpack("stride", window.each("S@")));
  host.push_back(arguments.unpack("padding", window.each("P@")));
  host.push_back(arguments.unpack("dilation", window.each("D@")));
  const std::vector<std::string> extents =
      window.each("O@ = (@ - 1) * S@ - 2 * P@ + D@ * (K@ - 1) + output_padding + 1");
  for (std::size_t i = 0; i < extents.size(); ++i) {
    host.push_back(replaced(extents[i], "output_padding", arguments.part("output_padding", i)));
  }
  return host;
}

SourceKernel started(const KernelArguments& arguments, const Window& window) {
  SourceKernel out;
  out.operands = {arguments.name("input"), arguments.name("weight")};
  if (arguments.given("bias")) out.operands.push_back(arguments.name("bias"));
  out.host = read_sizes(arguments, window);
  return out;
}

// A position is one of the input where the stride divides it; x$ is then the input's.
std::string in_input(const Window& window) {
  return window.each("(t$ >= 0) & (t$ % S@ == 0) & (x$ < @)", " & ");
}

SourceKernel gathered_product(const KernelArguments& arguments, Variant variant) {
  const Window window(axes_of(arguments.op()));
  const Shape& input = arguments.shape("input");
  const Shape& weight = arguments.shape("weight");
  std::int64_t pixels = input[0], taps = weight[0];
  for (std::size_t i = 2; i < input.size(); ++i) pixels *= input[i], taps *= weight[i];
  const bool several = !has_one_group(arguments);
  const Tile tile = choose_tile(variant, weight[1], pixels, taps);

  SourceKernel out = started(arguments, window);
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  if (several) {
    out.host.push_back("Z = " + arguments.name("groups"));
    out.host.push_back("C = C // Z");
  }
  out.host.push_back("M = " + w + ".shape[1]");
  out.host.push_back("N = " + x + ".shape[0] * " + window.each("O@", " * "));
  out.host.push_back("K = C * " + window.each("K@", " * "));
  out.host.push_back(tile.host_line());
  out.shape = "(" + x + ".shape[0], M" + (several ? " * Z, " : ", ") + window.each("O@", ", ") + ")";
  if (several) pass(out.arguments, {"Z"});
  pass(out.arguments, {"M", "N", "K", "C"});
  window.pass_to(out, {"K@", "S@", "P@", "D@"});
  pass(out.constants, {"BM", "BN", "BK"});
  out.grid = tile_grid(several);
  out.options = tile.options;

  out.kernel = tile_indices(tile, several);
  // With several groups n counts the groups of all images.
  out.kernel.push_back("n = " + window.outside("cols", "O") + (several ? " * Z + z" : ""));
  append(out.kernel, window.each_index("$ = # + P@", "cols", "O"));
  out.kernel.push_back("acc = tl.zeros((BM, BN), dtype=tl.float32)");
  out.kernel.push_back("for k in range(0, K, BK):");
  const std::string taps_of_window = product(window.each("K@"));
  std::vector<std::string> body = {"ks = k + tl.arange(0, BK)"};
  body.push_back("c = " + window.outside("ks", "K"));
  append(body, window.each_index("t$ = $[None, :] - (# * D@)[:, None]", "ks", "K"));
  append(body, window.each("x$ = t$ // S@"));
  body.push_back("inside = (ks[:, None] < K) & (cols[None, :] < N) & " + in_input(window));
  body.push_back("a = " + load(w,
                               (several ? "((z * C + c[None, :]) * M + rows[:, None]) * "
                                        : "(c[None, :] * M + rows[:, None]) * ") +
                                   taps_of_window + " + (ks % " + taps_of_window + ")[None, :]",
                               "(rows[:, None] < M) & (ks[None, :] < K)"));
  body.push_back("b = " + load(x, window.input_offset("((n * C)[None, :] + c[:, None])"), "inside"));
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
  out.host.push_back("C = " + x + ".shape[1] // " + arguments.name("groups"));
  out.host.push_back("M = " + w + ".shape[1]");
  out.host.push_back("O = M * " + arguments.name("groups"));
  out.host.push_back("N = " + x + ".shape[0] * O * " + window.each("O@", " * "));
  out.host.push_back("BLOCK = 256");
  out.shape = "(" + x + ".shape[0], O, " + window.each("O@", ", ") + ")";
  pass(out.arguments, {"M", "N", "O", "C"});
  window.pass_to(out, {"K@", "S@", "P@", "D@"});
  pass(out.constants, {"BLOCK"});
  out.grid = "(triton.cdiv(N, BLOCK),)";

  out.kernel = {"o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)", "m = o < N"};
  out.kernel.push_back("f = " + window.outside("o", "O") + " % O");
  std::vector<std::string> group = window.each("O@");
  group.insert(group.begin(), "M");
  out.kernel.push_back("n = o // " + product(group));
  append(out.kernel, window.each_index("$ = # + P@", "o", "O"));
  out.kernel.push_back("acc = tl.zeros((BLOCK,), dtype=tl.float32)");
  out.kernel.push_back("for c in range(C):");
  std::vector<std::string> body = window.each("t$ = $ - k$ * D@");
  append(body, window.each("x$ = t$ // S@"));
  body.push_back("inside = m & " + in_input(window));
  std::vector<std::string> indices = window.each("k$"), sizes = window.each("K@");
  indices.insert(indices.begin(), {"(f // M * C + c)", "f % M"});
  sizes.insert(sizes.begin(), {"", "M"});
  body.push_back("a = " + load(w, offset_of(indices, sizes), "m"));
  body.push_back("b = " + load(x, window.input_offset("(n * C + c)"), "inside"));
  body.push_back("acc += a * b");
  append(out.kernel, indented(window.loops(body, variant == Variant::kFast)));
  if (arguments.given("bias")) out.kernel.push_back("acc += " + load(arguments.name("bias"), "f", "m"));
  return out;
}

}  // namespace

std::optional<SourceKernel> transposed_convolution_kernel(const KernelArguments& arguments, Variant variant) {
  if (!is_plain_convolution(arguments)) return std::nullopt;
  if (!arguments.is_per_axis("output_padding", axes_of(arguments.op()))) return std::nullopt;
  const bool narrow = !has_one_group(arguments) && arguments.shape("weight")[1] <= kNarrow;
  return narrow ? direct_sum(arguments, variant) : gathered_product(arguments, variant);
}

}  // namespace tritonrl::teacher
