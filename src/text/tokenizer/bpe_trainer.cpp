#include "text/tokenizer/bpe_trainer.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::text {
namespace {

using Pair = std::pair<TokenId, TokenId>;
struct PairHash {
  std::size_t operator()(const Pair& pair) const {
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair.first)) << 32 |
                     static_cast<std::uint32_t>(pair.second);
    return static_cast<std::size_t>((key ^ key >> 31) * 0x9E3779B97F4A7C15u >> 16);
  }
};

// Those that are never merged of others, in the order of their ids.
std::vector<std::string> whole_tokens(const BpeTrainerOptions& options) {
  std::vector<std::string> out = options.special_tokens;
  out.insert(out.end(), options.fragments.begin(), options.fragments.end());
  return out;
}

// Merges the most frequent pair again and again; only the words that hold it are touched.
class PairMerger {
 public:
  explicit PairMerger(const BpeTrainerOptions& options) : options_(options) {}

  void start_vocabulary() {
    for (const std::string& token : whole_tokens(options_)) new_token(token);
    std::vector<std::size_t> order(256);
    for (std::size_t byte = 0; byte < 256; ++byte) order[byte] = byte;
    std::sort(order.begin(), order.end(), [](std::size_t a, std::size_t b) {
      return decode_valid_utf8(byte_alphabet()[a].data()).value < decode_valid_utf8(byte_alphabet()[b].data()).value;
    });
    for (const std::size_t byte : order) byte_ids_[byte] = new_token(byte_alphabet()[byte]);
  }

  void take_words(const std::vector<std::pair<std::string_view, std::int64_t>>& words) {
    words_.reserve(words.size());
    for (const auto& [text, count] : words) {
      Word word{{}, count};
      for (const char byte : text) word.tokens.push_back(byte_ids_[static_cast<unsigned char>(byte)]);
      const std::uint32_t index = static_cast<std::uint32_t>(words_.size());
      for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i) change(word.tokens[i], word.tokens[i + 1], count, index);
      words_.push_back(std::move(word));
    }
    requeue_changed();
  }

  void merge_until_full() {
    while (tokens_.size() < static_cast<std::size_t>(options_.vocab_size) && !queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      PairUse& use = pairs_.at(best.pair);
      if (best.count != use.count) continue;  // queued anew when its count changed
      if (best.count < std::max<std::int64_t>(options_.min_frequency, 1)) break;
      merge(best.pair, std::exchange(use.words, {}));
    }
  }

  TokenizerParts parts() && {
    TokenizerParts parts;
    parts.vocabulary = std::move(tokens_);
    parts.merges = std::move(merges_);
    parts.split = options_.split;
    parts.nfc = options_.nfc;
    const std::vector<std::string> whole = whole_tokens(options_);
    for (std::size_t id = 0; id < whole.size(); ++id) {
      const bool special = id < options_.special_tokens.size();
      parts.added.push_back({.id = static_cast<TokenId>(id), .content = whole[id], .special = special});
    }
    return parts;
  }

 private:
  struct Word {
    std::vector<TokenId> tokens;
    std::int64_t count;
  };
  struct PairUse {
    std::int64_t count = 0;
    std::vector<std::uint32_t> words;  // those that hold it, and perhaps some that did
    bool changed = false;
  };
  struct Candidate {
    std::int64_t count;
    Pair pair;
    // The most frequent first; of equals the one of older tokens.
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : pair > other.pair;
    }
  };

  TokenId new_token(const std::string& token) {
    const TokenId id = static_cast<TokenId>(tokens_.size());
    tokens_.push_back(token);
    ids_.emplace(token, id);
    return id;
  }

  std::size_t length(TokenId token) const {  // in bytes: one character of the alphabet each
    const std::string& text = tokens_[static_cast<std::size_t>(token)];
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }

  void change(TokenId left, TokenId right, std::int64_t by, std::uint32_t word) {
    const Pair pair(left, right);
    PairUse& use = pairs_[pair];
    use.count += by;
    if (by > 0 && (use.words.empty() || use.words.back() != word)) use.words.push_back(word);
    if (!use.changed) {
      use.changed = true;
      changed_.push_back(pair);
    }
  }

  void requeue_changed() {
    for (const Pair& pair : changed_) {
      PairUse& use = pairs_.at(pair);
      use.changed = false;
      if (use.count > 0 && !is_too_long(pair)) queue_.push({use.count, pair});
    }
    changed_.clear();
  }

  bool is_too_long(const Pair& pair) const {
    return options_.longest_token > 0 &&
           length(pair.first) + length(pair.second) > static_cast<std::size_t>(options_.longest_token);
  }

  void merge(const Pair& pair, const std::vector<std::uint32_t>& words) {
    const std::string& left = tokens_[static_cast<std::size_t>(pair.first)];
    const std::string& right = tokens_[static_cast<std::size_t>(pair.second)];
    merges_.emplace_back(left, right);
    const std::string joined = left + right;
    const auto known = ids_.find(joined);  // the same bytes may come together in more than one way
    const TokenId merged = known != ids_.end() ? known->second : new_token(joined);
    for (const std::uint32_t index : words) merge_in(index, pair, merged);
    requeue_changed();
  }

  void merge_in(std::uint32_t index, const Pair& pair, TokenId merged) {
    Word& word = words_[index];
    std::vector<TokenId>& tokens = word.tokens;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i, ++kept) {
      if (i + 1 == tokens.size() || tokens[i] != pair.first || tokens[i + 1] != pair.second) {
        tokens[kept] = tokens[i];
        continue;
      }
      change(pair.first, pair.second, -word.count, index);
      if (kept > 0) {
        change(tokens[kept - 1], pair.first, -word.count, index);
        change(tokens[kept - 1], merged, word.count, index);
      }
      if (i + 2 < tokens.size()) {
        change(pair.second, tokens[i + 2], -word.count, index);
        change(merged, tokens[i + 2], word.count, index);
      }
      tokens[kept] = merged;
      ++i;
    }
    tokens.resize(kept);
  }

  const BpeTrainerOptions& options_;
  std::vector<std::string> tokens_;  // by id, in the byte alphabet
  std::unordered_map<std::string, TokenId> ids_;
  TokenId byte_ids_[256] = {};
  std::vector<Word> words_;
  std::unordered_map<Pair, PairUse, PairHash> pairs_;
  std::vector<Pair> changed_;
  std::priority_queue<Candidate> queue_;
  std::vector<std::pair<std::string, std::string>> merges_;
};

