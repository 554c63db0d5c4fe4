#include <algorithm>

#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/operator_kernels.h"
#include "teacher/kernels/tile.h"
#include "teacher/kernels/window.h"

namespace tritonrl::teacher {
namespace {

bool is_everywhere(const Fact& fact, std::int64_t number) {
  if (fact.kind == Fact::Kind::kInt) return fact.constant && fact.integer == number;
  return fact.kind == Fact::Kind::kList && !fact.items.empty() &&
         std::ranges::all_of(fact.items, [&](const Fact& item) { return is_everywhere(item, number); });
}

// What the sum of a window is divided by.
enum class Divisor : std::uint8_t { kWindow, kInput, kPadded };

Divisor divisor_of(const KernelArguments& arguments) {
  const bool padded = !is_everywhere(*arguments.fact("padding"), 0);
  const bool ceiling = !arguments.is_false("ceil_mode");
  if (!padded && !ceiling) return Divisor::kWindow;
  if (arguments.is_false("count_include_pad")) return Divisor::kInput;
  // A window reaches beyond the padding only where the result is rounded up.
  return ceiling ? Divisor::kPadded : Divisor::kWindow;
}

// What begins both kinds; the result's extents follow.
SourceKernel begin_pooling(const std::string& x, const Window& window) {
  const std::string axes = std::to_string(window.axes());
  SourceKernel out;
  out.operands = {x};
  out.shape = "(*" + x + ".shape[:-" + axes + "], " + window.each("O@", ", ") + ")";
  out.host.push_back(window.axes() == 1 ? "W = " + x + ".shape[-1]"
                                        : window.each("@", ", ") + " = " + x + ".shape[-" + axes + ":]");
  return out;
}

void count_results(SourceKernel& out, const std::string& x, const Window& window) {
  out.host.push_back("N = " + x + ".numel() // " + product(window.each("@")) + " * " + window.each("O@", " * "));
  pass(out.arguments, {"N"});
}

constexpr const char* kLowest = "float('-inf')";

std::string no_value(bool maximum, const std::string& size) {
  return maximum ? "acc = tl.full((" + size + ",), " + kLowest + ", tl.float32)"
                 : "acc = tl.zeros((" + size + ",), dtype=tl.float32)";
}

// Of one position of the window: its value, and what it does to the result.
void take_position(std::vector<std::string>& body, const std::string& x, const Window& window, bool maximum) {
  body.push_back("a = " + load(x, window.input_offset("c"), "inside", maximum ? kLowest : "0.0"));
  body.push_back(maximum ? "acc = tl.maximum(acc, a)" : "acc += a");
}

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

// Everything is one window: a reduction of rows.
SourceKernel whole(const KernelArguments& arguments, const Window& window, bool maximum, const Schedule& schedule) {
  const std::string& x = arguments.name("input");
  const std::string axes = std::to_string(window.axes());
  std::vector<std::string> ones(window.axes(), "1");
  std::vector<std::string> sizes;
  for (std::size_t i = window.axes(); i > 0; --i) sizes.push_back(x + ".shape[-" + std::to_string(i) + "]");
  const bool fast = schedule.variant == Variant::kFast;
  SourceKernel out;
  out.operands = {x};
  out.shape = "(*" + x + ".shape[:-" + axes + "], " + joined(ones, ", ") + ")";
  out.host = {"K = " + joined(sizes, " * "), "M = " + x + ".numel() // K",
              sum_tile(schedule, fast ? Tile{.rows = 4, .ks = 512} : Tile{.rows = 16, .ks = 128}, out.taken)};
  out.taken.warps = schedule.warps;
  pass(out.arguments, {"M", "K"});
  pass(out.constants, {"BM", "BK"});
  out.grid = "(triton.cdiv(M, BM),)";

  out.kernel = {"rows = tl.program_id(0) * BM + tl.arange(0, BM)"};
  out.kernel.push_back(no_value(maximum, "BM"));
  out.kernel.push_back("for k in range(0, K, BK):");
  std::vector<std::string> body = {"ks = k + tl.arange(0, BK)"};
  body.push_back("a = " + load(x, "rows[:, None] * K + ks[None, :]", "(rows[:, None] < M) & (ks[None, :] < K)",
                               maximum ? kLowest : "0.0"));
  body.push_back(maximum ? "acc = tl.maximum(acc, tl.max(a, 1))" : "acc += tl.sum(a, 1)");
  append(out.kernel, indented(body));
  if (!maximum) out.kernel.push_back("acc = acc / K");
  out.kernel.push_back("o = rows");
  out.kernel.push_back("m = rows < M");
  return out;
}

}  // namespace

std::optional<SourceKernel> pooling_kernel(const KernelArguments& arguments, const Schedule& schedule) {
  const std::size_t axes = axes_of(arguments.op());
  const bool maximum = arguments.op().starts_with("max");
  if (axes == 0 || !arguments.is_float("input") || arguments.shape("input").size() < axes + 1) return std::nullopt;
  if (!arguments.is_false("return_indices") || arguments.given("divisor_override")) return std::nullopt;
  if (!arguments.integer("ceil_mode", 0) || !arguments.integer("count_include_pad", 1)) return std::nullopt;
  for (const char* parameter : {"kernel_size", "stride", "padding", "dilation"}) {
    if (arguments.given(parameter) && !arguments.is_per_axis(parameter, axes)) return std::nullopt;
  }
  if (!arguments.given("kernel_size") || !arguments.given("padding")) return std::nullopt;

  const Window window(axes);
  const bool dilated = arguments.given("dilation");
  const std::string& x = arguments.name("input");
  SourceKernel out = begin_pooling(x, window);
  out.host.push_back(arguments.unpack("kernel_size", window.each("K@")));
  out.host.push_back(arguments.unpack(arguments.given("stride") ? "stride" : "kernel_size", window.each("S@")));
  out.host.push_back(arguments.unpack("padding", window.each("P@")));
  if (dilated) out.host.push_back(arguments.unpack("dilation", window.each("D@")));
  const std::string reach = dilated ? "@ + 2 * P@ - D@ * (K@ - 1) - 1" : "@ + 2 * P@ - K@";
  append(out.host,
         window.each(arguments.is_false("ceil_mode") ? "O@ = (" + reach + ") // S@ + 1"
                                                     : "O@ = min(-(-(" + reach + ") // S@), (@ + P@ - 1) // S@) + 1"));
  count_results(out, x, window);
  window.pass_to(out, dilated ? std::vector<std::string_view>{"K@", "S@", "P@", "D@"}
                              : std::vector<std::string_view>{"K@", "S@", "P@"});
  begin_elements(out, schedule);
  const Divisor divisor = maximum ? Divisor::kWindow : divisor_of(arguments);
  out.kernel.push_back("c = (" + window.outside("o", "O") + ").to(tl.int64)");
  append(out.kernel, window.each_index("$ = # * S@ - P@", "o", "O"));
  out.kernel.push_back(no_value(maximum, "BLOCK"));
  if (divisor != Divisor::kWindow) out.kernel.push_back("count = tl.zeros((BLOCK,), dtype=tl.float32)");

  std::vector<std::string> body = window.each(dilated ? "x$ = $ + k$ * D@" : "x$ = $ + k$");
  body.push_back("inside = m & " + window.in_input());
  take_position(body, x, window, maximum);
  if (divisor == Divisor::kInput) body.push_back("count += inside.to(tl.float32)");
  if (divisor == Divisor::kPadded) {
    body.push_back("count += (" + window.each("(x$ < @ + P@)", " & ") + ").to(tl.float32)");
    if (axes == 1) body.back() = "count += (xw < W + PW).to(tl.float32)";
  }
  append(out.kernel, window.loops(body, unrolls(out, schedule)));
  if (!maximum) {
    out.kernel.push_back("acc = acc / " + (divisor == Divisor::kWindow ? product(window.each("K@")) : "count"));
  }
  return out;
}

std::optional<SourceKernel> adaptive_pooling_kernel(const KernelArguments& arguments, const Schedule& schedule) {
  const std::size_t axes = axes_of(arguments.op());
  const bool maximum = arguments.op().starts_with("adaptive_max");
  if (axes == 0 || !arguments.is_float("input") || arguments.shape("input").size() < axes + 1) return std::nullopt;
  if (!arguments.is_false("return_indices") || !arguments.given("output_size")) return std::nullopt;
  const Window window(axes);
  if (is_everywhere(*arguments.fact("output_size"), 1)) return whole(arguments, window, maximum, schedule);
  const std::vector<std::string> extents = extents_of(arguments, window);
  if (extents.empty()) return std::nullopt;

  const std::string& x = arguments.name("input");
  SourceKernel out = begin_pooling(x, window);
  const std::vector<std::string> names = window.each("O@");
  for (std::size_t i = 0; i < axes; ++i) out.host.push_back(names[i] + " = " + extents[i]);
  // The longest window: one more where the sizes do not divide.
  append(out.host, window.each("K@ = triton.cdiv(@, O@) + (@ % O@ > 0)"));
  count_results(out, x, window);
  window.pass_to(out, {"K@"});
  begin_elements(out, schedule);
  out.kernel.push_back("c = (" + window.outside("o", "O") + ").to(tl.int64)");
  append(out.kernel, window.each_index("$ = #", "o", "O"));
  append(out.kernel, window.each("$0 = $ * @ // O@"));
  append(out.kernel, window.each("$1 = (($ + 1) * @ + O@ - 1) // O@"));
  out.kernel.push_back(no_value(maximum, "BLOCK"));
  std::vector<std::string> body = window.each("x$ = $0 + k$");
  body.push_back("inside = m & " + window.each("(x$ < $1)", " & "));
  take_position(body, x, window, maximum);
  append(out.kernel, window.loops(body, false));
  if (!maximum) out.kernel.push_back("acc = acc / " + product(window.each("($1 - $0)")));
  return out;
}

}  // namespace tritonrl::teacher
