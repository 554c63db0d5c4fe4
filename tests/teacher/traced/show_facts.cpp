// Prints the normal text of module files, what is left of it in their configuration, and the facts of their
// expressions.
#include <iostream>

#include "base/files.h"
#include "syntax/unparse.h"
#include "teacher/families/taken_branches.h"
#include "tests/teacher/traced/traced_module.h"

int main(int argc, char** argv) {
  using namespace tritonrl;
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    const teacher::TracedModule module = teacher::trace_module(base::read_file(argv[i], std::size_t{1} << 20));
    std::cout << "# " << argv[i] << "\n" << module.normal << "\n";
    if (!module.error.empty()) {
      std::cout << "not traced: " << module.error << "\n";
      ++failed;
    }
    if (module.tree) {
      syntax::SyntaxArena arena;
      const syntax::SyntaxNode* taken = teacher::taken_branches(module.tree->root(), module.facts, "Model", arena);
      std::cout << "# in its configuration\n" << syntax::unparse(*taken) << "\n";
    }
    std::cout << describe(module);
  }
  return failed == 0 ? 0 : 1;
}
