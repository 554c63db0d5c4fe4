#include "machine/ir/locations.h"

#include <limits>
#include <utility>

namespace tritonrl::machine {
namespace {

constexpr int kMaxDepth = 256;  // of names and calls
// A few definitions that call each other can stand for any number of places.
constexpr std::size_t kMaxSteps = 200'000;
constexpr std::size_t kMaxFileBytes = 64 << 20;

int small(IrCursor& cursor) {
  const std::int64_t value = cursor.integer();
  return value < 0 || value > std::numeric_limits<int>::max() ? 0 : static_cast<int>(value);
}

}  // namespace

int IrLocations::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int IrLocations::alias(std::string_view name, std::size_t offset) {
  const auto [found, inserted] = aliases_.try_emplace(name, static_cast<int>(nodes_.size()));
  if (inserted) {
    Node node;
    node.offset = offset;
    add(std::move(node));
  }
  return found->second;
}

int IrLocations::read(IrCursor& cursor) {
  cursor.expect("(");
  const int reference = read_body(cursor);
  cursor.expect(")");
  return reference;
}

void IrLocations::define(IrCursor& cursor, std::string_view name) {
  const std::size_t offset = cursor.offset();
  const int reference = alias(name, offset);
  const auto index = static_cast<std::size_t>(reference);
  if (nodes_[index].kind != Node::Kind::kUndefined) throw IrError{offset, "#" + std::string(name) + " defined twice"};
  const int target = read(cursor);
  nodes_[index].kind = Node::Kind::kSame;
  nodes_[index].inner = target;
}

int IrLocations::read_body(IrCursor& cursor) {
  if (++depth_ > kMaxDepth) cursor.fail("locations nest too deep");
  Node node;
  const char first = cursor.peek();
  node.offset = cursor.offset();
  int reference = -1;
  if (first == '#') {
    cursor.expect("#");
    reference = alias(cursor.suffix(), node.offset);
  } else if (first == '"') {
    node.file = cursor.string();
    if (cursor.accept(":")) {
      node.kind = Node::Kind::kFile;
      node.line = small(cursor);
      cursor.expect(":");
      node.column = small(cursor);
      if (cursor.accept_word("to")) {  // a range's end: [line]:column
        if (cursor.at_number()) cursor.integer();
        cursor.expect(":");
        cursor.integer();
      }
    } else {  // a name, perhaps of a place
      node.kind = Node::Kind::kUnknown;
      node.file.clear();
      if (cursor.accept("(")) {
        node.kind = Node::Kind::kSame;
        node.inner = read_body(cursor);
        cursor.expect(")");
      }
    }
  } else {
    const std::string_view word = cursor.word();
    if (word == "callsite") {
      cursor.expect("(");
      node.kind = Node::Kind::kCall;
      node.inner = read_body(cursor);
      if (!cursor.accept_word("at")) cursor.fail("expected 'at'");
      node.caller = read_body(cursor);
      cursor.expect(")");
    } else if (word == "fused") {
      reference = read_fused(cursor);
    } else if (word == "unknown") {
      node.kind = Node::Kind::kUnknown;
    } else if (word == "loc") {
      reference = read(cursor);
    } else {
      throw IrError{node.offset, "not a location"};
    }
  }
  --depth_;
  return reference >= 0 ? reference : add(std::move(node));
}

// The first of several stands for them.
int IrLocations::read_fused(IrCursor& cursor) {
  if (cursor.peek() == '<') cursor.skip_balanced();
  cursor.expect("[");
  const int first = read_body(cursor);
  while (cursor.accept(",")) read_body(cursor);
  cursor.expect("]");
  return first;
}

int IrLocations::resolve(int reference) {
  return reference < 0 ? -1 : place(reference, -1, 0);
}

int IrLocations::place(int reference, int caller, int depth) {
  const auto found = resolved_.find({reference, caller});
  if (found != resolved_.end()) return found->second;
  const Node& node = nodes_[static_cast<std::size_t>(reference)];
  if (depth > kMaxDepth) throw IrError{node.offset, "locations nest too deep"};
  if (resolved_.size() > kMaxSteps || file_bytes_ > kMaxFileBytes) throw IrError{node.offset, "too many locations"};
  int result = caller;
  switch (node.kind) {
    case Node::Kind::kUndefined:
      throw IrError{node.offset, "a location that is not defined"};
    case Node::Kind::kUnknown:
      break;
    case Node::Kind::kSame:
      result = place(node.inner, caller, depth + 1);
      break;
    case Node::Kind::kCall:
      result = place(node.inner, place(node.caller, caller, depth + 1), depth + 1);
      break;
    case Node::Kind::kFile:
      file_bytes_ += node.file.size();
      result = static_cast<int>(places_.size());
      places_.push_back({node.file, node.line, node.column, caller});
      break;
  }
  resolved_.emplace(std::pair(reference, caller), result);
  return result;
}

}  // namespace tritonrl::machine
