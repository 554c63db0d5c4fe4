#include "optimize/optimize.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "optimize/search.h"
#include "optimize/wording.h"

namespace tritonrl::optimize {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

Sizes at_edge(const std::vector<Range>& ranges, bool high) {
  Sizes out;
  for (const Range& range : ranges) out[range.name] = high ? range.high : range.low;
  return out;
}

// Nobody knows them before: a file that is right at sizes which it was written for alone is found out.
Sizes drawn_inside(const std::vector<Range>& ranges) {
  std::random_device secret;
  Sizes out;
  for (const Range& range : ranges)
    out[range.name] = std::uniform_int_distribution<std::int64_t>(range.low, range.high)(secret);
  return out;
}

std::vector<RangeProof> places_to_prove(const std::vector<Range>& ranges, int inside) {
  std::vector<RangeProof> out;
  if (ranges.empty()) return out;
  out.push_back({.sizes = at_edge(ranges, false), .which = "lowest", .verdict = {}});
  const Sizes high = at_edge(ranges, true);
  for (int tries = 0; inside > 0 && tries < 8 * inside; ++tries) {
    Sizes drawn = drawn_inside(ranges);
    const auto same = [&](const RangeProof& one) { return one.sizes == drawn; };
    if (drawn == high || std::any_of(out.begin(), out.end(), same)) continue;
    out.push_back({.sizes = std::move(drawn), .which = "inside", .verdict = {}});
    if (static_cast<int>(out.size()) > inside) break;
  }
  return out;
}

bool is_won(Contest& contest) {
  const Tried* best = contest.best();
  return best != nullptr && is_faster(best->verdict);
}

// Judges the candidate at every place; where it fails the rest is left out.
std::vector<RangeProof> prove(const Subject& subject, const Candidate& candidate, std::vector<RangeProof> places,
                              const OptimizeTools& tools) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].verdict = tools.judge->judge({.id = candidate.source,
                                            .task = subject.task(places[i].sizes),
                                            .code = candidate.code,
                                            .extraction = candidate.extraction,
                                            .name = candidate.source + ".py"});
    if (tools.proven) tools.proven(places[i]);
    if (places[i].right()) continue;
    places.resize(i + 1);
    break;
  }
  return places;
}

}  // namespace

Optimized optimize(const Subject& subject, const OptimizeOptions& options, const OptimizeTools& tools) {
  const std::vector<Range> ranges = subject.ranges();
  Optimized out;
  out.timed_sizes = at_edge(ranges, true);
  out.task = subject.task(out.timed_sizes);
  const auto over_for = [&](double seconds) {
    return seconds_since(tools.began) + seconds >= options.budget_seconds || (tools.stopped && tools.stopped());
  };
  Contest contest(*tools.judge, out.task, {.workers = options.workers, .over = over_for, .tried = tools.tried});

  const auto over = [&] { return contest.over(); };
  TeacherCandidates teacher = tools.teacher(out.task);
  out.no_teacher = teacher.why_none;
  contest.judge(std::move(teacher.candidates));
  if (!is_won(contest) && !over()) contest.judge(std::move(teacher.canonical));
  if (contest.best() == nullptr && teacher.exact && !over()) contest.judge({*std::move(teacher.exact)});
  int changes_left = options.search;
  // A kernel that takes longer than torch in its place is none that is wanted.
  for (bool better = true; better && teacher.fewer && changes_left > 0 && contest.best() != nullptr && !over();) {
    const Tried* start = contest.best();
    std::vector<Candidate> fewer = teacher.fewer(start->candidate);
    if (static_cast<int>(fewer.size()) > changes_left) fewer.resize(static_cast<std::size_t>(changes_left));
    const std::size_t judged = contest.all().size();
    contest.judge(std::move(fewer));
    changes_left -= static_cast<int>(contest.all().size() - judged);
    better = contest.best() != start;
  }
  const auto search_on = [&] {
    if (changes_left > 0 && contest.best() != nullptr && !over()) changes_left -= search(contest, changes_left);
  };
  search_on();
  // Last of all: a model takes as long as it takes, and its answers seldom win.
  const Tried* before = contest.best();
  for (int first = 0; tools.model && first < options.samples && !over();) {
    const int count = first == 0 ? 1 : options.samples - first;
    contest.judge(tools.model(out.task, first, count, over));
    first += count;
  }
  if (contest.best() != before) search_on();

  const std::vector<RangeProof> places = places_to_prove(ranges, options.inner_sizes);
  Tried* winner = contest.best();
  for (; winner != nullptr && !places.empty(); winner = contest.best()) {
    std::vector<RangeProof> proofs = prove(subject, winner->candidate, places, tools);
    const bool right = proofs.back().right();
    out.ranges = std::move(proofs);
    if (right) break;
    winner->failed_at = sizes_text(out.ranges.back().sizes);
    if (tools.stopped && tools.stopped()) break;
  }
  out.tried.assign(contest.all().begin(), contest.all().end());
  for (std::size_t i = 0; i < contest.all().size(); ++i) {
    if (winner != nullptr && winner->passed() && &contest.all()[i] == winner) out.winner = i;
  }
  out.repeated = contest.repeated();
  out.without_time = contest.without_time();
  out.seconds = seconds_since(tools.began);
  return out;
}

}  // namespace tritonrl::optimize
