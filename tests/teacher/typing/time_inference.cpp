// For developers: how long inference takes on module files, read by our own parser. Built with optimisation, unlike
// tests.
#include <algorithm>
#include <ctime>
#include <iostream>

#include "base/files.h"
#include "syntax/parse.h"
#include "teacher/typing/infer_facts.h"

namespace {

using namespace tritonrl;

template <typename Work>
double microseconds(Work work) {
  constexpr int kTimes = 500;
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const std::clock_t begin = std::clock();  // of this process alone: others may use the machine
    for (int i = 0; i < kTimes; ++i) work();
    best = std::min(best, 1e6 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kTimes);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string source = base::read_file(argv[i], std::size_t{1} << 20);
    syntax::SyntaxArena arena;
    const syntax::Parsed parsed = syntax::parse(source, arena);
    if (parsed.module == nullptr) {
      std::cout << argv[i] << ": line " << parsed.line << ": " << parsed.error << "\n";
      continue;
    }
    const syntax::SyntaxNode& root = *parsed.module;
    const double labels = microseconds([&] { abstract::forward_operators(root, ""); });
    const double all = microseconds([&] { teacher::infer_facts(root, ""); });
    const teacher::Inferred inferred = teacher::infer_facts(root, "");
    std::cout << argv[i] << ": " << std::count(source.begin(), source.end(), '\n') << " lines, "
              << inferred.facts.size() << " facts; operators " << labels << " us, everything " << all << " us\n";
  }
  return 0;
}
