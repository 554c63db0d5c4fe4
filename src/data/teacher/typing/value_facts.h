#pragma once

#include <deque>
#include <string>
#include <unordered_map>

#include "data/labels/abstract_value.h"
#include "data/teacher/facts.h"

namespace tritonrl::data::teacher {

// Values of an evaluator and facts, each made of the other. Owns what the values that it makes point to.
class ValueFacts {
 public:
  // What is known of a value. Modules of torch.nn have their attributes; long lists are told only where `whole`.
  Fact fact_of(const Value& value, bool whole = false);
  // Of a module; lives as long as this. Another one when its attributes have become more.
  const Fact& module_fact(const Object& object);

  Value value_of(const Fact& fact);
  // One result as itself, several as a tuple.
  Value value_of(const std::vector<Fact>& results);

  Value tensor(program::DType dtype, Shape shape);
  Value tuple(std::vector<Value> items);
  Value sizes(const Shape& shape);
  // The shape of a tensor that this made, as a tuple; the same one every time.
  Value shape_of(const TensorType& type);

  static constexpr std::size_t kLongestList = 64;
  static constexpr int kDeepest = 4;

 private:
  struct Typed : TensorType {
    List* sizes = nullptr;
  };
  struct ModuleFact {
    const Fact* fact = nullptr;
    std::size_t attributes = 0, items = 0;
  };

  Fact fact_of(const Value& value, int depth, bool whole);
  Fact make_module_fact(const Object& object, int depth);

  std::deque<Typed> types_;
  std::deque<Fact> module_facts_;
  std::deque<List> lists_;
  std::deque<std::string> texts_;
  std::unordered_map<const Object*, ModuleFact> modules_;
};

}  // namespace tritonrl::data::teacher
