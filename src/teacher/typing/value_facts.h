#pragma once

#include <deque>
#include <string>
#include <unordered_map>

#include "abstract/abstract_value.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

// Values of an evaluator and facts, each made of the other. Owns what the values that it makes point to.
class ValueFacts {
 public:
  // What is known of a value. Modules of torch.nn have their attributes; long lists are told only where `whole`.
  Fact fact_of(const abstract::Value& value, bool whole = false);
  // Of a module; lives as long as this. Another one when its attributes have become more.
  const Fact& module_fact(const abstract::Object& object);

  abstract::Value value_of(const Fact& fact);
  // One result as itself, several as a tuple.
  abstract::Value value_of(const std::vector<Fact>& results);

  abstract::Value tensor(program::DType dtype, Shape shape);
  abstract::Value tuple(std::vector<abstract::Value> items);
  abstract::Value sizes(const Shape& shape);
  // The shape of a tensor that this made, as a tuple; the same one every time.
  abstract::Value shape_of(const abstract::TensorType& type);

  static constexpr std::size_t kLongestList = 64;
  static constexpr int kDeepest = 4;

 private:
  struct Typed : abstract::TensorType {
    abstract::List* sizes = nullptr;
  };
  struct ModuleFact {
    const Fact* fact = nullptr;
    std::size_t attributes = 0, items = 0;
  };

  Fact fact_of(const abstract::Value& value, int depth, bool whole);
  Fact make_module_fact(const abstract::Object& object, int depth);

  std::deque<Typed> types_;
  std::deque<Fact> module_facts_;
  std::deque<abstract::List> lists_;
  std::deque<std::string> texts_;
  std::unordered_map<const abstract::Object*, ModuleFact> modules_;
};

}  // namespace tritonrl::teacher