BpeTrainerOptions checked(BpeTrainerOptions options) {
  const std::vector<std::string> whole = whole_tokens(options);
  std::vector<std::string> sorted = whole;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() || (!sorted.empty() && sorted[0].empty())) {
    throw base::UserError("text", "training a tokenizer: special tokens must be different and not empty");
  }
  for (const std::string& token : whole) {
    if (is_valid_utf8(token) && static_cast<std::size_t>(decode_valid_utf8(token.data()).length) < token.size())
      continue;
    throw base::UserError("text", "training a tokenizer: the special token `" + token +
                                      "` must be more than one character of UTF-8: one alone is a byte's token");
  }
  const std::size_t least = whole.size() + 256;
  if (options.vocab_size < 0 || static_cast<std::size_t>(options.vocab_size) < least) {
    throw base::UserError("text", "training a tokenizer: a vocabulary of " + std::to_string(options.vocab_size) +
                                      " is too small for the special tokens and the 256 bytes; ask for at least " +
                                      std::to_string(least));
  }
  return options;
}

}  // namespace

BpeTrainer::BpeTrainer(BpeTrainerOptions options)
    : options_(checked(std::move(options))), counts_(options_.split, options_.nfc, whole_tokens(options_)) {}

void BpeTrainer::add(std::string_view text) {
  counts_.add(text);
}

TokenizerParts BpeTrainer::train() const {
  PairMerger merger(options_);
  merger.start_vocabulary();
  merger.take_words(counts_.sorted());
  merger.merge_until_full();
  return std::move(merger).parts();
}

TokenizerParts train_bpe(std::span<const std::string> texts, const BpeTrainerOptions& options) {
  BpeTrainer trainer(options);
  for (const std::string& text : texts) trainer.add(text);
  return trainer.train();
}

}  // namespace tritonrl::text
