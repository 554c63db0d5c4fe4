#include <algorithm>

#include "teacher/kernels/contraction.h"
#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/operator_kernels.h"

namespace tritonrl::teacher {
namespace {

std::string dimension(const std::string& tensor, std::ptrdiff_t index) {
  return tensor + ".shape[" + std::to_string(index) + "]";
}

std::int64_t elements(const Shape& shape) {
  std::int64_t out = 1;
  for (const std::int64_t size : shape) out *= size;
  return out;
}

std::optional<SourceKernel> linear(const KernelArguments& arguments, const Schedule& schedule) {
  const Shape& input = arguments.shape("input");
  const Shape& weight = arguments.shape("weight");
  if (input.empty() || weight.size() != 2) return std::nullopt;
  const std::string& x = arguments.name("input");
  const std::string& w = arguments.name("weight");
  Contraction out{.a = x, .b = w, .a_letters = "mk", .b_letters = "nk", .result_letters = "mn"};
  out.sizes = {{'m', x + ".numel() // " + dimension(x, -1), elements(input) / std::max<std::int64_t>(1, input.back())},
               {'n', dimension(w, 0), weight[0]},
               {'k', dimension(w, 1), weight[1]}};
  out.shape = "(*" + x + ".shape[:-1], " + dimension(w, 0) + ")";
  if (arguments.given("bias")) {
    if (!arguments.is_float("bias")) return std::nullopt;
    out.bias = arguments.name("bias");
    out.bias_letter = 'n';
  }
  return contraction_kernel(std::move(out), schedule);
}

// Any number of leading dimensions against a matrix or vector: the same text whatever the rank.
Contraction rows_times_matrix(const std::string& x, const Shape& a, const std::string& w, const Shape& b) {
  Contraction out{.a = x, .b = w, .a_letters = "mk", .b_letters = "kn", .result_letters = "mn"};
  out.sizes = {{'m', x + ".numel() // " + dimension(x, -1), elements(a) / std::max<std::int64_t>(1, a.back())},
               {'k', dimension(w, 0), b[0]}};
  if (b.size() == 1) {
    out.b_letters = "k";
    out.result_letters = "m";
    out.shape = x + ".shape[:-1]";
  } else {
    out.sizes.push_back({'n', dimension(w, 1), b[1]});
    out.shape = "(*" + x + ".shape[:-1], " + dimension(w, 1) + ")";
  }
  return out;
}

// Batches of matrices, or one vector against matrices. Dimensions of size 1 that meet others are left out of the
// operand's letters.
std::optional<Contraction> batched(const std::string& x, const Shape& a, const std::string& y, const Shape& b) {
  Contraction out{.a = x, .b = y};
  std::vector<std::string> shape;
  char next = 'p';
  const std::size_t a_batch = a.size() < 2 ? 0 : a.size() - 2, b_batch = b.size() < 2 ? 0 : b.size() - 2;
  const std::size_t batch = std::max(a_batch, b_batch);
  if (batch > 8) return std::nullopt;
  for (std::size_t i = 0; i < batch; ++i) {
    const bool in_a = i + a_batch >= batch, in_b = i + b_batch >= batch;
    const std::size_t at_a = i + a_batch - batch, at_b = i + b_batch - batch;
    const bool long_a = in_a && a[at_a] != 1, long_b = in_b && b[at_b] != 1;
    const bool from_a = long_a || (in_a && !long_b);
    const std::string size =
        from_a ? dimension(x, static_cast<std::ptrdiff_t>(at_a)) : dimension(y, static_cast<std::ptrdiff_t>(at_b));
    shape.push_back(size);
    if (!long_a && !long_b) continue;
    const char letter = next++;
    if (long_a) out.a_letters += letter;
    if (long_b) out.b_letters += letter;
    out.result_letters += letter;
    out.sizes.push_back({letter, size, from_a ? a[at_a] : b[at_b]});
  }
  if (a.size() > 1) {
    out.a_letters += 'm';
    out.result_letters += 'm';
    out.sizes.push_back({'m', dimension(x, -2), a[a.size() - 2]});
    shape.push_back(dimension(x, -2));
  }
  out.a_letters += 'k';
  out.b_letters += 'k';
  out.sizes.push_back({'k', dimension(x, -1), a.back()});
  if (b.size() > 1) {
    out.b_letters += 'n';
    out.result_letters += 'n';
    out.sizes.push_back({'n', dimension(y, -1), b.back()});
    shape.push_back(dimension(y, -1));
  }
  out.shape = "(" + joined(shape, ", ") + (shape.size() == 1 ? ",)" : ")");
  return out;
}

}  // namespace

std::optional<SourceKernel> product_kernel(const KernelArguments& arguments, const Schedule& schedule) {
  const std::vector<std::string_view> tensors = arguments.tensors();
  for (const std::string_view tensor : tensors) {
    if (!arguments.is_float(tensor)) return std::nullopt;
  }
  if (tensors.size() < 2) return std::nullopt;
  if (arguments.op() == "linear") return linear(arguments, schedule);

  const bool added = arguments.op() == "addmm" || arguments.op() == "baddbmm";
  if (tensors.size() != (added ? 3 : 2)) return std::nullopt;
  if (added && (arguments.integer("beta", 1) != 1 || arguments.integer("alpha", 1) != 1)) return std::nullopt;
  const std::string_view left = tensors[added ? 1 : 0], right = tensors[added ? 2 : 1];
  const Shape& a = arguments.shape(left);
  const Shape& b = arguments.shape(right);
  if (a.empty() || b.empty()) return std::nullopt;

  std::optional<Contraction> out;
  if (b.size() <= 2 && a.size() > 1) {
    out = rows_times_matrix(arguments.name(left), a, arguments.name(right), b);
  } else {
    out = batched(arguments.name(left), a, arguments.name(right), b);
  }
  if (!out) return std::nullopt;
  if (added) {
    const std::string& name = arguments.name(tensors[0]);
    const Shape& addend = arguments.shape(tensors[0]);
    Shape whole = a;
    whole.back() = b.back();
    if (addend == whole) {
      out->addend = name;
    } else if (addend.size() == 1 && addend[0] == b.back() && addend[0] != 1) {
      out->bias = name;
      out->bias_letter = 'n';
    } else {
      return std::nullopt;
    }
  }
  return contraction_kernel(std::move(*out), schedule);
}

}  // namespace tritonrl::teacher
