#include "program/schema_forms.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tritonrl::program {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

// Equal braces take the same word at a time, different ones every combination.
void spell_out(const std::string& line, std::vector<std::string>* out) {
  const std::size_t open = line.find('{');
  const std::size_t close = line.find('}', std::min(open, line.size()));
  if (close == std::string::npos) return out->push_back(line);
  const std::string braces = line.substr(open, close + 1 - open);
  for (const std::string_view word : split(std::string_view(braces).substr(1, braces.size() - 2), ',')) {
    std::string one = line;
    for (std::size_t at = open; at != std::string::npos; at = one.find(braces, at)) {
      one.replace(at, braces.size(), word);
    }
    spell_out(one, out);
  }
}

std::string named(std::string_view name, std::string_view overload) {
  std::string out(name);
  if (!overload.empty()) out.append(".").append(overload);
  return out;
}

std::string_view base_name(const Schema& schema) {
  return std::string_view(schema.name).substr(0, schema.name.find('.'));
}

void write(ValueType* value) {
  value->aliases = value->mutated = true;
}

// A form that is written into gives what was written, but of lists nothing.
void give_written(Schema* schema) {
  if (std::ranges::all_of(schema->results, &ResultSpec::list)) schema->results.clear();
  std::ranges::for_each(schema->results, [](ResultSpec& result) { write(&result); });
}

bool write_self(Schema* schema, std::string_view overload) {
  if (schema->arguments.empty() || schema->arguments[0].name != "self") return false;
  schema->name = named(std::string(base_name(*schema)) + "_", overload);
  write(&schema->arguments[0]);
  give_written(schema);
  return true;
}

// "Scalar_out", "out=values,indices": the overload and, where they do not follow, the names of what is written.
bool write_out(Schema* schema, std::string_view form) {
  constexpr std::array<std::string_view, 4> kMaking = {"dtype", "layout", "device", "pin_memory"};
  const std::size_t equals = std::min(form.find('='), form.size());
  const std::string_view overload = form.substr(0, equals);
  const bool single = schema->results.size() == 1;
  std::vector<std::string> names;
  if (equals < form.size()) {
    for (const std::string_view name : split(form.substr(equals + 1), ',')) names.emplace_back(name);
  } else {
    for (const ResultSpec& result : schema->results) {
      names.push_back(result.name.empty() ? "out" + std::to_string(names.size()) : result.name);
    }
    if (single) names = {overload.ends_with("grad_input") ? "grad_input" : "out"};
  }
  if (names.size() != schema->results.size()) return false;
  schema->name = named(base_name(*schema), overload);
  // What is given has its type and place already.
  if (std::ranges::find(schema->arguments, "layout", &Argument::name) != schema->arguments.end()) {
    std::erase_if(schema->arguments,
                  [&](const Argument& argument) { return std::ranges::find(kMaking, argument.name) != kMaking.end(); });
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    Argument& out = schema->arguments.emplace_back();
    static_cast<ValueType&>(out) = schema->results[i];
    write(&out);
    out.name = names[i];
    out.keyword_only = true;
    if (single) schema->results[i].name.clear();
  }
  give_written(schema);
  return true;
}

bool add_form(const Schema& schema, std::string_view form, std::vector<Schema>* out) {
  Schema made = schema;
  if (form == "foreach") {
    if (made.arguments.size() != 1 || made.results.size() != 1) return false;
    made.name = "aten::_foreach_" + schema.name.substr(std::string_view("aten::").size());
    made.arguments[0].list = made.results[0].list = true;
    out->push_back(made);
    return add_form(made, "_", out);
  }
  const std::string_view overload = std::string_view(schema.name).substr(base_name(schema).size());
  const bool right = form == "_"              ? write_self(&made, overload.substr(overload.empty() ? 0 : 1))
                     : form.starts_with("_.") ? write_self(&made, form.substr(2))
                                              : write_out(&made, form);
  out->push_back(std::move(made));
  return right;
}

}  // namespace

std::optional<std::vector<Schema>> parse_schemas(std::string_view line, std::string* why) {
  std::vector<std::string> rows;
  spell_out(std::string(line), &rows);
  std::vector<Schema> out;
  for (const std::string_view row : rows) {
    constexpr std::string_view kForms = " | ";
    const std::size_t end = std::min(row.find(kForms), row.size());
    auto schema = parse_schema(row.substr(0, end), why);
    if (!schema) return std::nullopt;
    out.push_back(*schema);
    if (end == row.size()) continue;
    for (const std::string_view form : split(row.substr(end + kForms.size()), ' ')) {
      if (add_form(*schema, form, &out)) continue;
      if (why != nullptr) *why = "no such form: " + std::string(form);
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace tritonrl::program
