#include "data/prepare/example_from_row.h"

#include <algorithm>
#include <optional>

#include "base/sha256.h"
#include "data/tasks/kernelbench.h"
#include "text/chars.h"
#include "text/python_outline.h"

namespace tritonrl::data {
namespace {

const Field* find(const Row& row, const std::string& name) {
  const auto found = row.fields.find(name);
  return found == row.fields.end() ? nullptr : &found->second;
}

std::string text_of(const Row& row, const std::string& name) {
  const Field* field = find(row, name);
  if (field == nullptr) return "";
  if (const auto* text = std::get_if<std::string>(field)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(field)) return std::to_string(*number);
  return "";
}

std::int64_t number_of(const Row& row, const std::string& name) {
  const Field* field = find(row, name);
  const auto* number = field == nullptr ? nullptr : std::get_if<std::int64_t>(field);
  return number == nullptr ? 0 : *number;
}

// A list, or one text that holds several: "MIT", "['MIT', 'Apache-2.0']".
std::vector<std::string> licenses_of(const Field& field) {
  if (const auto* list = std::get_if<std::vector<std::string>>(&field)) return *list;
  std::vector<std::string> out;
  const auto* text = std::get_if<std::string>(&field);
  if (text == nullptr) return out;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find_first_of(",;[]'\"", at), text->size());
    const std::string_view part = text::trim(std::string_view(*text).substr(at, end - at));
    if (!part.empty()) out.emplace_back(part);
    at = end + 1;
  }
  return out;
}

// "owner/name" of "https://host/owner/name/tree/…".
std::string repository_of_link(const std::string& link) {
  const std::size_t host = link.find("://");
  const std::size_t owner = host == std::string::npos ? std::string::npos : link.find('/', host + 3);
  const std::size_t name = owner == std::string::npos ? std::string::npos : link.find('/', owner + 1);
  if (name == std::string::npos) return "";
  return link.substr(owner + 1, std::min(link.find('/', name + 1), link.size()) - owner - 1);
}

bool has_kernel(const std::string& solution) {
  return solution.find("triton.jit") != std::string::npos ||
         solution.find("async_compile.triton") != std::string::npos || solution.find("import jit") != std::string::npos;
}

bool binds(const text::PythonOutline& outline, std::string_view name) {
  return std::any_of(outline.statements.begin(), outline.statements.end(), [&](const text::TopStatement& statement) {
    return std::find(statement.names.begin(), statement.names.end(), name) != statement.names.end();
  });
}

// The task's class: as the row says, or the one of which the solution has a new form.
std::string class_of(const Example& example, const text::PythonOutline& solution) {
  if (!example.entry_point.empty()) return example.entry_point;
  const text::PythonOutline task = text::python_outline(example.pytorch_code);
  for (const text::TopStatement& statement : solution.statements) {
    for (const std::string_view name : statement.names) {
      if (name.ends_with("New") && binds(task, name.substr(0, name.size() - 3)))
        return std::string(name.substr(0, name.size() - 3));
    }
  }
  return "";
}

void take_solution(const Row& row, Example& example) {
  const std::string solution = text_of(row, "triton_code");
  if (text::trim(solution).empty()) {
    example.no_solution =
        find(row, "triton_code") == nullptr ? "it has no column triton_code" : "its triton_code is empty";
  } else if (!has_kernel(solution)) {
    example.no_solution = "its triton_code has no Triton kernel";
  } else {
    const std::string entry_point = class_of(example, text::python_outline(solution));
    const std::string renamed = with_model_new(solution, entry_point);
    // The prompt asks for that class, and the judge looks for it: a file without it teaches nothing.
    if (binds(text::python_outline(renamed), "ModelNew")) {
      example.solution = renamed;
    } else {
      example.no_solution = "its triton_code defines no ModelNew";
    }
  }
}

void take_origin(const Row& row, Example& example) {
  example.repository = text_of(row, "repo_name");
  if (example.repository.empty()) example.repository = repository_of_link(text_of(row, "repo_link"));
  for (const char* name : {"licenses", "license"}) {
    const Field* field = find(row, name);
    if (field == nullptr) continue;
    example.states_licenses = true;
    example.licenses = licenses_of(*field);
    break;
  }
}

void take_benchmark(const Row& row, Example& example) {
  BenchmarkPlace place{.level = static_cast<int>(number_of(row, "level")),
                       .problem = number_of(row, "problem_id"),
                       .name = text_of(row, "name")};
  if (place.level < 1 || place.level > 4) place.level = 0;
  example.own_level = place.level;
  example.problem = place.problem;
  example.degenerate = degenerate_reason(place);
  example.id = "kernelbench/level" + std::to_string(place.level) + "/" +
               (place.name.empty() ? std::to_string(place.problem) : place.name);
}

}  // namespace

const std::vector<std::string>& example_columns() {
  static const std::vector<std::string> kColumns = {
      "python_code", "pytorch_code", "triton_code", "code", "entry_point", "repo_name", "repo_link",
      "licenses",    "license",      "uuid",        "id",   "level",       "name",      "problem_id"};
  return kColumns;
}

std::variant<Example, RowProblem> example_from_row(const Row& row) {
  struct Form {
    const char *column, *source;
  };
  const Form forms[] = {{"python_code", "kernelbook"}, {"pytorch_code", "pairs"}, {"code", "kernelbench"}};
  const Form* form = nullptr;
  for (const Form& known : forms) {
    if (form == nullptr && find(row, known.column) != nullptr) form = &known;
  }
  if (form == nullptr)
    return RowProblem{"missing_column", "it has none of the columns python_code, pytorch_code and code"};
  const Field& code = *find(row, form->column);
  const std::string column = "column \"" + std::string(form->column) + "\"";
  if (std::holds_alternative<std::monostate>(code)) return RowProblem{"null_code", column + " is null"};
  const auto* text = std::get_if<std::string>(&code);
  if (text == nullptr) return RowProblem{"wrong_type", column + " is no text"};
  if (text::trim(*text).empty()) return RowProblem{"empty_code", column + " is empty"};

  Example example;
  example.source = form->source;
  example.pytorch_code = *text;
  example.entry_point = text_of(row, "entry_point");
  take_origin(row, example);
  if (example.source == "kernelbench") {
    take_benchmark(row, example);
    return example;
  }
  std::string own = text_of(row, "uuid");
  if (own.empty()) own = text_of(row, "id");
  example.id = example.source + "/" + (own.empty() ? base::sha256(example.pytorch_code).substr(0, 16) : own);
  take_solution(row, example);
  return example;
}

std::string with_model_new(const std::string& solution, const std::string& entry_point) {
  const std::string old = entry_point + "New";
  if (entry_point.empty() || old == "ModelNew") return solution;
  std::string out;
  out.reserve(solution.size());
  std::size_t from = 0;
  for (std::size_t at = solution.find(old); at != std::string::npos; at = solution.find(old, at + old.size())) {
    const std::size_t end = at + old.size();
    const bool whole =
        (at == 0 || !text::is_word(solution[at - 1])) && (end == solution.size() || !text::is_word(solution[end]));
    if (!whole) continue;
    out.append(solution, from, at - from).append("ModelNew");
    from = end;
  }
  return out.append(solution, from);
}

}  // namespace tritonrl::data
