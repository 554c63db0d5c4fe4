#include "optimize/search.h"

#include <algorithm>

#include "optimize/knobs.h"
#include "syntax/plain_form.h"

namespace tritonrl::optimize {
namespace {

constexpr std::string_view kBegin = "search, ";
constexpr double kWorthIt = 1.01;  // less is noise, and no direction to go on in

// Of one that came out of a search whom it began with: "teacher, fast".
std::string origin_of(const std::string& source) {
  const std::size_t behind = source.find(" of ");
  return source.starts_with(kBegin) && behind != std::string::npos ? source.substr(behind + 4) : source;
}

// All single changes, those that go on in a direction that just helped first.
std::vector<Candidate> changes_of(const Candidate& best, const std::string& helped) {
  const std::string text = syntax::plain_text(best.code).value_or(best.code);
  std::vector<Candidate> out;
  std::size_t first = 0;
  for (const Knob& knob : find_knobs(text)) {
    for (const std::int64_t value : neighbours(knob)) {
      const bool goes_on = !helped.empty() && helped == knob.name + (value > knob.value ? " up" : " down");
      Candidate changed{.source = std::string(kBegin) + knob.name + " " + std::to_string(knob.value) + " to " +
                                  std::to_string(value) + " of " + origin_of(best.source),
                        .code = with_value(text, knob, value)};
      out.insert(goes_on ? out.begin() + static_cast<std::ptrdiff_t>(first++) : out.end(), std::move(changed));
    }
  }
  return out;
}

// "BLOCK down" of "search, BLOCK 1024 to 512 of …"
std::string direction_of(const std::string& source) {
  if (!source.starts_with(kBegin)) return "";
  const std::string change = source.substr(kBegin.size(), source.find(" of ") - kBegin.size());
  const std::size_t to = change.rfind(" to ");
  if (to == std::string::npos) return "";
  const std::size_t from = change.rfind(' ', to - 1);
  const bool up = std::stoll(change.substr(to + 4)) > std::stoll(change.substr(from + 1, to - from - 1));
  return change.substr(0, from) + (up ? " up" : " down");
}

}  // namespace

int search(Contest& contest, int most) {
  int left = most;
  while (left > 0 && !contest.over() && contest.best() != nullptr) {
    const Tried* start = contest.best();
    const auto helped = [&] { return contest.best()->speedup() > start->speedup() * kWorthIt; };
    std::vector<Candidate> changes = changes_of(start->candidate, direction_of(start->candidate.source));
    std::size_t at = 0;
    while (at < changes.size() && left > 0 && !contest.over() && !helped()) {
      const std::size_t before = contest.all().size();
      const std::size_t count =
          std::min({changes.size() - at, static_cast<std::size_t>(contest.workers()), static_cast<std::size_t>(left)});
      contest.judge({changes.begin() + static_cast<std::ptrdiff_t>(at),
                     changes.begin() + static_cast<std::ptrdiff_t>(at + count)});
      at += count;
      left -= static_cast<int>(contest.all().size() - before);
    }
    if (!helped()) break;
  }
  return most - left;
}

}  // namespace tritonrl::optimize
