#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "abstract/abstract_value.h"

namespace tritonrl::abstract {

// What a branch wrote: a name of a table, or the items of a list.
struct Change {
  NameTable* table = nullptr;
  std::string_view name;
  List* list = nullptr;
  bool appended = false;  // to the list, which had `size` items before; otherwise `items` are those it had
  std::size_t size = 0;
  bool existed = false;
  Value value;
  List items;
};

// Lets both branches of a condition be followed from the same state: every write is noted before it is done while a
// branch is open, and can be taken back.
class Branches {
 public:
  void write(NameTable* table, std::string_view name, const Value& value);
  // Before the list changes; the second where it only grows, or becomes open.
  void touch(List* list);
  void note_append(List* list);

  // Opens a branch; `close` takes back what was written since and returns it.
  std::size_t open();
  std::vector<Change> close(std::size_t mark);
  // Writes what one of the branches left, or of both what tells more (either).
  void keep(const std::vector<Change>& branch);
  void join(const std::vector<Change>& a, const std::vector<Change>& b);

 private:
  void note(NameTable* table, std::string_view name);

  int depth_ = 0;
  std::vector<Change> old_;
};

}  // namespace tritonrl::abstract
