// Pairs as JSON lines {"id", "pytorch_code", "solution", ...}:  write_pairs COUNT SEED [strict=0.3] [fast=0] [held]
// [real] [styles]
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "base/json.h"
#include "teacher/families/generate.h"

using namespace tritonrl::teacher;

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 10;
  GenerateOptions options;
  options.seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  for (int at = 3; at < argc; ++at) {
    if (std::strncmp(argv[at], "strict=", 7) == 0) options.strict = std::atof(argv[at] + 7);
    if (std::strncmp(argv[at], "fast=", 5) == 0) options.fast = std::atof(argv[at] + 5);
    if (std::strcmp(argv[at], "held") == 0) options.held_out_idioms = options.held_out_operators = true;
    if (std::strcmp(argv[at], "real") == 0) options.realistic_sizes = true;
    if (std::strcmp(argv[at], "styles") == 0) options.styles = Styles::kReal;
  }
  static constexpr const char* kFamilies[] = {"fusion", "single", "rewrite"};
  PairGenerator generator(options);
  for (int at = 0; at < count; ++at) {
    const GeneratedPair pair = generator.pair(static_cast<std::uint64_t>(at));
    tritonrl::base::Json regions = tritonrl::base::Json::array();
    for (const RegionReport& region : pair.answer.regions)
      regions.push_back({{"kind", region.kind}, {"operators", region.operators}, {"variant", region.variant}});
    std::cout << tritonrl::base::Json{{"id", pair.id},
                                      {"family", kFamilies[static_cast<int>(pair.family)]},
                                      {"policy", pair.policy == KernelPolicy::kStrict ? "strict" : "kernelbench"},
                                      {"variant", pair.variant == Variant::kFast ? "fast" : "canonical"},
                                      {"level", pair.level},
                                      {"operator_hash", pair.operator_hash},
                                      {"idioms", pair.idioms},
                                      {"regions", regions},
                                      {"pytorch_code", pair.module},
                                      {"solution", pair.answer.solution}}
                     .dump()
              << "\n";
  }
}
