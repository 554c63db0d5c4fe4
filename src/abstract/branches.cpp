#include "abstract/branches.h"

#include <algorithm>

namespace tritonrl::abstract {
namespace {

const Change* find_place(const std::vector<Change>& changes, const Change& place) {
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const Change& change) {
    return change.table == place.table && change.list == place.list && change.name == place.name;
  });
  return found == changes.end() ? nullptr : &*found;
}

}  // namespace

void Branches::note(NameTable* table, std::string_view name) {
  if (depth_ == 0) return;
  const Value* held = table->find(name);
  Change& old = old_.emplace_back();
  old.table = table;
  old.name = name;
  old.existed = held != nullptr;
  if (held != nullptr) old.value = *held;
}

void Branches::write(NameTable* table, std::string_view name, const Value& value) {
  note(table, name);
  table->set(name, value);
}

void Branches::touch(List* list) {
  if (depth_ == 0) return;
  Change& old = old_.emplace_back();
  old.list = list;
  old.items = *list;
}

void Branches::note_append(List* list) {
  if (depth_ == 0) return;
  Change& old = old_.emplace_back();
  old.list = list;
  old.appended = true;
  old.size = list->items.size();
  old.items.open = list->open;
}

std::size_t Branches::open() {
  ++depth_;
  return old_.size();
}

std::vector<Change> Branches::close(std::size_t mark) {
  std::vector<Change> left;
  while (old_.size() > mark) {
    Change& change = old_.back();
    if (find_place(left, change) == nullptr) {
      Change now;
      now.table = change.table;
      now.name = change.name;
      now.list = change.list;
      if (change.list != nullptr) {
        now.items = *change.list;
      } else {
        const Value* held = change.table->find(change.name);
        now.existed = held != nullptr;
        now.value = held == nullptr ? Value() : *held;
      }
      left.push_back(std::move(now));
    }
    if (change.appended) {
      change.list->items.resize(change.size);
      change.list->open = change.items.open;
    } else if (change.list != nullptr) {
      *change.list = std::move(change.items);
    } else if (change.existed) {
      change.table->set(change.name, change.value);
    } else {
      change.table->erase(change.name);
    }
    old_.pop_back();
  }
  --depth_;
  std::reverse(left.begin(), left.end());  // names appear in the order of the text again
  return left;
}

void Branches::keep(const std::vector<Change>& branch) {
  for (const Change& change : branch) {
    if (change.list != nullptr) {
      touch(change.list);
      *change.list = change.items;
    } else if (change.existed) {
      write(change.table, change.name, change.value);
    }
  }
}

void Branches::join(const std::vector<Change>& a, const std::vector<Change>& b) {
  const auto settle = [&](const Change& one, const Change* other) {
    if (one.list != nullptr) {
      const List& rival = other == nullptr ? *one.list : other->items;
      List chosen = rival.items.size() > one.items.items.size() ? rival : one.items;
      chosen.open = chosen.open || rival.open || one.items.open;
      touch(one.list);
      *one.list = std::move(chosen);
      return;
    }
    const Value* rival = other == nullptr ? one.table->find(one.name) : &other->value;
    write(one.table, one.name, rival == nullptr ? one.value : either(one.value, *rival));
  };
  for (const Change& change : a) settle(change, find_place(b, change));
  for (const Change& change : b) {
    if (find_place(a, change) == nullptr) settle(change, nullptr);
  }
}

}  // namespace tritonrl::abstract
