#include "cli/nearest_name.h"

#include <algorithm>

namespace tritonrl::cli {
namespace {

// How many letters must be changed, put in, left out or swapped with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t changed = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

// Dashes and underscores are one, and neither case nor the dashes in front are what was got wrong.
std::string plain(std::string_view name) {
  std::string out(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  for (char& c : out) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::string nearest_name(std::string_view written, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 64;
  const std::string wanted = plain(written);
  if (wanted.empty() || wanted.size() > kLongest) return "";
  std::string best;
  std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;  // beyond that it is another word
  for (const std::string& name : names) {
    const std::string known = plain(name);
    std::size_t wrong = distance(wanted, known);
    if (wanted.size() >= 3 && known.starts_with(wanted)) wrong = std::min<std::size_t>(wrong, 1);
    if (wrong < least) {
      least = wrong;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& names) {
  const std::string name = nearest_name(written, names);
  return name.empty() ? "" : "; did you mean " + name + "?";
}

}  // namespace tritonrl::cli
