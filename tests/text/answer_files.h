#pragma once

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "tests/paths.h"

namespace tritonrl::text {

// One file of tests/text/answers: an answer, a line "=====EXPECTED=====" with words that the reason must hold,
// and the code wanted, or "NOT FOUND: " with words that the reason must hold.
struct AnswerFile {
  std::string name;
  std::string answer;
  bool found = true;
  std::string code;
  std::string reason;
};

inline void PrintTo(const AnswerFile& file, std::ostream* out) {
  *out << file.name;
}

inline AnswerFile parse_answer_file(std::string name, std::string_view text) {
  constexpr std::string_view kSeparator = "=====EXPECTED=====";
  constexpr std::string_view kNotFound = "NOT FOUND: ";
  AnswerFile file;
  file.name = std::move(name);
  std::size_t at = text.find(kSeparator);
  file.answer = text.substr(0, at);
  std::string_view expected = text.substr(at + kSeparator.size());
  std::size_t line_end = expected.find('\n');
  if (line_end > 1) file.reason = expected.substr(1, line_end - 1);
  expected.remove_prefix(line_end + 1);
  file.found = !expected.starts_with(kNotFound);
  if (file.found) {
    file.code = expected;
  } else {
    file.reason = expected.substr(kNotFound.size(), expected.find('\n') - kNotFound.size());
  }
  return file;
}

// Sorted by name; an unreadable file throws.
inline std::vector<AnswerFile> read_answer_files() {
  std::vector<AnswerFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("tests/text/answers"))) {
    files.push_back(parse_answer_file("n" + entry.path().stem().string(), base::read_file(entry.path())));
  }
  std::sort(files.begin(), files.end(), [](const AnswerFile& a, const AnswerFile& b) { return a.name < b.name; });
  return files;
}

}  // namespace tritonrl::text
