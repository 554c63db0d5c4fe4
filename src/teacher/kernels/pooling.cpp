#include "teacher/kernels/convolutions.h"
#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/poolings.h"
#include "teacher/kernels/window.h"

namespace tritonrl::teacher {
namespace {

bool is_zero_everywhere(const Fact* fact) {
  if (fact == nullptr) return true;
  if (fact->kind == Fact::Kind::kInt) return fact->constant && fact->integer == 0;
  if (fact->kind != Fact::Kind::kList) return false;
  for (const Fact& item : fact->items) {
    if (!is_zero_everywhere(&item)) return false;
  }
  return true;
}

// What the sum of a window is divided by.
enum class Divisor : std::uint8_t { kWindow, kInput, kPadded };

Divisor divisor_of(const KernelArguments& arguments) {
  const bool padded = !is_zero_everywhere(arguments.fact("padding"));
  const bool ceiling = !arguments.is_false("ceil_mode");
  if (!padded && !ceiling) return Divisor::kWindow;
  if (arguments.is_false("count_include_pad")) return Divisor::kInput;
  // A window reaches beyond the padding only where the result is rounded up.
  return ceiling ? Divisor::kPadded : Divisor::kWindow;
}

}  // namespace

std::optional<SourceKernel> pooling_kernel(const KernelArguments& arguments, Variant variant) {
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
  SourceKernel out;
  out.operands = {x};
  out.shape = "(*" + x + ".shape[:-" + std::to_string(axes) + "], " + window.each("O@", ", ") + ")";
  out.host.push_back(axes == 1 ? "W = " + x + ".shape[-1]"
                               : window.each("@", ", ") + " = " + x + ".shape[-" + std::to_string(axes) + ":]");
  out.host.push_back(arguments.unpack("kernel_size", window.each("K@")));
  out.host.push_back(arguments.unpack(arguments.given("stride") ? "stride" : "kernel_size", window.each("S@")));
  out.host.push_back(arguments.unpack("padding", window.each("P@")));
  if (dilated) out.host.push_back(arguments.unpack("dilation", window.each("D@")));
  const std::string reach = dilated ? "@ + 2 * P@ - D@ * (K@ - 1) - 1" : "@ + 2 * P@ - K@";
  append(out.host,
         window.each(arguments.is_false("ceil_mode") ? "O@ = (" + reach + ") // S@ + 1"
                                                     : "O@ = min(-(-(" + reach + ") // S@), (@ + P@ - 1) // S@) + 1"));
  out.host.push_back("N = " + x + ".numel() // (" + window.each("@", " * ") + ") * " + window.each("O@", " * "));
  if (axes == 1) out.host.back() = "N = " + x + ".numel() // W * OW";
  out.host.push_back("BLOCK = 256");
  pass(out.arguments, {"N"});
  window.pass_to(out, dilated ? std::vector<std::string_view>{"K@", "S@", "P@", "D@"}
                              : std::vector<std::string_view>{"K@", "S@", "P@"});
  pass(out.constants, {"BLOCK"});
  out.grid = "(triton.cdiv(N, BLOCK),)";

  const Divisor divisor = maximum ? Divisor::kWindow : divisor_of(arguments);
  out.kernel = {"o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)", "m = o < N"};
  out.kernel.push_back("c = (" + window.outside("o", "O") + ").to(tl.int64)");
  append(out.kernel, window.each_index("$ = # * S@ - P@", "o", "O"));
  const std::string lowest = "float('-inf')";
  out.kernel.push_back(maximum ? "acc = tl.full((BLOCK,), " + lowest + ", tl.float32)"
                               : "acc = tl.zeros((BLOCK,), dtype=tl.float32)");
  if (divisor != Divisor::kWindow) out.kernel.push_back("count = tl.zeros((BLOCK,), dtype=tl.float32)");

  std::vector<std::string> body = window.each(dilated ? "x$ = $ + k$ * D@" : "x$ = $ + k$");
  body.push_back("inside = m & " + window.in_input());
  body.push_back("a = " + load(x, window.input_offset("c"), "inside", maximum ? lowest : "0.0"));
  body.push_back(maximum ? "acc = tl.maximum(acc, a)" : "acc += a");
  if (divisor == Divisor::kInput) body.push_back("count += inside.to(tl.float32)");
  if (divisor == Divisor::kPadded) {
    body.push_back("count += (" + window.each("(x$ < @ + P@)", " & ") + ").to(tl.float32)");
    if (axes == 1) body.back() = "count += (xw < W + PW).to(tl.float32)";
  }
  append(out.kernel, window.loops(body, variant == Variant::kFast));
  if (!maximum) {
    out.kernel.push_back("acc = acc / " + (divisor == Divisor::kWindow ? product(window.each("K@")) : "count"));
  }
  return out;
}

}  // namespace tritonrl::teacher
