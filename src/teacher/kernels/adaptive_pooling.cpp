#include "teacher/kernels/convolutions.h"
#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/poolings.h"
#include "teacher/kernels/window.h"

namespace tritonrl::teacher {
namespace {

// The result's extents as expressions: numbers, parts of a tuple, the input's own for None. Empty: not known.
std::vector<std::string> extents_of(const KernelArguments& arguments, const Window& window) {
  const Fact& size = *arguments.fact("output_size");
  const std::string& name = arguments.name("output_size");
  const std::vector<std::string> input = window.each("@");
  std::vector<std::string> out;
  for (std::size_t i = 0; i < window.axes(); ++i) {
    if (size.kind == Fact::Kind::kInt) {
      out.push_back(name);
    } else if (size.kind != Fact::Kind::kList || (size.items.size() != window.axes() && size.items.size() != 1)) {
      return {};
    } else {
      const std::size_t at = size.items.size() == 1 ? 0 : i;
      const Fact::Kind kind = size.items[at].kind;
      if (kind != Fact::Kind::kInt && kind != Fact::Kind::kNone) return {};
      out.push_back(kind == Fact::Kind::kNone ? input[i] : name + "[" + std::to_string(at) + "]");
    }
  }
  return out;
}

bool is_one_everywhere(const Fact& size) {
  if (size.kind == Fact::Kind::kInt) return size.constant && size.integer == 1;
  if (size.kind != Fact::Kind::kList || size.items.empty()) return false;
  for (const Fact& item : size.items) {
    if (!is_one_everywhere(item)) return false;
  }
  return true;
}

// Everything is one window: a reduction of rows.
SourceKernel whole(const KernelArguments& arguments, const Window& window, bool maximum, Variant variant) {
  const std::string& x = arguments.name("input");
  const std::string axes = std::to_string(window.axes());
  std::vector<std::string> ones(window.axes(), "1");
  std::vector<std::string> sizes;
  for (std::size_t i = window.axes(); i > 0; --i) sizes.push_back(x + ".shape[-" + std::to_string(i) + "]");
  SourceKernel out;
  out.operands = {x};
  out.shape = "(*" + x + ".shape[:-" + axes + "], " + joined(ones, ", ") + ")";
  out.host = {"K = " + joined(sizes, " * "), "M = " + x + ".numel() // K",
              variant == Variant::kFast ? "BM, BK = (4, 512)" : "BM, BK = (16, 128)"};
  pass(out.arguments, {"M", "K"});
  pass(out.constants, {"BM", "BK"});
  out.grid = "(triton.cdiv(M, BM),)";

  const std::string lowest = "float('-inf')";
  out.kernel = {"rows = tl.program_id(0) * BM + tl.arange(0, BM)"};
  out.kernel.push_back(maximum ? "acc = tl.full((BM,), " + lowest + ", tl.float32)"
                               : "acc = tl.zeros((BM,), dtype=tl.float32)");
  out.kernel.push_back("for k in range(0, K, BK):");
  std::vector<std::string> body = {"ks = k + tl.arange(0, BK)"};
  body.push_back("a = " + load(x, "rows[:, None] * K + ks[None, :]", "(rows[:, None] < M) & (ks[None, :] < K)",
                               maximum ? lowest : "0.0"));
  body.push_back(maximum ? "acc = tl.maximum(acc, tl.max(a, 1))" : "acc += tl.sum(a, 1)");
  append(out.kernel, indented(body));
  if (!maximum) out.kernel.push_back("acc = acc / K");
  out.kernel.push_back("o = rows");
  out.kernel.push_back("m = rows < M");
  return out;
}

}  // namespace

std::optional<SourceKernel> adaptive_pooling_kernel(const KernelArguments& arguments, Variant variant) {
  const std::size_t axes = axes_of(arguments.op());
  const bool maximum = arguments.op().starts_with("adaptive_max");
  if (axes == 0 || !arguments.is_float("input") || arguments.shape("input").size() < axes + 1) return std::nullopt;
  if (!arguments.is_false("return_indices") || !arguments.given("output_size")) return std::nullopt;
  const Window window(axes);
  if (is_one_everywhere(*arguments.fact("output_size"))) return whole(arguments, window, maximum, variant);
  const std::vector<std::string> extents = extents_of(arguments, window);
  if (extents.empty()) return std::nullopt;

  const std::string& x = arguments.name("input");
  SourceKernel out;
  out.operands = {x};
  out.shape = "(*" + x + ".shape[:-" + std::to_string(axes) + "], " + window.each("O@", ", ") + ")";
  out.host.push_back(axes == 1 ? "W = " + x + ".shape[-1]"
                               : window.each("@", ", ") + " = " + x + ".shape[-" + std::to_string(axes) + ":]");
  const std::vector<std::string> names = window.each("O@");
  for (std::size_t i = 0; i < axes; ++i) out.host.push_back(names[i] + " = " + extents[i]);
  // The longest window: one more where the sizes do not divide.
  append(out.host, window.each("K@ = triton.cdiv(@, O@) + (@ % O@ > 0)"));
  out.host.push_back(axes == 1
                         ? "N = " + x + ".numel() // W * OW"
                         : "N = " + x + ".numel() // (" + window.each("@", " * ") + ") * " + window.each("O@", " * "));
  out.host.push_back("BLOCK = 256");
  pass(out.arguments, {"N"});
  window.pass_to(out, {"K@"});
  pass(out.constants, {"BLOCK"});
  out.grid = "(triton.cdiv(N, BLOCK),)";

  const std::string lowest = "float('-inf')";
  out.kernel = {"o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)", "m = o < N"};
  out.kernel.push_back("c = (" + window.outside("o", "O") + ").to(tl.int64)");
  append(out.kernel, window.each_index("$ = #", "o", "O"));
  append(out.kernel, window.each("$0 = $ * @ // O@"));
  append(out.kernel, window.each("$1 = (($ + 1) * @ + O@ - 1) // O@"));
  out.kernel.push_back(maximum ? "acc = tl.full((BLOCK,), " + lowest + ", tl.float32)"
                               : "acc = tl.zeros((BLOCK,), dtype=tl.float32)");
  std::vector<std::string> body = window.each("x$ = $0 + k$");
  body.push_back("inside = m & " + window.each("(x$ < $1)", " & "));
  body.push_back("a = " + load(x, window.input_offset("c"), "inside", maximum ? lowest : "0.0"));
  body.push_back(maximum ? "acc = tl.maximum(acc, a)" : "acc += a");
  append(out.kernel, window.loops(body, false));
  if (!maximum) out.kernel.push_back("acc = acc / " + product(window.each("($1 - $0)")));
  return out;
}

}  // namespace tritonrl::teacher
