#include "machine/ir/type.h"

namespace tritonrl::machine {
namespace {

std::string pointer_to(Scalar element, Scalar inner) {
  if (element == Scalar::kPointer) return "!tt.ptr<" + pointer_to(inner, Scalar::kNone) + ">";
  return "!tt.ptr<" + to_string(element) + ">";
}

std::string tensor_of(const std::vector<std::int64_t>& shape, const std::string& element) {
  std::string text = "tensor<";
  for (const std::int64_t size : shape) text += std::to_string(size) + "x";
  return text + element + ">";
}

}  // namespace

std::string to_string(const Type& type) {
  const std::string one =
      type.scalar == Scalar::kPointer ? pointer_to(type.element, type.inner) : to_string(type.scalar);
  switch (type.kind) {
    case Type::Kind::kScalar:
      return one;
    case Type::Kind::kTensor:
      return tensor_of(type.shape, one);
    case Type::Kind::kBlockPointer:
      return "!tt.ptr<" + tensor_of(type.shape, to_string(type.element)) + ">";
    case Type::Kind::kDescriptor:
      return "!tt.tensordesc<" + tensor_of(type.shape, to_string(type.element)) + ">";
    case Type::Kind::kOpaque:
      break;
  }
  return type.text.empty() ? "?" : type.text;
}

}  // namespace tritonrl::machine
