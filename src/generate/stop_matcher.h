#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::generate {

// Looks for stop strings in text that arrives in parts, wherever the parts are cut. The first one that is complete
// counts; of two that end at the same byte the longer. Text that could still become a stop string is held back, so
// what was given out never has to be taken back.
class StopMatcher {
 public:
  // None of them empty. None at all: everything passes at once.
  explicit StopMatcher(std::vector<std::string> stop_strings);

  // The text that is certain not to be part of a stop string. Once stopped() it is empty.
  std::string add(std::string_view text);
  // What was held back, when nothing more follows; empty once stopped().
  std::string finish();

  bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> stops_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace tritonrl::generate
