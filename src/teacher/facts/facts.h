#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/dtype.h"
#include "syntax/tree.h"

namespace tritonrl::teacher {

using Shape = std::vector<std::int64_t>;

// Elements of a tensor of that shape.
inline std::int64_t count(const Shape& shape) {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product *= size;
  return product;
}

// Output channels of a group up to which a convolution in groups is summed directly: a tile would be nearly empty.
inline constexpr std::int64_t kNarrowGroup = 2;

// What is known of the value of an expression, over all times that it was evaluated.
struct Fact {
  enum class Kind : std::uint8_t {
    kUnknown,  // never evaluated, or of different kinds
    kTensor,
    kInt,
    kFloat,
    kBool,
    kText,
    kNone,
    kModule,  // an nn.Module
    kList,    // a list or tuple: `items`; of torch.Size too
    kOther,
  };
  Kind kind = Kind::kUnknown;

  // kTensor. Over several evaluations: one dtype, one rank and the same dimensions of size 1, or else the fact is
  // unknown; the sizes are those of the first.
  program::DType dtype = program::DType::kFloat32;
  Shape shape = {};

  // kInt, kFloat, kBool, kText: the value, where it was the same every time.
  bool constant = false;
  std::int64_t integer = 0;  // of kInt and kBool
  double number = 0;         // of kFloat
  std::string text =
      {};  // of kText; of kModule: the class, where it is exactly one of torch.nn ("LeakyReLU"), else empty

  // kModule of torch.nn: its plain attributes (numbers, texts, flags, tuples of them), its parameters and buffers as
  // tensors or None, "training". Unknown where the module differs from evaluation to evaluation in what matters.
  std::vector<std::pair<std::string, Fact>> attributes = {};
  std::vector<Fact> items = {};  // of kList

  bool is_tensor() const { return kind == Kind::kTensor; }
  bool is_number() const { return kind == Kind::kInt || kind == Kind::kFloat || kind == Kind::kBool; }
  const Fact* attribute(std::string_view name) const;

  static Fact tensor(program::DType dtype, Shape shape);
  static Fact whole(std::int64_t value);
  static Fact real(double value);
  static Fact truth(bool value);
  static Fact words(std::string_view value);
  static Fact none();
  static Fact list(std::vector<Fact> items);
};

// The facts of a tree's expressions, by node. An expression that is not here was never evaluated.
class Facts {
 public:
  const Fact* of(const syntax::SyntaxNode* node) const;
  // The fact that is kept: the same one where it was noted before with the same content, or merged as Fact says.
  void note(const syntax::SyntaxNode* node, const Fact& fact);
  void note(const syntax::SyntaxNode* node, Fact&& fact);
  void reserve(std::size_t count) { facts_.reserve(count); }
  void set(const syntax::SyntaxNode* node, Fact fact);
  std::size_t size() const { return facts_.size(); }

 private:
  std::unordered_map<const syntax::SyntaxNode*, Fact> facts_;
};

// One fact for both evaluations; kUnknown where they disagree in what matters.
Fact merge(const Fact& a, const Fact& b);

}  // namespace tritonrl::teacher
