#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/check.h"
#include "base/hash64.h"

namespace tritonrl::teacher {

// Random choices by integer arithmetic alone, so that a seed gives the same ones on every machine. Two draws never
// stand in one call's arguments or in the operands of one `+`: compilers evaluate these in different orders.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(base::mix64(seed)) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15;
    return base::mix64(state_);
  }
  // 0 to count - 1.
  int below(int count) {
    TRL_CHECK(count > 0, "a choice among nothing");
    return static_cast<int>((bits() >> 32) * static_cast<std::uint64_t>(count) >> 32);
  }
  int between(int least, int most) { return least + below(most - least + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <class T>
  const T& of(std::span<const T> items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }
  template <class T>
  T of(std::initializer_list<T> items) {
    return items.begin()[below(static_cast<int>(items.size()))];
  }
  template <class Items>
  const auto& one_of(const Items& items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }
  std::string_view word(std::initializer_list<std::string_view> words) { return of(words); }
  // The place of the choice; weights are whole numbers, not all 0.
  int weighted(std::span<const int> weights) {
    int total = 0;
    for (const int weight : weights) total += weight;
    int at = below(total);
    for (std::size_t place = 0; place < weights.size(); ++place) {
      if (at < weights[place]) return static_cast<int>(place);
      at -= weights[place];
    }
    return 0;
  }
  int weighted(std::initializer_list<int> weights) {
    return weighted(std::span<const int>(weights.begin(), weights.size()));
  }

 private:
  std::uint64_t state_;
};

}  // namespace tritonrl::teacher
