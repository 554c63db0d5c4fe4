#include "text/tokenizer/word_merger.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace tritonrl::text {
namespace {

// The definition: again and again the best-ranked pair, the leftmost of it.
std::vector<TokenId> merge_by_definition(std::vector<TokenId> tokens,
                                         const std::map<std::pair<TokenId, TokenId>, MergeTable::Merge>& merges) {
  while (true) {
    std::size_t best = tokens.size();
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const auto merge = merges.find({tokens[i], tokens[i + 1]});
      if (merge == merges.end()) continue;
      if (best == tokens.size() || merge->second.rank < merges.at({tokens[best], tokens[best + 1]}).rank) best = i;
    }
    if (best == tokens.size()) return tokens;
    tokens[best] = merges.at({tokens[best], tokens[best + 1]}).token;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

// Random vocabularies over four letters, in which a text can come together in many ways; short and long words.
TEST(WordMerger, MergesByDefinition) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> texts = {"a", "b", "c", "d"};
    std::map<std::string, TokenId> ids = {{"a", 0}, {"b", 1}, {"c", 2}, {"d", 3}};
    std::map<std::pair<TokenId, TokenId>, MergeTable::Merge> merges;
    for (std::uint32_t rank = 0; rank < 40; ++rank) {
      const TokenId left = static_cast<TokenId>(random() % texts.size());
      const TokenId right = static_cast<TokenId>(random() % texts.size());
      const std::string joined = texts[static_cast<std::size_t>(left)] + texts[static_cast<std::size_t>(right)];
      if (joined.size() > 12 || merges.contains({left, right})) continue;
      const auto [id, is_new] = ids.emplace(joined, static_cast<TokenId>(texts.size()));
      if (is_new) texts.push_back(joined);
      merges[{left, right}] = {rank, id->second};
    }
    MergeTable table(merges.size());
    for (const auto& [pair, merge] : merges) table.set(pair.first, pair.second, merge);
    WordMerger::Bytes bytes;
    for (int i = 0; i < 4; ++i) bytes.ids[static_cast<std::size_t>('a' + i)] = i;
    const WordMerger merger(bytes, std::move(table));
    for (const std::size_t length : {1, 2, 7, 47, 48, 49, 150}) {
      std::string word;
      std::vector<TokenId> tokens;
      for (std::size_t i = 0; i < length; ++i) {
        tokens.push_back(static_cast<TokenId>(random() % (round % 4 + 1)));
        word.push_back(static_cast<char>('a' + tokens.back()));
      }
      std::vector<TokenId> out = {99};  // what is there before stays
      merger.append(word, out);
      ASSERT_EQ(out[0], 99);
      ASSERT_EQ(std::vector<TokenId>(out.begin() + 1, out.end()), merge_by_definition(tokens, merges)) << word;
    }
  }
}

}  // namespace
}  // namespace tritonrl::text
