#include "data/prepare/project_files.h"

#include <algorithm>

#include "base/files.h"
#include "data/prepare/trimmed_source.h"

namespace tritonrl::data {

namespace fs = std::filesystem;
using syntax::SyntaxNode;

namespace {

constexpr std::size_t kMostFileBytes = std::size_t{2} << 20;
constexpr std::size_t kMostFilesKept = 256;
constexpr int kMostBases = 8;  // of a class, one above the other

}  // namespace

bool is_available(std::string_view module) {
  static constexpr std::string_view kRoots[] = {"__future__",  "abc",
                                                "bisect",      "collections",
                                                "contextlib",  "copy",
                                                "dataclasses", "datetime",
                                                "einops",      "enum",
                                                "fractions",   "functools",
                                                "heapq",       "inspect",
                                                "itertools",   "json",
                                                "logging",     "math",
                                                "numbers",     "numpy",
                                                "operator",    "os",
                                                "pathlib",     "random",
                                                "re",          "statistics",
                                                "string",      "sys",
                                                "textwrap",    "time",
                                                "torch",       "types",
                                                "typing",      "typing_extensions",
                                                "warnings",    "weakref"};
  const std::string_view root = module.substr(0, module.find('.'));
  return std::find(std::begin(kRoots), std::end(kRoots), root) != std::end(kRoots);
}

std::int64_t import_level(const SyntaxNode& import) {
  const syntax::SyntaxValue* value = import.field("level");
  const auto* level = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return level == nullptr ? 0 : *level;
}

std::string imported_module(const SyntaxNode& import, const ProjectFile& file) {
  const std::string name(import.text("module"));
  std::int64_t level = import_level(import);
  if (level == 0) return name;
  std::string base = file.module;
  if (file.is_package) --level;
  for (; level > 0; --level) {
    const std::size_t dot = base.rfind('.');
    if (dot == std::string::npos) return "";
    base.resize(dot);
  }
  return name.empty() ? base : base + "." + name;
}

ProjectFiles::ProjectFiles(std::unique_ptr<python::SyntaxReader> reader, fs::path root, std::string package,
                           const std::map<std::string, fs::path>& others)
    : reader_(std::move(reader)), root_(std::move(root)), package_(std::move(package)) {
  roots_.insert(others.begin(), others.end());
  roots_.insert_or_assign(package_, root_);
}

void ProjectFiles::forget() {
  if (files_.size() > kMostFilesKept) files_.clear();
}

// As far as its own name tells.
bool ProjectFiles::at_hand(const SyntaxNode& import, const ProjectFile& file) const {
  if (import.is("ImportFrom")) {
    const std::string module = imported_module(import, file);
    return import_level(import) > 0 || is_available(module) || place_of(module, file).has_value();
  }
  return std::ranges::all_of(import.nodes("names"),
                             [](const SyntaxNode* alias) { return is_available(alias->text("name")); });
}

ProjectFile& ProjectFiles::open(const fs::path& path, const std::string& module, bool is_package) {
  std::unique_ptr<ProjectFile>& file = files_[module];
  if (file) return *file;
  file = std::make_unique<ProjectFile>();
  file->module = module;
  file->is_package = is_package;
  const std::string text = base::read_file(path, kMostFileBytes);
  const std::string_view view = text;
  python::ParsedSource parsed = std::move(reader_->parse({&view, 1}).front());
  file->error = parsed.error;
  file->line = parsed.line;
  file->tree = std::move(parsed.tree);
  if (file->tree) {
    const auto has = [&](const SyntaxNode& import) { return at_hand(import, *file); };
    const auto importable = [](std::string_view name) { return is_available(name); };
    file->names = source_names(*trimmed_source(file->tree->root(), has, importable, file->trimmed));
  }
  return *file;
}

std::optional<ProjectFiles::Place> ProjectFiles::place_of(const std::string& module, const ProjectFile& from) const {
  if (module.empty()) return std::nullopt;
  const std::string folder = from.is_package ? from.module : from.module.substr(0, from.module.rfind('.'));
  for (const std::string& name : {module, package_ + "." + module, folder + "." + module}) {
    if (std::optional<Place> place = own_place(name)) return place;
  }
  return std::nullopt;
}

std::optional<ProjectFiles::Place> ProjectFiles::own_place(const std::string& module) const {
  if (!is_known(module)) return std::nullopt;
  const std::size_t dot = std::min(module.find('.'), module.size());
  std::string below = module.substr(dot);
  std::replace(below.begin(), below.end(), '.', '/');
  const fs::path stem = roots_.find(module.substr(0, dot))->second / fs::path(below.empty() ? "" : below.substr(1));
  std::error_code ignored;
  const fs::path plain = fs::path(stem.string() + ".py");
  if (!below.empty() && fs::is_regular_file(plain, ignored)) return Place{module, plain, false};
  if (fs::is_regular_file(stem / "__init__.py", ignored)) return Place{module, stem / "__init__.py", true};
  return std::nullopt;
}

ProjectFile* ProjectFiles::find(const std::string& module, const ProjectFile& from) {
  const std::optional<Place> place = place_of(module, from);
  return place ? &open(place->path, place->module, place->is_package) : nullptr;
}

std::optional<std::pair<ProjectFile*, std::string>> ProjectFiles::follow(const ProjectFile& file,
                                                                         const SyntaxNode& import,
                                                                         const std::string& name) {
  for (const SyntaxNode* alias : import.nodes("names")) {
    const std::string_view other = alias->text("asname");
    if ((other.empty() ? alias->text("name") : other) != name) continue;
    ProjectFile* origin = find(imported_module(import, file), file);
    if (origin == nullptr || !origin->names.defined_by.contains(std::string(alias->text("name")))) return std::nullopt;
    return std::pair(origin, std::string(alias->text("name")));
  }
  return std::nullopt;
}

void ProjectFiles::ancestry(ProjectFile& file, const SyntaxNode& cls, bool& is_module, bool& has_forward, int depth) {
  for (const SyntaxNode* statement : cls.nodes("body")) {
    has_forward = has_forward || (statement->is("FunctionDef") && statement->text("name") == "forward");
  }
  if (depth >= kMostBases) return;
  for (const SyntaxNode* base : cls.nodes("bases")) {
    const std::string name = dotted_name(*base);
    if (name == "Module" || name.starts_with("nn.") || name.starts_with("torch.nn.")) is_module = true;
    ProjectFile* place = &file;
    const SyntaxNode* found = class_named(place, name);
    if (found != nullptr && found != &cls) ancestry(*place, *found, is_module, has_forward, depth + 1);
  }
}

const SyntaxNode* ProjectFiles::class_named(ProjectFile*& file, std::string name) {
  for (int step = 0; step < kMostBases; ++step) {
    const auto found = file->names.defined_by.find(name);
    if (found == file->names.defined_by.end()) return nullptr;
    const SyntaxNode* node = file->names.statements[found->second.back()].node;
    if (node->is("ClassDef")) return node;
    if (!node->is("ImportFrom")) return nullptr;
    auto origin = follow(*file, *node, name);
    if (!origin) return nullptr;
    file = origin->first;
    name = std::move(origin->second);
  }
  return nullptr;
}

}  // namespace tritonrl::data
