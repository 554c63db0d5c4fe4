#include "text/tokenizer/word_merger.h"

#include <algorithm>
#include <queue>

namespace tritonrl::text {
namespace {

// Up to here a linear search for the best pair is faster than a queue.
constexpr std::size_t kShort = 48;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

}  // namespace

void WordMerger::append(std::string_view word, std::vector<TokenId>& out) const {
  const std::size_t begin = out.size();
  start(word, out);
  if (out.size() - begin < 2) return;
  if (out.size() - begin <= kShort) {
    merge_short(out, begin);
  } else {
    merge_long(out, begin);
  }
}

void WordMerger::start(std::string_view word, std::vector<TokenId>& out) const {
  bool after_unknown = false;
  for (const char c : word) {
    const std::optional<TokenId>& id = bytes_.ids[static_cast<unsigned char>(c)];
    if (id.has_value()) {
      out.push_back(*id);
    } else if (bytes_.unknown.has_value() && !(after_unknown && bytes_.fuse_unknown)) {
      out.push_back(*bytes_.unknown);
    }
    after_unknown = !id.has_value();
  }
}

void WordMerger::merge_short(std::vector<TokenId>& out, std::size_t begin) const {
  TokenId* const tokens = out.data() + begin;
  std::size_t count = out.size() - begin;
  MergeTable::Merge merges[kShort];  // [i]: of tokens i and i+1
  for (std::size_t i = 0; i + 1 < count; ++i) merges[i] = merges_.find(tokens[i], tokens[i + 1]);
  while (count > 1) {
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      if (merges[i].rank < merges[best].rank) best = i;
    }
    if (merges[best].rank == MergeTable::kNoRank) break;
    tokens[best] = merges[best].token;
    --count;
    for (std::size_t i = best + 1; i < count; ++i) tokens[i] = tokens[i + 1];
    for (std::size_t i = best; i + 1 < count; ++i) merges[i] = merges[i + 1];
    if (best + 1 < count) merges[best] = merges_.find(tokens[best], tokens[best + 1]);
    if (best > 0) merges[best - 1] = merges_.find(tokens[best - 1], tokens[best]);
  }
  out.resize(begin + count);
}

void WordMerger::merge_long(std::vector<TokenId>& out, std::size_t begin) const {
  struct Symbol {
    TokenId token;
    std::uint32_t previous, next;  // kNone at the ends
    bool alive;
  };
  struct Candidate {
    std::uint32_t rank, position;
    TokenId left, right;  // what stood there; if it does no more, the candidate is stale
    TokenId merged;
    bool operator>(const Candidate& other) const {
      return rank != other.rank ? rank > other.rank : position > other.position;
    }
  };
  const std::size_t count = out.size() - begin;
  std::vector<Symbol> symbols(count);
  for (std::size_t i = 0; i < count; ++i) {
    symbols[i] = {out[begin + i], i == 0 ? kNone : static_cast<std::uint32_t>(i - 1),
                  i + 1 == count ? kNone : static_cast<std::uint32_t>(i + 1), true};
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto consider = [&](std::uint32_t position) {
    const TokenId left = symbols[position].token;
    const TokenId right = symbols[symbols[position].next].token;
    const MergeTable::Merge merge = merges_.find(left, right);
    if (merge.rank != MergeTable::kNoRank) queue.push({merge.rank, position, left, right, merge.token});
  };
  for (std::size_t i = 0; i + 1 < count; ++i) consider(static_cast<std::uint32_t>(i));
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbols[best.position];
    if (!left.alive || left.token != best.left || left.next == kNone) continue;
    Symbol& right = symbols[left.next];
    if (right.token != best.right) continue;
    left.token = best.merged;
    right.alive = false;
    left.next = right.next;
    if (left.next != kNone) {
      symbols[left.next].previous = best.position;
      consider(best.position);
    }
    if (left.previous != kNone) consider(left.previous);
  }
  out.resize(begin);
  for (std::uint32_t i = 0; i != kNone; i = symbols[i].next) out.push_back(symbols[i].token);
}

}  // namespace tritonrl::text
