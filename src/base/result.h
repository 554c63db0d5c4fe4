#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace tritonrl::base {

struct Failure {
  std::string message;  // one line that a person understands
};

// An expected outcome: a value, or why there is none.
template <class T>
class Result {
 public:
  Result(T value) : data_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : data_(std::in_place_index<1>, std::move(failure)) {}

  bool ok() const { return data_.index() == 0; }
  const T& value() const& {
    TRL_CHECK(ok(), "value() of a failure");
    return std::get<0>(data_);
  }
  T&& value() && {
    TRL_CHECK(ok(), "value() of a failure");
    return std::get<0>(std::move(data_));
  }
  const std::string& error() const {
    TRL_CHECK(!ok(), "error() of a value");
    return std::get<1>(data_).message;
  }

 private:
  std::variant<T, Failure> data_;
};

}  // namespace tritonrl::base
