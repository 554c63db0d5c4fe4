#include <algorithm>

#include "report/sections/listing.h"
#include "report/sections/number_text.h"
#include "report/sections/sections.h"

namespace tritonrl::report {
namespace {

constexpr std::size_t kShownFailures = 4, kOpen = 2;

}  // namespace

Section kernels_section(const Material& material) {
  Section section{.id = "kernels", .title = "Kernels to read", .blocks = {}};
  std::size_t shown = 0;
  const auto add = [&](const Answer& answer, const std::string& title, const std::string& from) {
    Listing listing = listing_of(answer, title, from);
    listing.open = shown++ < kOpen;
    section.blocks.emplace_back(std::move(listing));
  };
  for (const auto& [name, tally] : material.tallies()) {
    section.blocks.emplace_back(Heading{name});
    const std::size_t before = section.blocks.size();
    for (std::size_t i = 0; i < tally->fastest().size(); ++i)
      add(tally->fastest()[i], i == 0 ? "The fastest" : "Fast, place " + std::to_string(i + 1), name);
    for (const Answer& answer : tally->slowest()) {
      const bool among_fastest = std::any_of(tally->fastest().begin(), tally->fastest().end(), [&](const Answer& fast) {
        return fast.result.id == answer.result.id && fast.result.speedup == answer.result.speedup;
      });
      if (!among_fastest) add(answer, "Right, but slow", name);
    }
    std::vector<const std::pair<const std::string, AnswerTally::Outcome>*> failures;
    for (const auto& failure : tally->failures()) {
      if (!failure.second.example.result.text.empty()) failures.push_back(&failure);
    }
    std::stable_sort(failures.begin(), failures.end(),
                     [](const auto* a, const auto* b) { return a->second.count > b->second.count; });
    if (failures.size() > kShownFailures) failures.resize(kShownFailures);
    for (const auto* failure : failures)
      add(failure->second.example, "One of " + count_text(failure->second.count) + " that ended as " + failure->first,
          name);
    if (section.blocks.size() == before) section.blocks.pop_back();
  }
  return section;
}

Section suspicious_section(const Material& material) {
  Section section{.id = "suspicious", .title = "Winners that a person should read", .blocks = {}};
  for (const Run& run : material.runs) {
    if (!run.answers || run.answers->suspicious().empty()) continue;
    section.blocks.emplace_back(Paragraph{"Run " + run.name + " marked " + count_text(run.answers->suspicious_count()) +
                                          " winning answers as odd: faster than their peers by far, or with little "
                                          "work in their kernels. They passed every "
                                          "check; the fastest follow, one a task."});
    for (const Answer& answer : run.answers->suspicious()) {
      Listing listing = listing_of(answer, "Odd winner", "run " + run.name);
      listing.open = false;
      section.blocks.emplace_back(std::move(listing));
    }
  }
  return section;
}

}  // namespace tritonrl::report
