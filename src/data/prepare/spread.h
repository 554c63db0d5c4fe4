#pragma once

#include <cstdint>
#include <map>

namespace tritonrl::base {
class FieldVisitor;
}

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

  // All of it, and its mean and quantiles for a reader.
  void fields(base::FieldVisitor& field);

 private:
  std::int64_t count_ = 0, sum_ = 0, largest_ = 0;
  std::map<int, std::int64_t> steps_;
};

}  // namespace tritonrl::data
