#include "generate/stop_matcher.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace tritonrl::generate {
namespace {

// Length of the longest end of `text` that begins `stop` without completing it.
std::size_t length_to_hold(std::string_view text, std::string_view stop) {
  std::size_t length = std::min(text.size(), stop.size() - 1);
  while (length > 0 && text.substr(text.size() - length) != stop.substr(0, length)) --length;
  return length;
}

}  // namespace

StopMatcher::StopMatcher(std::vector<std::string> stop_strings) : stops_(std::move(stop_strings)) {
  for (const std::string& stop : stops_) TRL_CHECK(!stop.empty(), "an empty stop string");
}

std::string StopMatcher::add(std::string_view text) {
  if (stopped_) return {};
  held_ += text;
  std::size_t first_end = std::string::npos, start = std::string::npos;
  for (const std::string& stop : stops_) {
    const std::size_t at = held_.find(stop);
    if (at == std::string::npos) continue;
    const std::size_t end = at + stop.size();
    if (end < first_end || (end == first_end && at < start)) {
      first_end = end;
      start = at;
    }
  }
  if (first_end != std::string::npos) {
    stopped_ = true;
    held_.resize(start);
    return std::exchange(held_, {});
  }
  std::size_t hold = 0;
  for (const std::string& stop : stops_) hold = std::max(hold, length_to_hold(held_, stop));
  std::string certain = held_.substr(0, held_.size() - hold);
  held_.erase(0, certain.size());
  return certain;
}

std::string StopMatcher::finish() {
  return std::exchange(held_, {});
}

}  // namespace tritonrl::generate
