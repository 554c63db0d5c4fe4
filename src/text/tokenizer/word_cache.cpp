#include "text/tokenizer/word_cache.h"

#include <array>
#include <memory>
#include <utility>

namespace tritonrl::text {

WordCache& WordCache::of(std::uint64_t tables) {
  // A process seldom uses more than a policy's and a reference model's tokenizer at a time.
  struct Held {
    std::uint64_t tables = 0;
    std::unique_ptr<WordCache> cache;
  };
  thread_local std::array<Held, 2> held;  // the one used last is first
  if (held[0].cache == nullptr || held[0].tables != tables) {
    std::swap(held[0], held[1]);
    if (held[0].cache == nullptr || held[0].tables != tables) {
      held[0] = {tables, std::make_unique<WordCache>()};
    }
  }
  return *held[0].cache;
}

}  // namespace tritonrl::text
