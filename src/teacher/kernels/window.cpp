#include "teacher/kernels/window.h"

#include "base/check.h"
#include "teacher/kernels/kernel_text.h"

namespace tritonrl::teacher {
namespace {

std::string on_axis(std::string_view pattern, char axis) {
  std::string out;
  for (const char c : pattern) {
    if (c == '@') {
      out += axis;
    } else if (c == '$') {
      out += static_cast<char>(axis + ('a' - 'A'));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::size_t axes_of(std::string_view op) {
  for (const char c : op) {
    if (c >= '1' && c <= '3') return static_cast<std::size_t>(c - '0');
  }
  return 0;
}

void begin_elements(SourceKernel& kernel, const Schedule& schedule) {
  kernel.taken.block = schedule.block.value_or(256);
  kernel.taken.warps = schedule.warps;
  kernel.host.push_back("BLOCK = " + std::to_string(*kernel.taken.block));
  pass(kernel.constants, {"BLOCK"});
  kernel.grid = "(triton.cdiv(N, BLOCK),)";
  kernel.kernel = {"o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)", "m = o < N"};
}

bool unrolls(SourceKernel& kernel, const Schedule& schedule) {
  return kernel.taken.unrolled = schedule.unrolled || schedule.variant == Variant::kFast;
}

Window::Window(std::size_t axes) {
  TRL_CHECK(axes >= 1 && axes <= 3, "windows have one to three axes");
  axes_ = std::string("DHW").substr(3 - axes);
}

std::vector<std::string> Window::each(std::string_view pattern) const {
  std::vector<std::string> out;
  for (const char axis : axes_) out.push_back(on_axis(pattern, axis));
  return out;
}

std::string Window::each(std::string_view pattern, std::string_view separator) const {
  return joined(each(pattern), separator);
}

std::vector<std::string> Window::each_index(std::string_view pattern, std::string_view flat,
                                            std::string_view prefix) const {
  std::vector<std::string> sizes = each(std::string(prefix) + "@");
  sizes.insert(sizes.begin(), "");
  std::vector<std::string> out;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    std::string text = on_axis(pattern, axes_[i]);
    const std::size_t at = text.find('#');
    out.push_back(text.replace(at, 1, nested_index(flat, sizes, i + 1)));
  }
  return out;
}

std::string Window::outside(std::string_view flat, std::string_view prefix) const {
  return std::string(flat) + " // " + product(each(std::string(prefix) + "@"));
}

std::string Window::input_offset(const std::string& plane) const {
  std::vector<std::string> indices = each("x$"), sizes = each("@");
  indices.insert(indices.begin(), plane);
  sizes.insert(sizes.begin(), "");
  return offset_of(indices, sizes);
}

std::string Window::in_input() const {
  return each("(x$ >= 0) & (x$ < @)", " & ");
}

void Window::pass_to(SourceKernel& kernel, const std::vector<std::string_view>& constants) const {
  pass(kernel.arguments, each("@"));
  pass(kernel.arguments, each("O@"));
  for (const std::string_view kind : constants) pass(kernel.constants, each(kind));
}

std::vector<std::string> Window::loops(const std::vector<std::string>& body, bool unrolled) const {
  std::vector<std::string> out = body;
  for (std::size_t i = axes_.size(); i-- > 0;) {
    out = indented(out);
    out.insert(out.begin(), on_axis(unrolled ? "for k$ in tl.static_range(K@):" : "for k$ in range(K@):", axes_[i]));
  }
  return out;
}

}  // namespace tritonrl::teacher
