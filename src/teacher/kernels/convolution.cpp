#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/operator_kernels.h"
#include "teacher/kernels/tile.h"
#include "teacher/kernels/window.h"

namespace tritonrl::teacher {
namespace {

// A transposed convolution is the other one run backwards: each result gathers the inputs whose windows reach it. Its
// weight has the input's channels first. M: output channels of a group, C: input channels of a group.
struct Form {
  bool transposed;
  Window window;
  // From a result's index to the first position of its window.
  std::string first() const { return transposed ? "$ = # + P@" : "$ = # * S@ - P@"; }
  // Whether a position is one of the input: of a transposed convolution where the stride divides it; x$ is then the
  // input's.
  std::string in_input() const {
    return transposed ? window.each("(t$ >= 0) & (t$ % S@ == 0) & (x$ < @)", " & ") : window.in_input();
  }
};

// Sizes and constants that all read; the result's extents follow.
std::vector<std::string> read_sizes(const KernelArguments& arguments, const Form& form) {
  const Window& window = form.window;
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  std::vector<std::string> host = {"C, " + window.each("@", ", ") + " = " + x + ".shape[1:]"};
  host.push_back(window.each("K@", ", ") + " = " + w + (window.axes() == 1 ? ".shape[2]" : ".shape[2:]"));
  host.push_back(arguments.unpack("stride", window.each("S@")));
  host.push_back(arguments.unpack("padding", window.each("P@")));
  host.push_back(arguments.unpack("dilation", window.each("D@")));
  if (!form.transposed) {
    append(host, window.each("O@ = (@ + 2 * P@ - D@ * (K@ - 1) - 1) // S@ + 1"));
    return host;
  }
  const std::vector<std::string> extents = window.each("O@ = (@ - 1) * S@ - 2 * P@ + D@ * (K@ - 1) + ");
  for (std::size_t i = 0; i < extents.size(); ++i) {
    host.push_back(extents[i] + arguments.part("output_padding", i) + " + 1");
  }
  return host;
}

SourceKernel started(const KernelArguments& arguments, const Form& form, const std::string& channels) {
  SourceKernel out;
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  out.operands = {x, w};
  if (arguments.given("bias")) out.operands.push_back(arguments.name("bias"));
  out.shape = "(" + x + ".shape[0], " + (form.transposed ? channels : w + ".shape[0]") + ", " +
              form.window.each("O@", ", ") + ")";
  out.host = read_sizes(arguments, form);
  return out;
}

SourceKernel gathered_product(const KernelArguments& arguments, const Form& form, const Schedule& schedule) {
  const Window& window = form.window;
  const bool transposed = form.transposed;
  const Shape& input = arguments.shape("input");
  const Shape& weight = arguments.shape("weight");
  std::int64_t pixels = input[0], taps = weight[transposed ? 0 : 1];
  for (std::size_t i = 2; i < input.size(); ++i) pixels *= input[i], taps *= weight[i];
  const bool several = !has_one_group(arguments);
  const std::int64_t channels = transposed ? weight[1] : weight[0] / arguments.integer("groups", 1).value_or(1);
  const Tile tile = choose_tile(schedule, channels, pixels, taps);

  SourceKernel out = started(arguments, form, several ? "M * Z" : "M");
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  if (several) {
    out.host.push_back("Z = " + arguments.name("groups"));
    out.host.push_back("C = " + (transposed ? "C // Z" : w + ".shape[1]"));
  }
  out.host.push_back("M = " + w + (transposed ? ".shape[1]" : several ? ".shape[0] // Z" : ".shape[0]"));
  out.host.push_back("N = " + x + ".shape[0] * " + window.each("O@", " * "));
  out.host.push_back("K = C * " + window.each("K@", " * "));
  out.host.push_back(tile.host_line());
  if (several) pass(out.arguments, {"Z"});
  pass(out.arguments, {"M", "N", "K", "C"});
  window.pass_to(out, {"K@", "S@", "P@", "D@"});
  pass(out.constants, {"BM", "BN", "BK"});
  out.grid = tile_grid(several);
  out.taken = tile.taken;

  out.kernel = tile_indices(tile, several);
  // With several groups n counts the groups of all images.
  out.kernel.push_back("n = " + window.outside("cols", "O") + (several ? " * Z + z" : ""));
  append(out.kernel, window.each_index(form.first(), "cols", "O"));
  out.kernel.push_back("acc = tl.zeros((BM, BN), dtype=tl.float32)");
  out.kernel.push_back("for k in range(0, K, BK):");
  std::vector<std::string> body = {"ks = k + tl.arange(0, BK)"};
  std::string tap, plane;
  if (transposed) {
    const std::string taps_of_window = product(window.each("K@"));
    body.push_back("c = " + window.outside("ks", "K"));
    append(body, window.each_index("t$ = $[None, :] - (# * D@)[:, None]", "ks", "K"));
    append(body, window.each("x$ = t$ // S@"));
    tap = (several ? "((z * C + c[None, :]) * M + rows[:, None]) * " : "(c[None, :] * M + rows[:, None]) * ") +
          taps_of_window + " + (ks % " + taps_of_window + ")[None, :]";
    plane = "((n * C)[None, :] + c[:, None])";
  } else {
    body.push_back("c = (n * C)[None, :] + (" + window.outside("ks", "K") + ")[:, None]");
    append(body, window.each_index("x$ = $[None, :] + (# * D@)[:, None]", "ks", "K"));
    tap = several ? "(z * M + rows[:, None]) * K + ks[None, :]" : "rows[:, None] * K + ks[None, :]";
    plane = "c";
  }
  body.push_back("inside = (ks[:, None] < K) & (cols[None, :] < N) & " + form.in_input());
  body.push_back("a = " + load(w, tap, "(rows[:, None] < M) & (ks[None, :] < K)"));
  body.push_back("b = " + load(x, window.input_offset(plane), "inside"));
  body.push_back("acc += tl.dot(a, b, input_precision='" + std::string(base::enum_name(*tile.taken.dot)) + "')");
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

SourceKernel direct_sum(const KernelArguments& arguments, const Form& form, const Schedule& schedule) {
  const Window& window = form.window;
  SourceKernel out = started(arguments, form, "O");
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  const std::string& groups = arguments.name("groups");
  if (form.transposed) {
    append(out.host, {"C = " + x + ".shape[1] // " + groups, "M = " + w + ".shape[1]", "O = M * " + groups});
  } else {
    append(out.host, {"C = " + w + ".shape[1]", "O = " + w + ".shape[0]", "M = O // " + groups});
  }
  out.host.push_back("N = " + x + ".shape[0] * O * " + window.each("O@", " * "));
  pass(out.arguments, {"M", "N", "O", "C"});
  window.pass_to(out, {"K@", "S@", "P@", "D@"});
  begin_elements(out, schedule);
  out.kernel.push_back("f = " + window.outside("o", "O") + " % O");
  std::vector<std::string> group = window.each("O@");
  group.insert(group.begin(), "M");
  out.kernel.push_back("n = o // " + product(group));
  append(out.kernel, window.each_index(form.first(), "o", "O"));
  out.kernel.push_back("acc = tl.zeros((BLOCK,), dtype=tl.float32)");
  out.kernel.push_back("for c in range(C):");
  std::vector<std::string> body = window.each(form.transposed ? "t$ = $ - k$ * D@" : "x$ = $ + k$ * D@");
  if (form.transposed) append(body, window.each("x$ = t$ // S@"));
  body.push_back("inside = m & " + form.in_input());
  std::vector<std::string> indices = window.each("k$"), sizes = window.each("K@");
  if (form.transposed) {
    indices.insert(indices.begin(), {"(f // M * C + c)", "f % M"});
  } else {
    indices.insert(indices.begin(), {"f", "c"});
  }
  sizes.insert(sizes.begin(), {"", form.transposed ? "M" : "C"});
  body.push_back("a = " + load(w, offset_of(indices, sizes), "m"));
  body.push_back("b = " + load(x, window.input_offset("(n * C + c)"), "inside"));
  body.push_back("acc += a * b");
  append(out.kernel, indented(window.loops(body, unrolls(out, schedule))));
  if (arguments.given("bias")) out.kernel.push_back("acc += " + load(arguments.name("bias"), "f", "m"));
  return out;
}

// Whether both kinds can be written with these arguments.
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

}  // namespace

bool has_one_group(const KernelArguments& arguments) {
  return arguments.integer("groups", 1) == 1;
}

std::optional<SourceKernel> convolution_kernel(const KernelArguments& arguments, const Schedule& schedule) {
  const std::size_t axes = axes_of(arguments.op());
  const bool transposed = arguments.op().starts_with("conv_transpose");
  if (!is_plain_convolution(arguments)) return std::nullopt;
  if (transposed && !arguments.is_per_axis("output_padding", axes)) return std::nullopt;
  const Form form{transposed, Window(axes)};
  const std::int64_t groups = arguments.integer("groups", 1).value_or(1);
  const Shape& weight = arguments.shape("weight");
  const bool narrow = transposed ? !has_one_group(arguments) && weight[1] <= kNarrowGroup
                                 : groups > 1 && weight[0] <= kNarrowGroup * groups;
  return narrow ? direct_sum(arguments, form, schedule) : gathered_product(arguments, form, schedule);
}

}  // namespace tritonrl::teacher
