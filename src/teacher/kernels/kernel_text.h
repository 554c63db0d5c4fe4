#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The few forms of text that all kernels of this folder are made of.
namespace tritonrl::teacher {

std::string joined(const std::vector<std::string>& parts, std::string_view separator);

// A product as an operand of a stronger operator: "W", "(H * W)"; of nothing: "1".
std::string product(const std::vector<std::string>& factors);

// Index of one of several nested dimensions in the flat index `flat`: "flat // (H * W) % C". `sizes` are those of all
// of them, the outermost first; nothing wraps the outermost.
std::string nested_index(std::string_view flat, const std::vector<std::string>& sizes, std::size_t which);

// Offset into a contiguous tensor: "(z * M + rows[:, None]) * K + ks[None, :]". The size of the outermost index is not
// used.
std::string offset_of(const std::vector<std::string>& indices, const std::vector<std::string>& sizes);

// "tl.load(x_ptr + offset, mask=mask, other=0.0).to(tl.float32)"
std::string load(std::string_view tensor, std::string_view offset, std::string_view mask,
                 std::string_view other = "0.0");

// Lines of a body, indented once more.
std::vector<std::string> indented(const std::vector<std::string>& lines);
void append(std::vector<std::string>& lines, const std::vector<std::string>& more);

// Parameters of a kernel that are called in the host function as in the kernel.
void pass(std::vector<std::pair<std::string, std::string>>& parameters, const std::vector<std::string>& names);

}  // namespace tritonrl::teacher
