#include "teacher/operators/bind.h"

#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "program/operator_entries.h"

namespace tritonrl::teacher::operators {
namespace {

struct Meaning {
  const Operator* op = nullptr;
  std::vector<Parameter> parameters;  // of a spelling that is called in another way; empty: the operator's own
};

// By the spelling: "F.x" of torch.nn.functional, "linalg.x", ".x" a method, "x" everywhere.
struct Meanings {
  std::unordered_map<std::string_view, Meaning> known;

  Meanings() {
    const auto each = [](auto&& take) {
      for (const program::OperatorEntry& entry : program::operator_entries()) {
        if (const Operator* op = find_operator(entry.name)) take(entry, *op);
      }
    };
    // A spelling with a declaration wins over a plain one, and that over another operator's own name.
    each([this](const auto& entry, const Operator& op) { add_called(entry, op); });
    each([this](const auto& entry, const Operator& op) {
      for (std::string_view rest : entry.texts("spelt")) {
        while (!rest.empty()) known.try_emplace(program::take_word(&rest), Meaning{&op, {}});
      }
    });
    each([this](const auto& entry, const Operator& op) {
      if (!entry.has("unspelt")) known.try_emplace(op.name, Meaning{&op, {}});
    });
  }

  // ".float .half(input, memory_format=None)": several spellings and how they are called.
  void add_called(const program::OperatorEntry& entry, const Operator& op) {
    for (const std::string_view line : entry.texts("called")) {
      const std::size_t bracket = line.find('(');
      const std::string_view declared =
          bracket == std::string_view::npos ? "" : line.substr(bracket + 1, line.size() - bracket - 2);
      for (std::string_view rest = line.substr(0, bracket); !rest.empty();) {
        const std::string_view spelling = program::take_word(&rest);
        TRL_CHECK(known.emplace(spelling, Meaning{&op, read_parameters(declared)}).second,
                  "operators/: called in two ways: " + std::string(spelling));
      }
    }
  }
};

// The spelling without the underscore of an operator in place.
Spelling plain(std::string_view area, std::string_view word) {
  static const Meanings kMeanings;
  const std::string full = std::string(area) + std::string(word);
  for (const std::string_view key : {std::string_view(full), word}) {
    const auto found = kMeanings.known.find(key);
    if (found == kMeanings.known.end()) continue;
    const auto& [op, parameters] = found->second;
    return {.name = op->name, .parameters = parameters.empty() ? parameters_of(*op) : parameters};
  }
  return {};
}

}  // namespace

Spelling read_spelling(std::string_view path) {
  std::string_view area, word = path;
  if (path.starts_with('.')) {
    area = ".";
    word.remove_prefix(1);
  } else {
    if (!path.starts_with("torch.")) return {};
    word.remove_prefix(6);
    for (const auto& [folder, shorter] : {std::pair<std::string_view, std::string_view>{"nn.functional.", "F."},
                                          {"linalg.", "linalg."},
                                          {"special.", "special."},
                                          {"nn.init.", "init."}}) {
      if (!word.starts_with(folder)) continue;
      word.remove_prefix(folder.size());
      area = shorter;
    }
    if (area == "init.") return {};
  }
  if (word.empty() || word.find('.') != std::string_view::npos || word.starts_with("__")) return {};
  const bool in_place = word.size() > 1 && word.ends_with('_');
  if (in_place) word.remove_suffix(1);
  Spelling spelling = plain(area, word);
  spelling.in_place = in_place;
  return spelling;
}

std::string_view parameter_named(std::string_view keyword) {
  constexpr auto kNames =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"axis", "dim"},
                                                                    {"keepdims", "keepdim"},
                                                                    {"ord", "p"},
                                                                    {"axis0", "dim0"},
                                                                    {"axis1", "dim1"},
                                                                    {"split_size", "split_size_or_sections"},
                                                                    {"split_sizes", "split_size_or_sections"},
                                                                    {"unflattened_size", "sizes"}});
  for (const auto& [given, name] : kNames) {
    if (given == keyword) return name;
  }
  return keyword;
}

}  // namespace tritonrl::teacher::operators
