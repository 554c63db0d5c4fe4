// For developers: what inference tells of module files against a traced run.
#include <cstdlib>
#include <iostream>

#include "base/files.h"
#include "tests/teacher/typing/compare_facts.h"

int main(int argc, char** argv) {
  using namespace tritonrl;
  using namespace tritonrl::teacher;
  Comparison all;
  int modules = 0, complete = 0, untraced = 0;
  for (int i = 1; i < argc; ++i) {
    const TracedModule traced = trace_module(base::read_file(argv[i], std::size_t{1} << 20));
    if (!traced.error.empty() || !traced.tree.has_value()) {
      std::cout << argv[i] << ": not traced: " << traced.error << "\n";
      ++untraced;
      continue;
    }
    const Inferred inferred = infer_facts(traced.tree->root(), "", {.everywhere = true});
    const Comparison one = compare_facts(traced, inferred, true);
    ++modules;
    complete += inferred.complete ? 1 : 0;
    if (!inferred.complete || one.tensors_missing > 0 || !one.wrong.empty()) {
      std::cout << argv[i] << ": " << one.tensors_missing << " of " << one.tensors << " tensors missing"
                << (inferred.complete ? "" : ", first " + inferred.missing) << "\n";
    }
    for (const std::string& text : one.missing) std::cout << "    missing " << text << "\n";
    for (const std::string& text : one.wrong) std::cout << "    WRONG " << text << "\n";
    if (std::getenv("SHOW_OTHERS") != nullptr) {
      for (const std::string& text : one.missing_others) std::cout << "    other " << text.substr(0, 150) << "\n";
    }
    all.tensors += one.tensors;
    all.tensors_missing += one.tensors_missing;
    all.others += one.others;
    all.others_missing += one.others_missing;
    all.wrong.insert(all.wrong.end(), one.wrong.begin(), one.wrong.end());
  }
  std::cout << modules << " modules, " << untraced << " not traced, " << complete << " complete; tensors "
            << all.tensors << ", missing " << all.tensors_missing << "; others " << all.others << ", missing "
            << all.others_missing << "; wrong " << all.wrong.size() << "\n";
  return all.wrong.empty() ? 0 : 1;
}
