#include "syntax/unparse.h"

#include "syntax/unparse_writer.h"

namespace tritonrl::syntax {

std::string unparse(const SyntaxNode& node) {
  std::string out;
  if (node.is("Module")) out.reserve(2048);
  unparse_to(node, out);
  return out;
}

void unparse_to(const SyntaxNode& node, std::string& out, int indent) {
  UnparseWriter(out, indent).any(node);
}

}  // namespace tritonrl::syntax
