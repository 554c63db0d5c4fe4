#include "data/prepare/module_cutter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/files.h"
#include "data/prepare/source_names.h"
#include "data/prepare/trimmed_source.h"
#include "syntax/unparse.h"

namespace tritonrl::data {

// A file of the project, once it was needed.
struct ProjectFile {
  std::string module;       // "timm.layers.mlp"
  bool is_package = false;  // an __init__.py
  std::optional<syntax::SyntaxTree> tree;
  syntax::SyntaxArena trimmed;
  SourceNames names;
  std::string error;
  int line = 0;
};

namespace {

namespace fs = std::filesystem;
using syntax::SyntaxNode;

constexpr std::size_t kMostFileBytes = std::size_t{2} << 20;
constexpr std::size_t kMostCodeBytes = std::size_t{24} << 10;  // of a class with its helpers: longer ones teach little
constexpr std::size_t kMostFilesKept = 256;
constexpr int kMostBases = 8;  // of a class, one above the other

// What every recording can import.
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

std::int64_t level_of(const SyntaxNode& import) {
  const syntax::SyntaxValue* value = import.field("level");
  const auto* level = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return level == nullptr ? 0 : *level;
}

// The module that `from … import` names, seen from the file; empty: it leads out of the project.
std::string imported_module(const SyntaxNode& import, const ProjectFile& file) {
  const std::string name(import.text("module"));
  std::int64_t level = level_of(import);
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

}  // namespace

struct ModuleCutter::Impl {
  std::unique_ptr<python::SyntaxReader> reader;
  fs::path root;
  std::string package;
  std::map<std::string, fs::path, std::less<>> roots;  // of it and of the other packages
  std::map<std::string, std::unique_ptr<ProjectFile>> files;

  bool is_known(std::string_view module) const { return roots.contains(module.substr(0, module.find('.'))); }

  // Whether names of the imported module can be had, as far as its own name tells.
  bool at_hand(const SyntaxNode& import, const ProjectFile& file) const {
    if (import.is("ImportFrom")) {
      const std::string module = imported_module(import, file);
      return level_of(import) > 0 || is_available(module) || place_of(module, file).has_value();
    }
    return std::ranges::all_of(import.nodes("names"),
                               [](const SyntaxNode* alias) { return is_available(alias->text("name")); });
  }

