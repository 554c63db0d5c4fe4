#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/ir/cursor.h"
#include "machine/ir/ir.h"

namespace tritonrl::machine {

// The locations of a module while it is read. MLIR's form a graph with names that may be used before they are defined;
// ir.h wants plain places with their callers. So references are kept as numbers and resolved when all is read.
class IrLocations {
 public:
  // "loc(…)" behind the word. Returns a reference.
  int read(IrCursor& cursor);
  // "#loc3 = loc(…)", behind the equals sign; `name` is "loc3".
  void define(IrCursor& cursor, std::string_view name);
  // Index into `places()`; -1 if unknown. Fails for names that were never defined and graphs that are no location.
  int resolve(int reference);
  std::vector<Location>& places() { return places_; }

 private:
  struct Node {
    enum class Kind { kUndefined, kUnknown, kFile, kSame, kCall } kind = Kind::kUndefined;
    std::string file;
    int line = 0, column = 0;
    int inner = -1, caller = -1;  // kSame: inner alone; kCall: both
    std::size_t offset = 0;
  };

  int add(Node node);
  int alias(std::string_view name, std::size_t offset);
  int read_body(IrCursor& cursor);
  int read_fused(IrCursor& cursor);
  int place(int reference, int caller, int depth);

  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, int> aliases_;
  std::vector<Location> places_;
  std::map<std::pair<int, int>, int> resolved_;  // (reference, caller's place)
  std::size_t file_bytes_ = 0;
  int depth_ = 0;
};

}  // namespace tritonrl::machine
