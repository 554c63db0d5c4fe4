#include "program/operator_entries.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <string>
#include <unordered_map>

#include "base/check.h"
#include "base/embedded_file.h"
#include "program/schema_forms.h"

namespace tritonrl::program {

std::span<const base::EmbeddedFile> operator_files();  // operators/*.txt, by cmake/embed.cmake

namespace {

constexpr std::string_view kIndent = "  ";

OperatorEntry read_header(std::string_view row) {
  std::string_view rest = row;
  OperatorEntry entry;
  entry.name = take_word(&rest);
  if (entry.name == "-") entry.name = {};
  std::string_view kind = take_word(&rest);
  const std::size_t comma = kind.find(',');
  if (comma != std::string_view::npos) {
    constexpr std::string_view kHeavy = ",heavy=";
    if (!kind.substr(comma).starts_with(kHeavy)) wrong_line("unknown attribute", row);
    entry.heavy = static_cast<int>(number_in(kind.substr(comma + kHeavy.size()), row));
    kind = kind.substr(0, comma);
  }
  entry.query = kind == "query";
  if (!entry.query) {
    const auto known = operator_kind_from_string(kind);
    if (!known) wrong_line("unknown kind", row);
    entry.kind = *known;
  }
  if (!rest.empty()) entry.ops_per_element = number_in(rest, row);
  return entry;
}

// How the function is called of which a schema without defaults says all: "input, other, *, out=None".
std::string called_as_declared(const OperatorEntry& entry) {
  const std::string name = "aten::" + std::string(entry.name);
  std::string call;
  bool out = false;
  for (const std::string_view row : entry.texts("aten")) {
    const auto schemas = parse_schemas(row.substr(row.find("aten::")), nullptr);
    if (!schemas) wrong_line("no schema", row);
    for (const Schema& schema : *schemas) {
      out = out || (schema.name.starts_with(name + ".") && schema.arguments.back().is_out());
      if (!call.empty() || (schema.name != name && schema.name != name + ".Tensor")) continue;
      for (const Argument& argument : schema.arguments) {
        if (argument.has_default) wrong_line("a call must be written where there are defaults", row);
        call += (call.empty() ? "" : ", ") + (argument.name == "self" ? "input" : argument.name);
      }
    }
  }
  if (call.empty()) wrong_line("neither a call nor a schema of this name", entry.name);
  return call + (out ? ", *, out=None" : "");
}

struct EntryTable {
  std::vector<OperatorEntry> entries;
  std::unordered_map<std::string_view, std::string_view> shared;  // let NAME TEXT
  std::deque<std::string> expanded;

  EntryTable() {
    for (const base::EmbeddedFile& file : operator_files()) {
      std::string_view text = file.text;
      while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        add(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
      }
    }
    for (OperatorEntry& entry : entries) {
      if (!entry.has("recipe") || entry.has("call")) continue;
      entry.lines.push_back({"call", expanded.emplace_back(called_as_declared(entry))});
    }
  }

  void add(std::string_view row) {
    if (row.empty() || row.front() == '#') return;
    if (!row.starts_with(kIndent)) {
      std::string_view rest = row;
      if (take_word(&rest) != "let") return entries.push_back(read_header(row));
      const std::string_view name = take_word(&rest);
      if (!shared.emplace(name, rest).second) wrong_line("twice", row);
      return;
    }
    if (entries.empty()) wrong_line("a line of no operator", row);
    std::string_view text = row.substr(kIndent.size());
    if (text.find("aten::") != std::string_view::npos) {
      entries.back().lines.push_back({"aten", text});
      return;
    }
    const std::string_view key = take_word(&text);
    entries.back().lines.push_back({key, expand(text)});
  }

  // "$moments diff * scale" with the shared text in its place.
  std::string_view expand(std::string_view text) {
    std::size_t at = text.find('$');
    if (at == std::string_view::npos) return text;
    std::string out;
    for (; at != std::string_view::npos; at = text.find('$')) {
      out += text.substr(0, at);
      text.remove_prefix(at + 1);
      const std::size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), text.size());
      const auto found = shared.find(text.substr(0, end));
      if (found == shared.end()) wrong_line("no such text", text);
      out += found->second;
      text.remove_prefix(end);
    }
    out += text;
    return expanded.emplace_back(std::move(out));
  }
};

}  // namespace

bool OperatorEntry::has(std::string_view key) const {
  return std::ranges::find(lines, key, &Line::key) != lines.end();
}

std::string_view OperatorEntry::text(std::string_view key) const {
  const auto found = std::ranges::find(lines, key, &Line::key);
  return found == lines.end() ? std::string_view() : found->text;
}

std::vector<std::string_view> OperatorEntry::texts(std::string_view key) const {
  std::vector<std::string_view> out;
  for (const Line& line : lines) {
    if (line.key == key) out.push_back(line.text);
  }
  return out;
}

std::span<const OperatorEntry> operator_entries() {
  static const EntryTable kTable;
  return kTable.entries;
}

std::string_view take_word(std::string_view* text) {
  const std::size_t end = std::min(text->find(' '), text->size());
  const std::string_view word = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return word;
}

void wrong_line(std::string_view what, std::string_view row) {
  base::check_failed("operators/", __FILE__, __LINE__, std::string(what) + ": " + std::string(row));
}

double number_in(std::string_view text, std::string_view row) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) wrong_line("bad number", row);
  return number;
}

}  // namespace tritonrl::program
