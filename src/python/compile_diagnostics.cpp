#include "python/compile_diagnostics.h"

#include <algorithm>
#include <charconv>

#include "python/kernel_text.h"

namespace tritonrl::python {
namespace {

constexpr std::string_view kError = "error: ";
constexpr std::size_t kMaxReason = 1000;

// Calls `see(line)` for each line until it returns true.
template <class See>
void for_each_line(std::string_view text, See&& see) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (see(text.substr(0, end)) || end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// The number behind the file's name: `kernel.py:12:8` or `loc("kernel.py":12:8)`.
int line_number(std::string_view place) {
  const std::size_t file = place.find(kSourceFile);
  if (file == std::string_view::npos) return 0;
  place.remove_prefix(file + std::string_view(kSourceFile).size());
  place.remove_prefix(std::min(place.find_first_not_of("\":"), place.size()));
  int line = 0;
  const auto result = std::from_chars(place.data(), place.data() + place.size(), line);
  return result.ec == std::errc() && line > 0 && line < 1 << 24 ? line : 0;
}

}  // namespace

std::optional<Diagnostic> find_diagnostic(std::string_view log) {
  std::optional<Diagnostic> out;
  for_each_line(log, [&](std::string_view line) {
    const std::size_t at = line.find(kError);
    if (at == std::string_view::npos) return false;
    const std::string_view place = line.substr(0, at);
    if (!place.empty() && !place.ends_with(": ")) return false;
    out = Diagnostic{std::string(line.substr(at + kError.size(), kMaxReason)), line_number(place)};
    return true;
  });
  return out;
}

std::optional<std::string> last_words(std::string_view log) {
  std::optional<std::string> out;
  for_each_line(log, [&](std::string_view line) {
    for (const std::string_view head : {kError, std::string_view("LLVM ERROR: ")}) {
      if (line.starts_with(head)) out = std::string(line.substr(head.size(), kMaxReason));
    }
    return false;
  });
  return out;
}

bool ran_out_of_memory(std::string_view log) {
  return log.find("out of memory") != std::string_view::npos || log.find("bad_alloc") != std::string_view::npos;
}

std::string out_of_memory(std::int64_t memory_bytes) {
  return "the compiler needs more than its " + std::to_string(memory_bytes >> 20) + " MiB of memory";
}

}  // namespace tritonrl::python
