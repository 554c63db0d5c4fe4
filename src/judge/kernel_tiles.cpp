#include "judge/kernel_tiles.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kSmallestTile = 8;  // elements of a dimension

// The dimensions of each "tensor<64x32xf32>".
void add_dimensions(std::string_view line, std::set<std::int64_t>& out) {
  constexpr std::string_view kTensor = "tensor<";
  for (std::size_t at = line.find(kTensor); at != std::string_view::npos; at = line.find(kTensor, at)) {
    at += kTensor.size();
    while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0) {
      std::int64_t size = 0;
      for (; at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0; ++at)
        size = std::min<std::int64_t>(size * 10 + (line[at] - '0'), 1 << 24);
      if (at < line.size() && line[at] == 'x' && size >= kSmallestTile) out.insert(size);
      ++at;
    }
  }
}

// "tt.load %pointers, %mask : tensor<…>": without a mask there is one operand, of "tt.store" there are two.
bool is_unmasked(std::string_view line) {
  for (const auto& [name, operands] : {std::pair<std::string_view, std::ptrdiff_t>{"tt.load ", 1}, {"tt.store ", 2}}) {
    const std::size_t at = line.find(name);
    if (at == std::string_view::npos) continue;
    const std::size_t type = line.find(" : ", at);
    if (type == std::string_view::npos) continue;
    const std::string_view given = line.substr(at, type - at);
    const bool block = line.substr(type, line.find(" loc(", type) - type).find("tensor<") != std::string_view::npos;
    if (block && std::count(given.begin(), given.end(), '%') == operands &&
        given.find("boundaryCheck") == std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

void KernelTiles::add(std::string_view ir) {
  std::set<std::int64_t> all(sizes.begin(), sizes.end());
  while (!ir.empty()) {
    const std::string_view line = ir.substr(0, ir.find('\n'));
    ir.remove_prefix(std::min(ir.size(), line.size() + 1));
    add_dimensions(line, all);
    unmasked = unmasked || is_unmasked(line);
  }
  sizes.assign(all.begin(), all.end());
}

KernelTiles tiles_of(const CompiledProgram& compiled) {
  KernelTiles out;
  for (const runner::KernelImage& image : compiled.images) out.add(image.ir);
  return out;
}

}  // namespace tritonrl::judge
