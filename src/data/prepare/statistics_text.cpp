#include <algorithm>
#include <cstdio>

#include "data/prepare/statistics.h"

namespace tritonrl::data {
namespace {

constexpr std::size_t kOperators = 24;  // shown, the most frequent

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char line[512];
  std::snprintf(line, sizeof(line), pattern, values...);
  return line;
}

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string reasons_text(const Statistics& statistics) {
  std::string out;
  for (const auto& [reason, count] : statistics.left_out) {
    out += format("  left out  %-18s %9lld\n", reason.c_str(), static_cast<long long>(count));
    const auto named = statistics.named.find(reason);
    if (named == statistics.named.end()) continue;
    for (const std::string& name : named->second) out += "              " + name.substr(0, 160) + "\n";
  }
  for (const auto& [reason, count] : statistics.task_only)
    out += format("  task only %9lld  %s\n", static_cast<long long>(count), reason.c_str());
  return out;
}

std::string levels_text(const Statistics& statistics) {
  std::string out = format("\n%-12s %9s %9s %9s %9s %9s\n", "split", "tasks", "pairs", "level 1", "level 2", "level 3");
  for (const record::Split split : record::kSplits) {
    const auto& tasks = statistics.tasks[static_cast<std::size_t>(split)];
    const auto& pairs = statistics.pairs[static_cast<std::size_t>(split)];
    out += format("%-12s %9lld %9lld %9lld %9lld %9lld\n", record::to_string(split).c_str(),
                  static_cast<long long>(tasks[1] + tasks[2] + tasks[3]),
                  static_cast<long long>(pairs[1] + pairs[2] + pairs[3]), static_cast<long long>(tasks[1]),
                  static_cast<long long>(tasks[2]), static_cast<long long>(tasks[3]));
  }
  out += format("labelled from the recorded program %lld, from the text %lld\n",
                static_cast<long long>(statistics.labelled_by_program),
                static_cast<long long>(statistics.kept() - statistics.labelled_by_program));
  if (statistics.degenerate > 0)
    out += format("marked as degenerate %lld\n", static_cast<long long>(statistics.degenerate));
  if (statistics.not_runnable > 0)
    out += format("without get_inputs or not recordable, so not to be judged %lld\n",
                  static_cast<long long>(statistics.not_runnable));
  return out;
}

std::string operators_text(const Statistics& statistics) {
  std::vector<std::pair<std::string, std::int64_t>> operators(statistics.operators.begin(), statistics.operators.end());
  std::stable_sort(operators.begin(), operators.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (operators.empty()) return "";
  std::string out = format("\noperators (%zu kinds; tasks that use each)\n", operators.size());
  for (std::size_t i = 0; i < std::min(operators.size(), kOperators); ++i) {
    out += format("  %-22s %8lld", operators[i].first.c_str(), static_cast<long long>(operators[i].second));
    if (i % 3 == 2 || i + 1 == std::min(operators.size(), kOperators)) out += "\n";
  }
  return out;
}

std::string spreads_text(const Statistics& statistics) {
  std::string out = format("\n%-28s %10s %10s %10s %10s\n", "lengths", "mean", "median", "95 %", "largest");
  const auto row = [&](const std::string& name, const Spread& spread) {
    if (spread.count() == 0) return;
    out += format("%-28s %10.0f %10.0f %10.0f %10lld\n", name.c_str(), spread.mean(), spread.quantile(0.5),
                  spread.quantile(0.95), static_cast<long long>(spread.largest()));
  };
  const std::string unit = statistics.token_unit + " tokens";
  row("instruction, " + unit, statistics.instruction_tokens);
  row("output, " + unit, statistics.output_tokens);
  row("module, bytes", statistics.code_bytes);
  row("output, bytes", statistics.output_bytes);
  return out;
}

using Confusion = std::array<std::array<std::int64_t, 4>, 5>;

std::string confusion_text(const char* title, const Confusion& confusion) {
  std::int64_t in_all = 0, agree = 0;
  std::string out = format("\n%s\n%-12s %9s %9s %9s\n", title, "own level", "label 1", "label 2", "label 3");
  for (std::size_t own = 1; own <= 4; ++own) {
    const auto& row = confusion[own];
    const std::int64_t sum = row[1] + row[2] + row[3];
    if (sum == 0) continue;
    out += format("%-12zu %9lld %9lld %9lld\n", own, static_cast<long long>(row[1]), static_cast<long long>(row[2]),
                  static_cast<long long>(row[3]));
    if (own == 4) continue;  // whole models of another library: there is no such label
    in_all += sum;
    agree += row[own];
  }
  if (in_all == 0) return "";
  return out + format("agree on %lld of %lld of levels 1 to 3: %.1f %%\n", static_cast<long long>(agree),
                      static_cast<long long>(in_all), share(agree, in_all));
}

std::string verdicts_text(const Statistics& statistics) {
  std::int64_t judged = 0;
  for (const auto& [kind, count] : statistics.verdicts) judged += count;
  if (judged == 0) return "";
  std::string out = format("\nsolutions judged %lld\n", static_cast<long long>(judged));
  for (const auto& [kind, count] : statistics.verdicts)
    out += format("  %-22s %9lld  %5.1f %%\n", kind.c_str(), static_cast<long long>(count), share(count, judged));
  return out;
}

std::string packages_text(const Statistics& statistics) {
  if (statistics.packages.empty()) return "";
  std::string out = format("\n%-32s %8s %8s  %s\n", "package", "classes", "pairs", "the others");
  for (const auto& [name, counts] : statistics.packages) {
    std::int64_t classes = 0;
    std::string others;
    for (const auto& [kind, count] : counts) {
      classes += count;
      if (kind != "pair") others += (others.empty() ? "" : ", ") + kind + " " + std::to_string(count);
    }
    const auto pairs = counts.find("pair");
    out += format("%-32s %8lld %8lld  %s\n", name.c_str(), static_cast<long long>(classes),
                  static_cast<long long>(pairs == counts.end() ? 0 : pairs->second), others.c_str());
  }
  return out;
}

}  // namespace

std::string to_text(const Statistics& statistics) {
  std::string out = format("%lld read, %lld kept (%lld with a solution)\n", static_cast<long long>(statistics.read),
                           static_cast<long long>(statistics.kept()), static_cast<long long>(statistics.kept_pairs()));
  out += reasons_text(statistics) + levels_text(statistics);
  out += confusion_text("labels against KernelBench's own levels, all tasks", statistics.confusion);
  out += confusion_text("the odd-numbered tasks alone", statistics.odd_confusion);
  return out + operators_text(statistics) + spreads_text(statistics) + verdicts_text(statistics) +
         packages_text(statistics);
}

}  // namespace tritonrl::data
