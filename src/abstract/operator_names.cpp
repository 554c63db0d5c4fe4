#include "abstract/operator_names.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "base/embedded_file.h"

namespace tritonrl::abstract {

std::span<const base::EmbeddedFile> operator_name_files();  // operator_names.txt, by cmake/embed.cmake

namespace {

constexpr int kHeavyOfRecurrent = 3;

std::string_view take_word(std::string_view* line) {
  const std::size_t end = std::min(line->find(' '), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(std::min(end + 1, line->size()));
  return word;
}

int usual_weight(program::OperatorKind kind) {
  if (!program::is_heavy(kind)) return 0;
  return kind == program::OperatorKind::kRecurrent ? kHeavyOfRecurrent : 1;
}

OperatorName read_head(std::string_view* line) {
  const std::string row(*line);
  OperatorName op{.name = take_word(line)};
  std::string_view kind = take_word(line);
  const std::size_t comma = kind.find(',');
  const std::string_view extra = comma == std::string_view::npos ? "" : kind.substr(comma + 1);
  kind = kind.substr(0, comma);
  op.query = kind == "query";
  if (op.query) {
    op.kind = program::OperatorKind::kView;
  } else {
    const auto known = program::operator_kind_from_string(kind);
    TRL_CHECK(known.has_value(), "operator_names.txt: unknown kind: " + row);
    op.kind = *known;
  }
  op.heavy = usual_weight(op.kind);
  if (!extra.empty()) {
    constexpr std::string_view kHeavy = "heavy=";
    TRL_CHECK(extra.starts_with(kHeavy), "operator_names.txt: unknown attribute: " + row);
    const std::string_view digits = extra.substr(kHeavy.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), op.heavy);
    TRL_CHECK(error == std::errc{} && end == digits.data() + digits.size(), "operator_names.txt: bad number: " + row);
  }
  return op;
}

using Index = std::unordered_map<std::string_view, std::size_t>;

struct Table {
  std::vector<OperatorName> operators;
  Index names, functions, methods, layers, foreign;

  Table() {
    std::string_view text = operator_name_files().front().text;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty() || line.front() == '#') continue;
      operators.push_back(read_head(&line));
      const OperatorName& op = operators.back();
      add(&names, op.name);
      functions.try_emplace(op.name, operators.size() - 1);
      while (!line.empty()) add_spelling(take_word(&line));
    }
  }

  void add(Index* index, std::string_view spelling) {
    TRL_CHECK(index->emplace(spelling, operators.size() - 1).second,
              "operator_names.txt: twice: " + std::string(spelling));
  }

  void add_spelling(std::string_view spelling) {
    if (spelling.starts_with("nn.")) return add(&layers, spelling.substr(3));
    if (spelling.starts_with('.')) return add(&methods, spelling.substr(1));
    if (spelling.find('.') != std::string_view::npos) return add(&foreign, spelling);
    // What another operator's own name claimed first is that operator's; a listed spelling wins over an implied one.
    functions.insert_or_assign(spelling, operators.size() - 1);
  }

  const OperatorName* find(const Index& index, std::string_view spelling) const {
    const auto found = index.find(spelling);
    return found == index.end() ? nullptr : &operators[found->second];
  }
};

const Table& table() {
  static const Table kTable;
  return kTable;
}

}  // namespace

const OperatorName* find_operator_name(std::string_view name) {
  return table().find(table().names, name);
}

const OperatorName* find_function(std::string_view spelling) {
  const Table& known = table();
  const OperatorName* op = known.find(known.functions, spelling);
  if (op != nullptr || !spelling.ends_with('_')) return op;
  return known.find(known.functions, spelling.substr(0, spelling.size() - 1));
}

const OperatorName* find_tensor_method(std::string_view spelling) {
  const OperatorName* op = table().find(table().methods, spelling);
  return op != nullptr ? op : find_function(spelling);
}

const OperatorName* find_layer(std::string_view spelling) {
  if (spelling.starts_with("Lazy")) spelling.remove_prefix(4);
  return table().find(table().layers, spelling);
}

const OperatorName* find_foreign(std::string_view spelling) {
  return table().find(table().foreign, spelling);
}

std::span<const OperatorName> all_operator_names() {
  return table().operators;
}

}  // namespace tritonrl::abstract
