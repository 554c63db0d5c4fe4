#pragma once

#include <cstdint>
#include <map>

namespace tritonrl::data {

// The distribution of a quantity, in constant memory: numbers are counted in steps of five per cent.
class Spread {
 public:
  void add(std::int64_t value);
  std::int64_t count() const { return count_; }
  std::int64_t largest() const { return largest_; }
  double mean() const;
  // The value below which this share lies, to five per cent; 0 where nothing was added.
  double quantile(double share) const;

  // For a run that goes on later.
  struct State {
    std::int64_t count = 0, sum = 0, largest = 0;
    std::map<int, std::int64_t> steps;
  };
  State state() const { return {count_, sum_, largest_, steps_}; }
  static Spread from(const State& state);

 private:
  std::int64_t count_ = 0, sum_ = 0, largest_ = 0;
  std::map<int, std::int64_t> steps_;
};

}  // namespace tritonrl::data
