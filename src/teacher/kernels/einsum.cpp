#include <algorithm>

#include "teacher/kernels/contraction.h"
#include "teacher/kernels/kernel_text.h"
#include "teacher/kernels/operator_kernels.h"

namespace tritonrl::teacher {
namespace {

struct Equation {
  std::string a, b, result;
};

std::optional<Equation> parse(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ') plain += c;
  }
  const std::size_t comma = plain.find(','), arrow = plain.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || comma > arrow) return std::nullopt;
  Equation out{plain.substr(0, comma), plain.substr(comma + 1, arrow - comma - 1), plain.substr(arrow + 2)};
  for (const std::string* part : {&out.a, &out.b, &out.result}) {
    for (const char c : *part) {
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return std::nullopt;
    }
  }
  return out;
}

}  // namespace

std::optional<SourceKernel> einsum_kernel(const KernelArguments& arguments, const Schedule& schedule) {
  const Fact* text = arguments.fact("equation");
  const Fact* operands = arguments.fact("operands");
  if (text == nullptr || text->kind != Fact::Kind::kText || !text->constant) return std::nullopt;
  if (operands == nullptr || operands->kind != Fact::Kind::kList || operands->items.size() != 2) return std::nullopt;
  const std::optional<Equation> equation = parse(text->text);
  const std::vector<std::string> names = arguments.names("operands");
  if (!equation || names.size() != 2 || names[0] == names[1]) return std::nullopt;

  Contraction out{.a = names[0], .b = names[1]};
  out.a_letters = equation->a;
  out.b_letters = equation->b;
  out.result_letters = equation->result;
  for (std::size_t operand = 0; operand < 2; ++operand) {
    const std::string& letters = operand == 0 ? equation->a : equation->b;
    const Fact& fact = operands->items[operand];
    if (!KernelArguments::is_float(fact) || fact.shape.size() != letters.size()) return std::nullopt;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const auto known = std::find_if(out.sizes.begin(), out.sizes.end(),
                                      [&](const Contraction::Size& size) { return size.letter == letters[i]; });
      if (known == out.sizes.end()) {
        out.sizes.push_back({letters[i], names[operand] + ".shape[" + std::to_string(i) + "]", fact.shape[i]});
      } else if (known->extent != fact.shape[i]) {
        return std::nullopt;  // a dimension of size 1 that einsum repeats
      }
    }
  }
  std::vector<std::string> shape;
  for (const char letter : out.result_letters) {
    const auto known = std::find_if(out.sizes.begin(), out.sizes.end(),
                                    [&](const Contraction::Size& size) { return size.letter == letter; });
    if (known == out.sizes.end()) return std::nullopt;
    shape.push_back(known->expression);
  }
  out.shape = "(" + joined(shape, ", ") + (shape.size() == 1 ? ",)" : ")");
  return contraction_kernel(std::move(out), schedule);
}

}  // namespace tritonrl::teacher
