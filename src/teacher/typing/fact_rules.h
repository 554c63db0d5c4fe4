#pragma once

#include <deque>
#include <string>

#include "abstract/tensor_rules.h"
#include "teacher/typing/infer_facts.h"
#include "teacher/typing/table_call.h"
#include "teacher/typing/value_facts.h"

namespace tritonrl::teacher {

// The rules of the operator table for an evaluator, and the facts of everything that it evaluates.
class FactRules : public abstract::TensorRules {
 public:
  explicit FactRules(const InferOptions& options) : options_(options), table_(&values_) { facts_.reserve(kUsualFacts); }

  void saw(const syntax::SyntaxNode& node, const abstract::Value& value, bool quietly) override;
  std::optional<abstract::Value> call(std::string_view path, const abstract::Arguments& arguments) override;
  std::optional<abstract::Value> method(const abstract::Value& tensor, std::string_view name,
                                        const abstract::Arguments& arguments) override;
  std::optional<abstract::Value> sign(std::string_view op, const abstract::Value& left,
                                      const abstract::Value* right) override;
  std::optional<abstract::Value> item(const abstract::Value& tensor, const abstract::Value& index) override;
  std::optional<abstract::Value> attribute(const abstract::Value& tensor, std::string_view name) override;
  std::optional<abstract::Value> name(std::string_view path) override;
  std::optional<abstract::List> items(const abstract::Value& tensor) override;
  void made(abstract::Object* object, std::string_view path, const abstract::Arguments& arguments) override;
  std::optional<abstract::Value> layer(const abstract::Object& object, const abstract::Arguments& arguments) override;

  Facts take_facts() { return std::move(facts_); }
  // The first expression of forward that may be a tensor and of which nothing is known; null: none.
  const syntax::SyntaxNode* missing() const { return missing_; }

 private:
  static constexpr std::size_t kUsualFacts = 512;

  InferOptions options_;
  ValueFacts values_;
  TableCall table_;
  Facts facts_;
  std::deque<std::string> texts_;
  const syntax::SyntaxNode* missing_ = nullptr;
};

}  // namespace tritonrl::teacher
