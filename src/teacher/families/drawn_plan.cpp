#include "teacher/families/drawn_plan.h"

#include <algorithm>
#include <cctype>

#include "teacher/families/draw.h"
#include "teacher/plan/lower_plan.h"

namespace tritonrl::teacher {
namespace {

constexpr int kTries = 2;  // of a region
constexpr int kCut = 25;   // percent of the regions that could be two

Schedule drawn_rows(Draw& draw) {
  Schedule out;
  out.form = static_cast<RowForm>(draw.below(static_cast<int>(enum_names(RowForm()).size())));
  switch (*out.form) {
    case RowForm::kWhole:
      break;
    case RowForm::kSeveral:
      out.rows = draw.of({2, 4, 8, 16, 32});
      break;
    case RowForm::kColumns:
      out.rows = draw.of({16, 32, 64, 128});
      out.block = draw.of({16, 32, 64});
      break;
    case RowForm::kSplit:
      out.parts = draw.of({16, 32, 64, 128});
      out.block = draw.of({512, 1024, 2048, 4096});
      break;
    case RowForm::kLoop:
      out.block = draw.of({256, 512, 1024, 2048, 4096});
  }
  return out;
}

// A schedule for the same kind of kernel.
Schedule drawn_schedule(const Schedule& taken, Draw& draw) {
  Schedule out;
  if (taken.form) {
    out = drawn_rows(draw);
  } else if (taken.m && taken.n) {
    out.m = draw.of({16, 32, 64, 128});
    out.n = draw.of({16, 32, 64, 128});
    out.k = draw.of({16, 32, 64});
    out.dot = draw.of({DotPrecision::kIeee, DotPrecision::kTf32x3});
    out.grouped = draw.chance(50);
    if (draw.chance(50)) out.stages = draw.of({2, 3, 4});
  } else if (taken.m) {
    out.m = draw.of({1, 2, 4, 8, 16, 32});
    out.k = draw.of({64, 128, 256, 512, 1024});
  } else {
    if (taken.parts) out.parts = draw.of({128, 256, 512, 1024});
    out.block = draw.of({256, 512, 1024, 2048, 4096});
    out.unrolled = taken.unrolled;
  }
  if (draw.chance(65)) out.warps = draw.of({1, 2, 4, 8, 16});
  return out;
}

// Unnamed values are counted in each region anew: "_3" of the whole is "_1" of its second half.
std::string counted_anew(std::string_view text) {
  const auto is_word = [&](std::size_t at) {
    return std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' || text[at] == '.';
  };
  std::string out;
  std::vector<std::string_view> known;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(at)) {
      while (end < text.size() && is_word(end)) ++end;
    }
    const std::string_view word = text.substr(at, end - at);
    const bool unnamed = word.size() > 1 && word[0] == '_' && word.find_first_not_of("0123456789", 1) == word.npos;
    if (unnamed) {
      if (std::ranges::find(known, word) == known.end()) known.push_back(word);
      out += "_" + std::to_string(std::ranges::find(known, word) - known.begin() + 1);
    } else {
      out += word;
    }
    at = end;
  }
  return out;
}

// A region as two where one of its lines, which is drawn, gives a value a name of the text.
std::vector<PlannedRegion> halves(const PlannedRegion& region, Draw& draw) {
  const std::string& all = region.operators;
  std::vector<std::size_t> ends;
  for (std::size_t line = 0, end = all.find('\n'); end != std::string::npos;
       line = end + 1, end = all.find('\n', line)) {
    if (all[line] != '_') ends.push_back(end);
  }
  if (ends.empty() || !draw.chance(kCut)) return {region};
  const std::size_t end = draw.one_of(ends);
  return {{.name = region.name, .kind = region.kind, .operators = all.substr(0, end)},
          {.name = region.name, .kind = region.kind, .operators = counted_anew(all.substr(end + 1))}};
}

std::vector<PlannedRegion> rescheduled(const PlannedRegion& region, Draw& draw) {
  PlannedRegion out = region;
  out.schedule = drawn_schedule(region.schedule, draw);
  return {out};
}

}  // namespace

Rewritten with_drawn_plan(const syntax::SyntaxNode& module, const Facts& facts, std::string_view entry_point,
                          Rewritten solution, std::uint64_t seed) {
  Draw draw(seed);
  for (const auto& change : {halves, rescheduled}) {
    std::vector<PlannedRegion> plan = plan_of(solution);
    for (std::size_t i = 0; i < plan.size(); ++i) {
      for (int attempt = 0; attempt < kTries; ++attempt) {
        const std::vector<PlannedRegion> parts = change(plan[i], draw);
        std::vector<PlannedRegion> other = plan;
        other[i] = parts.front();
        other.insert(other.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.begin() + 1, parts.end());
        base::Result<Rewritten> made = lower_plan(module, facts, entry_point, other);
        if (!made.ok()) continue;
        solution = std::move(made).value();
        plan = std::move(other);
        i += parts.size() - 1;
        break;
      }
    }
  }
  return solution;
}

}  // namespace tritonrl::teacher
