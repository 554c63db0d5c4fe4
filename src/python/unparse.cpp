#include "python/unparse.h"

#include "python/unparse_writer.h"

namespace tritonrl::python {

std::string unparse(const SyntaxNode& node) {
  std::string out;
  if (node.is("Module")) out.reserve(2048);
  unparse_to(node, out);
  return out;
}

void unparse_to(const SyntaxNode& node, std::string& out, int indent) {
  UnparseWriter(out, indent).any(node);
}

}  // namespace tritonrl::python