  ProjectFile& open(const fs::path& path, const std::string& module, bool is_package) {
    std::unique_ptr<ProjectFile>& file = files[module];
    if (file) return *file;
    file = std::make_unique<ProjectFile>();
    file->module = module;
    file->is_package = is_package;
    const std::string text = base::read_file(path, kMostFileBytes);
    const std::string_view view = text;
    python::ParsedSource parsed = std::move(reader->parse({&view, 1}).front());
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

  struct Place {
    std::string module;
    fs::path path;
    bool is_package = false;
  };

  // Where a module of the project lies, by its import name as written, or as scripts mean it: from the project's
  // folder, or from the importing file's.
  std::optional<Place> place_of(const std::string& module, const ProjectFile& from) const {
    if (module.empty()) return std::nullopt;
    const std::string folder = from.is_package ? from.module : from.module.substr(0, from.module.rfind('.'));
    for (const std::string& name : {module, package + "." + module, folder + "." + module}) {
      if (std::optional<Place> place = own_place(name)) return place;
    }
    return std::nullopt;
  }

  std::optional<Place> own_place(const std::string& module) const {
    if (!is_known(module)) return std::nullopt;
    const std::size_t dot = std::min(module.find('.'), module.size());
    std::string below = module.substr(dot);
    std::replace(below.begin(), below.end(), '.', '/');
    const fs::path stem = roots.find(module.substr(0, dot))->second / fs::path(below.empty() ? "" : below.substr(1));
    std::error_code ignored;
    const fs::path plain = fs::path(stem.string() + ".py");
    if (!below.empty() && fs::is_regular_file(plain, ignored)) return Place{module, plain, false};
    if (fs::is_regular_file(stem / "__init__.py", ignored)) return Place{module, stem / "__init__.py", true};
    return std::nullopt;
  }

  ProjectFile* find(const std::string& module, const ProjectFile& from) {
    const std::optional<Place> place = place_of(module, from);
    return place ? &open(place->path, place->module, place->is_package) : nullptr;
  }

  // Where a name is defined that the file imports: the file and the name there.
  std::optional<std::pair<ProjectFile*, std::string>> follow(const ProjectFile& file, const SyntaxNode& import,
                                                             const std::string& name) {
    for (const SyntaxNode* alias : import.nodes("names")) {
      const std::string_view other = alias->text("asname");
      if ((other.empty() ? alias->text("name") : other) != name) continue;
      ProjectFile* origin = find(imported_module(import, file), file);
      if (origin == nullptr || !origin->names.defined_by.contains(std::string(alias->text("name"))))
        return std::nullopt;
      return std::pair(origin, std::string(alias->text("name")));
    }
    return std::nullopt;
  }

  // Whether the class derives from nn.Module, and whether it or an own base has a forward.
  void ancestry(ProjectFile& file, const SyntaxNode& cls, int depth, bool& is_module, bool& has_forward) {
    for (const SyntaxNode* statement : cls.nodes("body")) {
      has_forward = has_forward || (statement->is("FunctionDef") && statement->text("name") == "forward");
    }
    if (depth >= kMostBases) return;
    for (const SyntaxNode* base : cls.nodes("bases")) {
      const std::string name = dotted_name(*base);
      if (name == "Module" || name.starts_with("nn.") || name.starts_with("torch.nn.")) is_module = true;
      ProjectFile* place = &file;
      const SyntaxNode* found = class_named(place, name);
      if (found != nullptr && found != &cls) ancestry(*place, *found, depth + 1, is_module, has_forward);
    }
  }

  // The class of that name, through imports from file to file, the last of which is `file` afterwards; nullptr: there
  // is none.
  const SyntaxNode* class_named(ProjectFile*& file, std::string name) {
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
};

namespace {

// One class with all that it needs.
template <class Project>
class Cut {
 public:
  explicit Cut(Project& project) : project_(project) {}

  void need(ProjectFile& file, const std::string& name) {
    if (first_ == nullptr) first_ = &file;
    const auto found = file.names.defined_by.find(name);
    if (!problem_.empty() || !asked_.insert({&file, name}).second) return;
    if (found == file.names.defined_by.end()) return need_of_star(file, name);
    for (const std::size_t index : found->second) need(file, index, name);
  }

  CutClass result(const std::string& name) {
    CutClass out{.name = name, .code = {}, .problem = problem_};
    if (!problem_.empty()) return out;
    std::set<std::string> packages;
    for (const auto& [file, indices] : taken_) packages.insert(file->module.substr(0, file->module.find('.')));
    packages.erase(first_->module.substr(0, first_->module.find('.')));
    out.packages.assign(packages.begin(), packages.end());
    std::string code = "from __future__ import annotations\n";  // names in annotations need not exist
    imports_.insert("import torch");
    imports_.insert("import torch.nn as nn");
    for (const std::string& line : imports_) code += line + "\n";
    for (const ProjectFile* file : files_in_order()) {
      for (const std::size_t index : taken_[file]) code += syntax::unparse(*file->names.statements[index].node) + "\n";
      for (const std::string& line : aliases_[file]) code += line + "\n";
    }
    if (code.size() > kMostCodeBytes) {
      out.problem = "is longer than " + std::to_string(kMostCodeBytes >> 10) + " KiB with all that it needs";
    } else {
      out.code = std::move(code);
    }
    return out;
  }

 private:
  struct ByModule {
    bool operator()(const ProjectFile* a, const ProjectFile* b) const { return a->module < b->module; }
  };

  // Those that others need come first.
  std::vector<const ProjectFile*> files_in_order() {
    std::vector<const ProjectFile*> out;
    std::set<const ProjectFile*> seen;
    add_in_order(first_, seen, out);
    return out;
  }
  void add_in_order(const ProjectFile* file, std::set<const ProjectFile*>& seen, std::vector<const ProjectFile*>& out) {
    if (!seen.insert(file).second) return;
    for (const ProjectFile* needed : needs_[file]) add_in_order(needed, seen, out);
    out.push_back(file);
  }

  // What became of a logger (trimmed_source.h), whatever the file calls `logging` itself.
  static bool uses_logging(const SyntaxNode& node) {
    return node.is("Assign") && node.node("value")->is("Call") &&
           dotted_name(*node.node("value")->node("func")) == "logging.getLogger";
  }

  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  void need(ProjectFile& file, std::size_t index, const std::string& name) {
    const TopStatement& statement = file.names.statements[index];
    if (statement.node->is("Import")) return need_import(*statement.node, name);
    if (statement.node->is("ImportFrom")) return need_import_from(file, *statement.node, name);
    if (!taken_[&file].insert(index).second) return;
    if (uses_logging(*statement.node)) imports_.insert("import logging");
    for (const std::string& bound : statement.bound) {
      const auto [owner, fresh] = owners_.emplace(bound, std::pair(&file, &statement));
      if (fresh || owner->second.first == &file) continue;
      if (syntax::unparse(*owner->second.second->node) != syntax::unparse(*statement.node))
        return fail("two things that it needs are called `" + bound + "`");
    }
    for (const std::string& used : statement.used) {
      if (used != "logging" || !uses_logging(*statement.node)) need(file, used);
    }
    need_annotations(file, statement);
  }

  // A builtin, the name of something inside, or what a star brings.
  void need_of_star(ProjectFile& file, const std::string& name) {
    const auto stars = file.names.defined_by.find("*");
    if (stars == file.names.defined_by.end()) return;
    for (const std::size_t index : stars->second) {
      const SyntaxNode& import = *file.names.statements[index].node;
      const std::string module = imported_module(import, file);
      if (level_of(import) == 0 && is_available(module)) {
        imports_.insert("from " + module + " import *");
      } else if (ProjectFile* origin = project_.find(module, file); origin != nullptr) {
        needs_[&file].insert(origin);
        need(*origin, name);
      }
    }
  }

  void need_import(const SyntaxNode& import, const std::string& name) {
    for (const SyntaxNode* alias : import.nodes("names")) {
      const std::string module(alias->text("name")), other(alias->text("asname"));
      if ((other.empty() ? module.substr(0, module.find('.')) : other) != name) continue;
      if (!is_available(module)) return fail("needs the module `" + module + "`");
      imports_.insert("import " + module + (other.empty() ? "" : " as " + other));
    }
  }

  void need_import_from(ProjectFile& file, const SyntaxNode& import, const std::string& name) {
    const std::string module = imported_module(import, file);
    for (const SyntaxNode* alias : import.nodes("names")) {
      const std::string there(alias->text("name")), other(alias->text("asname"));
      if ((other.empty() ? there : other) != name) continue;
      if (level_of(import) == 0 && is_available(module)) {
        if (module != "__future__")
          imports_.insert("from " + module + " import " + there + (other.empty() ? "" : " as " + other));
        continue;
      }
      const auto origin = project_.follow(file, import, name);
      if (!origin) return fail("needs `" + there + "` of `" + (module.empty() ? "another package" : module) + "`");
      needs_[&file].insert(origin->first);
      need(*origin->first, origin->second);
      if (there != name && problem_.empty()) aliases_[origin->first].insert(name + " = " + origin->second);
    }
  }

  // Only what is at hand: the rest is never looked up. A dataclass comes along where it can: it is what a constructor
  // wants to be given.
  void need_annotations(ProjectFile& file, const TopStatement& statement) {
    for (const std::string& name : statement.annotations) {
      const auto found = file.names.defined_by.find(name);
      if (found == file.names.defined_by.end()) continue;
      if (statement.node->is("ClassDef") && is_dataclass(file, name)) {
        Cut alone(project_);
        alone.need(file, name);
        if (alone.problem_.empty()) need(file, name);
        continue;
      }
      const SyntaxNode& node = *file.names.statements[found->second.back()].node;
      if (!node.is("Import") && !node.is("ImportFrom")) continue;
      const bool at_hand = node.is("Import")
                               ? std::all_of(node.nodes("names").begin(), node.nodes("names").end(),
                                             [](const SyntaxNode* alias) { return is_available(alias->text("name")); })
                               : level_of(node) == 0 && is_available(node.text("module"));
      if (at_hand) need(file, found->second.back(), name);
    }
  }

  bool is_dataclass(ProjectFile& file, const std::string& name) {
    ProjectFile* place = &file;
    const SyntaxNode* found = project_.class_named(place, name);
    return found != nullptr && std::ranges::any_of(found->nodes("decorator_list"), [](const SyntaxNode* decorator) {
             return dotted_name(decorator->is("Call") ? *decorator->node("func") : *decorator).ends_with("dataclass");
           });
  }

  Project& project_;
  std::string problem_;
  std::set<std::string> imports_;
  const ProjectFile* first_ = nullptr;
  std::map<const ProjectFile*, std::set<const ProjectFile*, ByModule>> needs_;
  std::map<const ProjectFile*, std::set<std::size_t>> taken_;
  std::set<std::pair<const ProjectFile*, std::string>> asked_;  // files may import each other in circles
  std::map<const ProjectFile*, std::set<std::string>> aliases_;
  std::map<std::string, std::pair<const ProjectFile*, const TopStatement*>> owners_;
};

}  // namespace

ModuleCutter::ModuleCutter(std::unique_ptr<python::SyntaxReader> reader, fs::path root, std::string package,
                           const std::map<std::string, fs::path>& others)
    : impl_(std::make_unique<Impl>()) {
  impl_->reader = std::move(reader);
  impl_->roots.insert(others.begin(), others.end());
  impl_->roots.insert_or_assign(package, root);
  impl_->root = std::move(root);
  impl_->package = std::move(package);
}
ModuleCutter::~ModuleCutter() = default;

CutFile ModuleCutter::cut(const fs::path& path) {
  Impl& impl = *impl_;
  if (impl.files.size() > kMostFilesKept) impl.files.clear();
  std::string module = impl.package;
  const fs::path below = fs::relative(path, impl.root);
  for (const fs::path& part : below.parent_path()) module += "." + part.string();
  const bool is_package = below.filename() == "__init__.py";
  if (!is_package) module += "." + below.stem().string();
  ProjectFile& file = impl.open(path, module, is_package);
  CutFile out;
  out.error = file.error;
  out.line = file.line;
  out.has_inputs = file.names.defined_by.contains("get_inputs");
  if (!file.tree || out.has_inputs) return out;
  for (const TopStatement& statement : file.names.statements) {
    if (!statement.node->is("ClassDef")) continue;
    bool is_module = false, has_forward = false;
    impl.ancestry(file, *statement.node, 0, is_module, has_forward);
    if (!is_module || !has_forward) continue;
    const std::string name(statement.node->text("name"));
    Cut cut(impl);
    cut.need(file, name);
    out.classes.push_back(cut.result(name));
  }
  return out;
}

}  // namespace tritonrl::data
