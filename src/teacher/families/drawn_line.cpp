#include "teacher/families/drawn_line.h"

#include <algorithm>

namespace tritonrl::teacher {
namespace {

std::string_view take_part(std::string_view* line) {
  constexpr std::string_view kBetween = "; ";
  const std::size_t end = std::min(line->find(kBetween), line->size());
  const std::string_view part = line->substr(0, end);
  line->remove_prefix(std::min(end + kBetween.size(), line->size()));
  return part;
}

}  // namespace

DrawnLine::DrawnLine(const program::OperatorEntry& entry) : line_(entry.text("drawn")) {}

bool DrawnLine::has_way(std::string_view way) const {
  std::string_view rest = line_, first = take_part(&rest);
  while (!first.empty()) {
    if (program::take_word(&first) == way) return true;
  }
  return false;
}

std::string_view DrawnLine::text(std::string_view key) const {
  for (std::string_view rest = line_; !rest.empty();) {
    std::string_view part = take_part(&rest);
    if (program::take_word(&part) == key) return part;
  }
  return {};
}

int DrawnLine::number(std::string_view key) const {
  const std::string_view digits = text(key);
  return digits.empty() ? 0 : static_cast<int>(program::number_in(digits, line_));
}

std::string_view layer_of(const program::OperatorEntry& entry) {
  const std::string_view line = entry.text("layer");
  return line.substr(0, line.find('('));
}

}  // namespace tritonrl::teacher
