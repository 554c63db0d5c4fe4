// Modules as JSON lines, for the checks in Python:  write_modules COUNT SEED [fusion|single|rewrite|all] [held] [real]
// [styles]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "teacher/families/modules.h"

using namespace tritonrl::teacher;

namespace {

void print_text(const std::string& text) {
  std::putchar('"');
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') std::putchar('\\');
    if (letter == '\n') {
      std::fputs("\\n", stdout);
    } else {
      std::putchar(letter);
    }
  }
  std::putchar('"');
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 10;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const std::string family = argc > 3 ? argv[3] : "all";
  bool held = false, real = false, styles = false;
  for (int at = 4; at < argc; ++at) {
    held = held || std::strcmp(argv[at], "held") == 0;
    real = real || std::strcmp(argv[at], "real") == 0;
    styles = styles || std::strcmp(argv[at], "styles") == 0;
  }
  static constexpr const char* kNames[] = {"fusion", "single", "rewrite"};
  for (int at = 0; at < count; ++at) {
    int which = at % 3;
    for (int one = 0; one < 3; ++one)
      if (family == kNames[one]) which = one;
    const DrawnModule module =
        draw_module(static_cast<Family>(which), seed * 1000003 + static_cast<std::uint64_t>(at),
                    {.held_out = {.idioms = held, .operators = held}, .realistic_sizes = real, .real_styles = styles});
    std::printf("{\"id\": \"%s/%d\", \"idioms\": [", kNames[which], at);
    for (std::size_t one = 0; one < module.idioms.size(); ++one) {
      if (one > 0) std::fputs(", ", stdout);
      print_text(module.idioms[one]);
    }
    std::fputs("], \"module\": ", stdout);
    print_text(module.text);
    std::fputs("}\n", stdout);
  }
}
