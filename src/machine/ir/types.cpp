#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

Type opaque(std::string_view text) {
  Type type;
  type.text = text;
  return type;
}

class TypeReader {
 public:
  TypeReader(IrCursor& cursor, std::int64_t max_elements) : cursor_(cursor), max_elements_(max_elements) {}

  Type read(std::string_view short_prefix) {
    const char first = cursor_.peek();
    const std::size_t start = cursor_.offset();
    Type type;
    if (first == '<' && !short_prefix.empty()) {
      type = dialect_type(short_prefix);
    } else if (first == '!') {
      cursor_.expect("!");
      type = dialect_type(cursor_.suffix());
    } else if (first == '(') {
      function_type();
    } else {
      const std::string_view word = cursor_.word();
      if (word == "tensor") {
        type = tensor();
      } else if (const Scalar scalar = scalar_named(word); scalar != Scalar::kNone) {
        type.kind = Type::Kind::kScalar;
        type.scalar = scalar;
      } else if (cursor_.peek() == '<') {
        cursor_.skip_balanced();
      }
    }
    if (type.kind != Type::Kind::kOpaque) return type;
    return opaque(cursor_.text().substr(start, cursor_.offset() - start));
  }

 private:
  // Behind its name. kOpaque where it is another dialect's; then its parameters are skipped.
  Type dialect_type(std::string_view name) {
    if (cursor_.peek() != '<') return {};
    const std::size_t open = cursor_.offset();
    if (++depth_ > kMaxDepth) cursor_.fail("types nest too deep");
    Type type;
    if (name == "tt.ptr") type = pointer();
    if (name == "tt.tensordesc") type = descriptor();
    --depth_;
    if (type.kind == Type::Kind::kOpaque) {
      cursor_.seek(open);
      cursor_.skip_balanced();
    }
    return type;
  }

  Type pointer() {
    cursor_.expect("<");
    const Type to = read({});
    if (cursor_.accept(",")) cursor_.integer();  // address space
    if (!cursor_.accept(">")) return {};
    Type type;
    if (to.kind == Type::Kind::kScalar) {
      if (to.scalar == Scalar::kPointer && to.element == Scalar::kPointer) return {};
      type.kind = Type::Kind::kScalar;
      type.scalar = Scalar::kPointer;
      type.element = to.scalar;
      type.inner = to.element;
    } else if (to.kind == Type::Kind::kTensor && to.scalar != Scalar::kPointer) {
      type.kind = Type::Kind::kBlockPointer;
      type.element = to.scalar;
      type.shape = to.shape;
    }
    return type;
  }

  Type descriptor() {
    cursor_.expect("<");
    const Type block = read({});
    if (!cursor_.accept(">") || block.kind != Type::Kind::kTensor || block.scalar == Scalar::kPointer) return {};
    Type type;
    type.kind = Type::Kind::kDescriptor;
    type.element = block.scalar;
    type.shape = block.shape;
    return type;
  }

  Type tensor() {
    if (cursor_.peek() != '<') return {};
    const std::size_t open = cursor_.offset();
    Type type = tensor_parameters();
    if (type.kind == Type::Kind::kOpaque) {
      cursor_.seek(open);
      cursor_.skip_balanced();
    }
    return type;
  }

  Type tensor_parameters() {
    cursor_.expect("<");
    Type type;
    std::int64_t count = 1;
    while (cursor_.peek() >= '0' && cursor_.peek() <= '9') {
      const std::int64_t size = dimension();
      if (size < 1 || size > max_elements_ || count > max_elements_ / size) {
        cursor_.fail("a tensor of no or too many elements");
      }
      count *= size;
      type.shape.push_back(size);
      if (type.shape.size() > kMaxRank) cursor_.fail("a tensor of too many dimensions");
    }
    if (type.shape.empty() || cursor_.peek() == '?' || cursor_.peek() == '*') return {};
    const Type element = read({});
    if (element.kind != Type::Kind::kScalar) return {};
    if (cursor_.accept(",")) {  // encoding
      while (cursor_.peek() != '>') {
        if (cursor_.peek() == '\0') cursor_.fail("a bracket that is not closed");
        if (cursor_.peek() == '<') {
          cursor_.skip_balanced();
        } else {
          cursor_.seek(cursor_.offset() + 1);
        }
      }
    }
    if (!cursor_.accept(">")) return {};
    type.kind = Type::Kind::kTensor;
    type.scalar = element.scalar;
    type.element = element.element;
    type.inner = element.inner;
    return type;
  }

  // "64x" of "64xf32"; 0x2 is a zero, then an 'x'.
  std::int64_t dimension() {
    const std::string_view text = cursor_.text();
    std::size_t at = cursor_.offset();
    std::int64_t size = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      size = size * 10 + (text[at] - '0');
      if (size > max_elements_) cursor_.fail("a tensor of no or too many elements");
    }
    if (at >= text.size() || text[at] != 'x') cursor_.fail("expected 'x' behind a dimension");
    cursor_.seek(at + 1);
    return size;
  }

  void function_type() {
    cursor_.skip_balanced();
    if (!cursor_.accept("->")) return;
    if (cursor_.peek() == '(') {
      cursor_.skip_balanced();
    } else {
      if (++depth_ > kMaxDepth) cursor_.fail("types nest too deep");
      read({});
      --depth_;
    }
  }

  static constexpr int kMaxDepth = 32;
  static constexpr std::size_t kMaxRank = 16;

  IrCursor& cursor_;
  std::int64_t max_elements_;
  int depth_ = 0;
};

}  // namespace

Type read_type(IrCursor& cursor, std::int64_t max_elements, std::string_view short_prefix) {
  return TypeReader(cursor, max_elements).read(short_prefix);
}

Type truth_like(const Type& type) {
  Type truth;
  if (type.kind != Type::Kind::kScalar && type.kind != Type::Kind::kTensor) return truth;
  truth.kind = type.kind;
  truth.scalar = Scalar::kI1;
  truth.shape = type.shape;
  return truth;
}

Type pointee(const Type& pointer) {
  Type type;
  if (pointer.kind == Type::Kind::kBlockPointer || pointer.kind == Type::Kind::kDescriptor) {
    type.kind = Type::Kind::kTensor;
    type.scalar = pointer.element;
  } else if (pointer.kind != Type::Kind::kOpaque && pointer.scalar == Scalar::kPointer) {
    type.kind = pointer.kind;
    type.scalar = pointer.element;
    type.element = pointer.inner;
  } else {
    return type;
  }
  type.shape = pointer.shape;
  return type;
}

Type scalar_of(const Type& tensor) {
  Type type = tensor;
  if (type.kind != Type::Kind::kTensor) return type;
  type.kind = Type::Kind::kScalar;
  type.shape.clear();
  return type;
}

}  // namespace tritonrl::machine
