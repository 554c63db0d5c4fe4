#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "program/program.h"
#include "record/verdict.h"

namespace tritonrl::judge {

// What is wrong with a candidate, with enough text for a person to agree.
struct Violation {
  std::string message;
  program::SourceLine line = {};                         // of a recorded program; file -1: no single line
  std::string advice = {};                               // what to change
  std::optional<record::SourcePlace> at = std::nullopt;  // where it is known without a program
  std::string expected = {}, got = {};                   // of the first wrong element
};
using Checked = std::optional<Violation>;

// What ends a trial. Whoever finds it writes it down (TrialLog::refuse); the funnel makes the verdict of it.
struct Finding {
  record::VerdictKind kind = record::VerdictKind::kWrong;
  std::string rule;  // empty where the kind says it all
  Violation what;
};

// The product of a stage, or the finding that ends the trial there.
template <class Product>
class Reached {
 public:
  Reached(Product product) : value_(std::move(product)) {}
  Reached(Finding finding) : value_(std::move(finding)) {}

  explicit operator bool() const { return value_.index() == 0; }
  Product& operator*() { return std::get<0>(value_); }
  Product* operator->() { return &std::get<0>(value_); }
  const Finding& finding() const { return std::get<1>(value_); }

 private:
  std::variant<Product, Finding> value_;
};

}  // namespace tritonrl::judge
