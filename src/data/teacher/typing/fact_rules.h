#pragma once

#include <deque>
#include <string>

#include "data/labels/tensor_rules.h"
#include "data/teacher/infer_facts.h"
#include "data/teacher/typing/table_call.h"
#include "data/teacher/typing/value_facts.h"

namespace tritonrl::data::teacher {

// The rules of the operator table for an evaluator, and the facts of everything that it evaluates.
class FactRules : public TensorRules {
 public:
  explicit FactRules(const InferOptions& options) : options_(options), table_(&values_) { facts_.reserve(kUsualFacts); }

  void saw(const python::SyntaxNode& node, const Value& value, bool quietly) override;
  std::optional<Value> call(std::string_view path, const Arguments& arguments) override;
  std::optional<Value> method(const Value& tensor, std::string_view name, const Arguments& arguments) override;
  std::optional<Value> sign(std::string_view op, const Value& left, const Value* right) override;
  std::optional<Value> item(const Value& tensor, const Value& index) override;
  std::optional<Value> attribute(const Value& tensor, std::string_view name) override;
  std::optional<Value> name(std::string_view path) override;
  std::optional<List> items(const Value& tensor) override;
  void made(Object* object, std::string_view path, const Arguments& arguments) override;
  std::optional<Value> layer(const Object& object, const Arguments& arguments) override;

  Facts take_facts() { return std::move(facts_); }
  // The first expression of forward that may be a tensor and of which nothing is known; null: none.
  const python::SyntaxNode* missing() const { return missing_; }

 private:
  static constexpr std::size_t kUsualFacts = 512;

  InferOptions options_;
  ValueFacts values_;
  TableCall table_;
  Facts facts_;
  std::deque<std::string> texts_;
  const python::SyntaxNode* missing_ = nullptr;
};

}  // namespace tritonrl::data::teacher
