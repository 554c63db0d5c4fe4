#include "text/tokenizer/frequent_fragments.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tritonrl::text {
namespace {

constexpr int kDocumentEnd = -1;  // of a document: nothing reaches over it
constexpr int kRoundMerges = 16;  // pairs that are joined between two counts
constexpr std::int64_t kLeastMet = 20;

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

// A word, a run of blanks, a new line with its indentation, or one sign.
std::size_t piece_length(std::string_view text) {
  std::size_t end = 1;
  if (is_of_word(text[0])) {
    while (end < text.size() && is_of_word(text[end])) ++end;
  } else if (text[0] == ' ' || text[0] == '\n') {
    while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) ++end;
  }
  return end;
}

class FragmentFinder {
 public:
  explicit FragmentFinder(const FragmentOptions& options) : options_(options) {}

  void add(std::string_view text) {
    while (!text.empty()) {
      const std::string_view piece = text.substr(0, piece_length(text));
      const auto [found, fresh] = ids_.try_emplace(std::string(piece), static_cast<int>(texts_.size()));
      if (fresh) {
        texts_.emplace_back(piece);
        pieces_.push_back(1);
      }
      symbols_.push_back(found->second);
      text.remove_prefix(piece.size());
    }
    symbols_.push_back(kDocumentEnd);
  }

  // Joins the pairs that are met most often until enough is joined, or nothing is met often.
  void join() {
    const std::size_t wanted = texts_.size() + 4 * options_.count;
    while (texts_.size() < wanted) {
      if (!join_most_frequent(wanted)) return;
    }
  }

  // What is left of the joined ones, by the tokens that each saves.
  std::vector<std::pair<std::int64_t, std::string>> savings() const {
    std::vector<std::int64_t> met(texts_.size(), 0);
    for (const int symbol : symbols_) {
      if (symbol != kDocumentEnd) ++met[static_cast<std::size_t>(symbol)];
    }
    std::vector<std::pair<std::int64_t, std::string>> out;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (pieces_[i] < 3 || met[i] < kLeastMet) continue;
      out.emplace_back(met[i] * (pieces_[i] - 1), texts_[i]);
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    return out;
  }

 private:
  static std::uint64_t key(int left, int right) {
    return (static_cast<std::uint64_t>(left) << 32) | static_cast<std::uint32_t>(right);
  }

  bool join_most_frequent(std::size_t wanted) {
    std::unordered_map<std::uint64_t, std::int64_t> pairs;
    for (std::size_t i = 0; i + 1 < symbols_.size(); ++i) {
      if (symbols_[i] != kDocumentEnd && symbols_[i + 1] != kDocumentEnd) ++pairs[key(symbols_[i], symbols_[i + 1])];
    }
    std::vector<std::pair<std::int64_t, std::uint64_t>> order;
    for (const auto& [pair, count] : pairs) {
      if (count >= kLeastMet) order.emplace_back(count, pair);
    }
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::unordered_map<std::uint64_t, int> joined;
    std::vector<bool> used(texts_.size(), false);  // a symbol takes part in one pair a round: counts stay right
    for (const auto& [count, pair] : order) {
      const auto left = static_cast<std::size_t>(pair >> 32), right = static_cast<std::size_t>(pair & 0xffffffff);
      if (used[left] || used[right] || texts_[left].size() + texts_[right].size() > options_.longest) continue;
      used[left] = used[right] = true;
      joined.emplace(pair, static_cast<int>(texts_.size()));
      texts_.push_back(texts_[left] + texts_[right]);
      pieces_.push_back(pieces_[left] + pieces_[right]);
      if (joined.size() >= kRoundMerges || texts_.size() >= wanted) break;
    }
    if (joined.empty()) return false;
    std::vector<int> out;
    out.reserve(symbols_.size());
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (i + 1 < symbols_.size() && symbols_[i] != kDocumentEnd && symbols_[i + 1] != kDocumentEnd) {
        if (const auto found = joined.find(key(symbols_[i], symbols_[i + 1])); found != joined.end()) {
          out.push_back(found->second);
          ++i;
          continue;
        }
      }
      out.push_back(symbols_[i]);
    }
    symbols_ = std::move(out);
    return true;
  }

  const FragmentOptions& options_;
  std::unordered_map<std::string, int> ids_;
  std::vector<std::string> texts_;    // by symbol
  std::vector<std::int64_t> pieces_;  // that it was joined of
  std::vector<int> symbols_;
};

// A word at the end would be cut out of longer ones ("mask=m" out of "mask=mask").
bool ends_between_words(const std::string& text) {
  return !is_of_word(text.back());
}

}  // namespace

std::vector<std::string> frequent_fragments(std::span<const std::string> answers, std::span<const std::string> prompts,
                                            const FragmentOptions& options) {
  FragmentFinder finder(options);
  std::size_t bytes = 0;
  for (const std::string& answer : answers) {
    if (bytes + answer.size() > options.most_bytes) break;
    bytes += answer.size();
    finder.add(answer);
  }
  finder.join();
  std::vector<std::string> out;
  for (const auto& saving : finder.savings()) {
    const std::string& text = saving.second;
    if (out.size() >= options.count) break;
    if (!ends_between_words(text)) continue;
    const bool read =
        std::ranges::any_of(prompts, [&](const std::string& prompt) { return prompt.find(text) != std::string::npos; });
    if (!read) out.push_back(text);
  }
  return out;
}

}  // namespace tritonrl::text
