#include "teacher/families/sizes.h"

#include <algorithm>
#include <numeric>

namespace tritonrl::teacher {

namespace {

struct SizeLetter {
  char letter;
  std::string_view hint;
  int small_least, small_most;
  int real_least, real_most;  // drawn as a power of two, or 3/4 of one, between them
};

constexpr SizeLetter kSizeLetters[] = {
    {'B', "batch", 2, 6, 8, 128},
    {'C', "channels", 4, 24, 32, 256},
    {'O', "out_channels", 4, 24, 32, 256},
    {'H', "height", 5, 14, 24, 128},
    {'W', "width", 5, 14, 24, 128},
    {'P', "depth", 4, 8, 8, 32},
    {'T', "seq_len", 5, 20, 128, 1024},
    {'S', "src_len", 5, 20, 128, 1024},
    {'L', "length", 16, 48, 1024, 16384},
    {'D', "dim", 8, 48, 128, 1024},
    {'E', "hidden", 8, 48, 128, 2048},
    {'K', "classes", 3, 12, 16, 512},
    {'N', "num_points", 5, 16, 128, 1024},
    {'V', "vocab", 11, 40, 1024, 32768},
    {'G', "groups", 2, 5, 4, 8},
    {'R', "rank", 2, 7, 8, 64},
    {'J', "fields", 3, 9, 8, 32},
    {'M', "components", 3, 9, 4, 16},
    {'X', "in_features", 8, 48, 128, 2048},
    {'Y', "out_features", 8, 48, 128, 2048},
};

const SizeLetter* find_letter(char letter) {
  for (const SizeLetter& entry : kSizeLetters)
    if (entry.letter == letter) return &entry;
  return nullptr;
}

constexpr std::int64_t kSmallLimit = 6000;
constexpr std::int64_t kRealisticLeast = std::int64_t{1} << 20, kRealisticLimit = std::int64_t{1} << 25;

}  // namespace

std::size_t Sizes::index(char letter) {
  TRL_CHECK((letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z'), "a size that is no letter");
  return letter >= 'a' ? static_cast<std::size_t>(letter - 'a') + 26 : static_cast<std::size_t>(letter - 'A');
}

std::string_view Sizes::hint(char letter) {
  const SizeLetter* const entry = find_letter(letter);
  return entry == nullptr ? "size" : entry->hint;
}

void Sizes::need(std::string_view shape) {
  TRL_CHECK(!fixed_, "sizes are drawn already");
  shapes_.emplace_back(shape);
}

void Sizes::multiple(char letter, int of) {
  int& before = multiples_[index(letter)];
  before = before == 0 ? of : std::lcm(before, of);
}

void Sizes::at_least(char letter, int value) {
  least_[index(letter)] = std::max(least_[index(letter)], value);
}

int Sizes::drawn(char letter) {
  const SizeLetter* const entry = find_letter(letter);
  TRL_CHECK(entry != nullptr, "a letter without a meaning");
  const int step = std::max(1, multiples_[index(letter)]);
  const int least = std::max(least_[index(letter)], step);
  int value;
  if (realistic_) {
    int steps = 0;
    while (entry->real_least << (steps + 1) <= entry->real_most) ++steps;
    value = entry->real_least << draw_.between(0, steps);
    if (value >= 8 && draw_.chance(25)) value = value / 4 * 3;
    if (draw_.chance(10)) value += draw_.between(1, 7);
  } else {
    value = draw_.between(entry->small_least, entry->small_most);
    if (draw_.chance(30) && value >= 8) value = value / 8 * 8;
  }
  value = std::max(least, (value + step - 1) / step * step);
  return (value + step - 1) / step * step;
}

std::int64_t Sizes::product(std::string_view shape) const {
  std::int64_t result = 1;
  for (const char letter : shape) result *= (*this)[letter];
  return result;
}

int Sizes::operator[](char letter) const {
  if (letter >= '1' && letter <= '9') return letter - '0';
  const int value = values_[index(letter)];
  TRL_CHECK(value > 0, "a size that nobody drew");
  return value;
}

void Sizes::shrink(std::string_view shape, std::int64_t limit) {
  for (int round = 0; product(shape) > limit && round < 40; ++round) {
    // The batch gives way first, then whatever is largest.
    char largest = 0;
    for (const char letter : shape) {
      if (letter < 'A') continue;
      const std::size_t at = index(letter);
      const int floor = std::max(2, std::max(multiples_[at], least_[at]));
      if (values_[at] / 2 < floor) continue;
      if (letter == 'B' && values_[at] > 4) {
        largest = letter;
        break;
      }
      if (largest == 0 || values_[at] > values_[index(largest)]) largest = letter;
    }
    if (largest == 0) return;
    const int step = std::max(1, multiples_[index(largest)]);
    int& value = values_[index(largest)];
    value = std::max(step, value / 2 / step * step);
  }
}

void Sizes::grow(std::string_view shape) {
  // The first dimension is the batch, or the only one.
  if (shape.empty() || multiples_[index(shape[0])] > 1) return;
  while (product(shape) < kRealisticLeast) values_[index(shape[0])] *= 2;
}

void Sizes::fix() {
  fixed_ = true;
  std::string seen;
  for (const std::string& shape : shapes_)
    for (const char letter : shape) {
      if (letter < 'A' || letter > 'Z' || seen.find(letter) != std::string::npos) continue;
      int value = drawn(letter);
      for (int round = 0; round < 6; ++round) {
        bool taken = false;
        for (const char other : seen) taken = taken || values_[index(other)] == value;
        if (!taken) break;
        value = drawn(letter);
      }
      values_[index(letter)] = value;
      seen += letter;
    }
  const std::int64_t limit = (realistic_ ? kRealisticLimit : kSmallLimit) / room_;
  const auto capitals_of = [](const std::string& shape) {
    std::string capitals;
    for (const char letter : shape)
      if (letter >= 'A' && letter <= 'Z') capitals += letter;
    return capitals;
  };
  if (realistic_ && !shapes_.empty()) {
    const std::string* largest = &shapes_.front();
    for (const std::string& shape : shapes_)
      if (product(capitals_of(shape)) > product(capitals_of(*largest))) largest = &shape;
    grow(capitals_of(*largest));
  }
  for (const std::string& shape : shapes_) shrink(capitals_of(shape), limit);
}

}  // namespace tritonrl::teacher
