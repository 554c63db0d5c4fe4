#include "rl/shares.h"

#include <algorithm>

namespace tritonrl::rl {

std::vector<std::int64_t> share_of(const RoundCall& call, std::int64_t tasks_at_once, int rank, int ranks) {
  std::vector<std::int64_t> out;
  int next = 0;  // whose the group at hand is
  for (std::int64_t first = 0; first < static_cast<std::int64_t>(call.tasks.size()); first += tasks_at_once) {
    if (std::ranges::find(call.answered, first) != call.answered.end()) continue;
    if (next == rank) out.push_back(first);
    next = (next + 1) % ranks;
  }
  return out;
}

RoundShare share_from(const track::Ledger& ledger, std::int64_t round, std::span<const std::int64_t> firsts,
                      std::int64_t tasks_at_once, std::int64_t tasks) {
  RoundShare out;
  for (const std::int64_t first : firsts) {
    for (std::int64_t place = first; place < std::min(first + tasks_at_once, tasks); ++place) {
      PlaceShare& each = out.places.emplace_back();
      each.place = place;
      each.answers = ledger.samples(round, place);
      for (auto& [index, verdict] : ledger.verdicts(round, place))
        each.verdicts.emplace(std::to_string(index), std::move(verdict));
    }
  }
  return out;
}

void put_share(const RoundShare& share, std::int64_t round, std::span<const std::int64_t> firsts,
               std::int64_t tasks_at_once, track::Ledger& ledger) {
  for (const std::int64_t first : firsts) {
    std::vector<std::vector<track::LedgerSample>> together;
    for (const PlaceShare& each : share.places) {
      if (each.place >= first && each.place < first + tasks_at_once) together.push_back(each.answers);
    }
    ledger.add_samples(round, first, together);
  }
  for (const PlaceShare& each : share.places) {
    for (const auto& [index, verdict] : each.verdicts) {
      const track::SampleKey key{round, each.place, std::stoll(index)};
      ledger.add_verdict({&key, 1}, verdict);
    }
  }
}

}  // namespace tritonrl::rl
