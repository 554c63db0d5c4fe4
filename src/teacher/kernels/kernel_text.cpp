#include "teacher/kernels/kernel_text.h"

namespace tritonrl::teacher {

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string product(const std::vector<std::string>& factors) {
  if (factors.empty()) return "1";
  return factors.size() == 1 ? factors[0] : "(" + joined(factors, " * ") + ")";
}

std::string nested_index(std::string_view flat, const std::vector<std::string>& sizes, std::size_t which) {
  std::string out(flat);
  const std::vector<std::string> inner(sizes.begin() + static_cast<std::ptrdiff_t>(which) + 1, sizes.end());
  if (!inner.empty()) out += " // " + product(inner);
  if (which > 0) out += " % " + sizes[which];
  return out;
}

std::string offset_of(const std::vector<std::string>& indices, const std::vector<std::string>& sizes) {
  std::string out;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i == 0) {
      out = indices[0];
    } else {
      out = (i == 1 ? out : "(" + out + ")") + " * " + sizes[i] + " + " + indices[i];
    }
  }
  return out.empty() ? "0" : out;
}

std::string load(std::string_view tensor, std::string_view offset, std::string_view mask, std::string_view other) {
  std::string out = "tl.load(";
  out += tensor;
  out += "_ptr + ";
  out += offset;
  out += ", mask=";
  out += mask;
  out += ", other=";
  out += other;
  return out + ").to(tl.float32)";
}

std::vector<std::string> indented(const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  for (const std::string& line : lines) out.push_back("    " + line);
  return out;
}

void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

void pass(std::vector<std::pair<std::string, std::string>>& parameters, const std::vector<std::string>& names) {
  for (const std::string& name : names) parameters.emplace_back(name, name);
}

}  // namespace tritonrl::teacher
