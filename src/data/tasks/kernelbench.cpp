#include "data/tasks/kernelbench.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <span>
#include <system_error>
#include <tuple>

#include "base/check.h"
#include "base/embedded_file.h"

namespace tritonrl::data {

std::span<const base::EmbeddedFile> degenerate_task_files();  // degenerate_tasks.txt, by cmake/embed.cmake

namespace {

constexpr int kLevels = 4;
constexpr std::string_view kLoose = "at 1e-2: ";

std::string_view take_word(std::string_view* line) {
  const std::size_t end = std::min(line->find(' '), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(std::min(end + 1, line->size()));
  return word;
}

// The number that a text is, or begins with; none: it does not begin with a digit.
std::optional<std::int64_t> leading_number(std::string_view text, std::string_view* rest = nullptr) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  if (rest != nullptr) *rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return number;
}

// 2 of "level2"; 0: no level's folder.
int level_of_folder(const std::string& name) {
  if (name.size() != 6 || !name.starts_with("level")) return 0;
  const int level = name[5] - '0';
  return level >= 1 && level <= kLevels ? level : 0;
}

using Place = std::tuple<int, std::int64_t, std::string_view>;

const std::map<Place, std::string>& degenerate_tasks() {
  static const std::map<Place, std::string> kTasks = [] {
    std::map<Place, std::string> tasks;
    std::string_view text = degenerate_task_files().front().text;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty() || line.front() == '#') continue;
      const std::string row(line);
      const auto level = leading_number(take_word(&line)), number = leading_number(take_word(&line));
      const std::string_view tolerance = take_word(&line), name = take_word(&line);
      TRL_CHECK(
          level.has_value() && number.has_value() && (tolerance == "strict" || tolerance == "loose") && !line.empty(),
          "degenerate_tasks.txt: " + row);
      std::string reason = tolerance == "loose" ? std::string(kLoose) : std::string();
      reason += line;
      const bool once = tasks.emplace(Place(static_cast<int>(*level), *number, name), std::move(reason)).second;
      TRL_CHECK(once, "degenerate_tasks.txt: twice: " + row);
    }
    return tasks;
  }();
  return kTasks;
}

std::vector<std::filesystem::path> files_of_level(const std::filesystem::path& folder) {
  std::vector<std::pair<std::int64_t, std::filesystem::path>> found;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (const auto place = benchmark_place(at->path())) found.emplace_back(place->problem, at->path());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::filesystem::path> files;
  for (auto& [number, file] : found) files.push_back(std::move(file));
  return files;
}

}  // namespace

std::optional<BenchmarkPlace> benchmark_place(const std::filesystem::path& file) {
  const int level = level_of_folder(file.parent_path().filename().string());
  if (level == 0 || file.extension() != ".py") return std::nullopt;
  const std::string name = file.stem().string();
  std::string_view rest;
  const auto number = leading_number(name, &rest);
  if (!number.has_value() || rest.size() < 2 || rest.front() != '_') return std::nullopt;
  return BenchmarkPlace{.level = level, .problem = *number, .name = name};
}

std::vector<std::filesystem::path> benchmark_files(const std::filesystem::path& folder) {
  const std::filesystem::path plain = folder.has_filename() ? folder : folder.parent_path();
  if (level_of_folder(plain.filename().string()) != 0) return files_of_level(plain);
  for (const std::filesystem::path& root : {plain, plain / "KernelBench"}) {
    std::vector<std::filesystem::path> files;
    for (int level = 1; level <= kLevels; ++level) {
      const auto more = files_of_level(root / ("level" + std::to_string(level)));
      files.insert(files.end(), more.begin(), more.end());
    }
    if (!files.empty()) return files;
  }
  return {};
}

std::string_view degenerate_reason(const BenchmarkPlace& place) {
  const auto found = degenerate_tasks().find(Place(place.level, place.problem, place.name));
  return found == degenerate_tasks().end() ? std::string_view() : std::string_view(found->second);
}

bool is_degenerate(const BenchmarkPlace& place) {
  return is_degenerate(degenerate_reason(place));
}

bool is_degenerate(std::string_view reason) {
  return !reason.empty() && !reason.starts_with(kLoose);
}

std::vector<BenchmarkPlace> all_degenerate_places() {
  std::vector<BenchmarkPlace> places;
  for (const auto& [place, reason] : degenerate_tasks()) {
    places.push_back(
        {.level = std::get<0>(place), .problem = std::get<1>(place), .name = std::string(std::get<2>(place))});
  }
  return places;
}

}  // namespace tritonrl::data
