#include "data/prepare/module_cutter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "data/prepare/project_files.h"
#include "syntax/unparse.h"

namespace tritonrl::data {

namespace fs = std::filesystem;
using syntax::SyntaxNode;

namespace {

constexpr int kMostImports = 8;  // of a name, from file to file

// One class with all that it needs.
class ClassCut {
 public:
  ClassCut(ProjectFiles& project, std::size_t most_bytes) : project_(project), most_bytes_(most_bytes) {}

  void need(ProjectFile& file, const std::string& name) {
    if (first_ == nullptr) first_ = &file;
    const auto found = file.names.defined_by.find(name);
    if (!problem_.empty() || !asked_.insert({&file, name}).second) return;
    if (found == file.names.defined_by.end()) return need_of_star(file, name);
    for (const std::size_t index : found->second) need(file, index, name);
  }

  CutClass result(const std::string& name) {
    CutClass out{.name = name, .code = {}, .problem = problem_, .packages = {}};
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
      for (const std::size_t index : taken_[file]) {
        syntax::SyntaxArena arena;
        const SyntaxNode& node = *without_unasked(file->names.statements[index], arena);
        const std::map<std::string, std::string, std::less<>> others = other_names(file, file->names.statements[index]);
        if (hides(node, others)) {
          out.problem = "two things that it needs are called `" + others.begin()->first + "`";
          return out;
        }
        code += syntax::unparse(others.empty() ? node : *renamed(node, others, arena)) + "\n";
      }
      for (const auto& [alias, there] : aliases_[file]) code += alias + " = " + name_of(file, there) + "\n";
    }
    if (code.size() > most_bytes_) {
      out.problem = "is longer than " + std::to_string(most_bytes_ >> 10) + " KiB with all that it needs";
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

  // What a name of the file is called in the text that comes out.
  std::string name_of(const ProjectFile* file, const std::string& name) const {
    FileName at(file, name);
    for (int step = 0; step < kMostImports; ++step) {
      const auto origin = origins_.find(at);
      if (origin == origins_.end()) break;
      if (at.second != origin->second.second) return name;  // an alias stands for it
      at = origin->second;
    }
    const auto found = numbered_.find(at);
    return found == numbered_.end() ? name : found->second;
  }

  std::map<std::string, std::string, std::less<>> other_names(const ProjectFile* file,
                                                              const TopStatement& statement) const {
    std::map<std::string, std::string, std::less<>> out;
    const auto look = [&](const auto& names) {
      for (const std::string& name : names) {
        if (std::string other = name_of(file, name); other != name) out.emplace(name, std::move(other));
      }
    };
    if (numbered_.empty()) return out;
    look(statement.bound), look(statement.used), look(statement.annotations);
    for (const OptionalMember& member : statement.members) {
      if (is_asked_for(member.name)) look(member.used), look(member.annotations);
    }
    return out;
  }

  bool is_asked_for(const std::string& member) const { return asks_for_any_ || asked_for_.contains(member); }

  // The statement; of a class without the methods that nothing here asks for.
  const SyntaxNode* without_unasked(const TopStatement& statement, syntax::SyntaxArena& arena) const {
    std::set<const SyntaxNode*> unasked;
    for (const OptionalMember& member : statement.members) {
      if (!is_asked_for(member.name)) unasked.insert(member.node);
    }
    if (unasked.empty()) return statement.node;
    SyntaxNode& out = arena.copy(*statement.node);
    for (auto& [field, value] : out.fields) {
      if (field != "body") continue;
      auto& body = std::get<std::vector<const SyntaxNode*>>(value);
      std::erase_if(body, [&](const SyntaxNode* member) { return unasked.contains(member); });
      if (body.empty()) body.push_back(syntax::SyntaxArena::bare("Pass"));
    }
    return &out;
  }

  // Whether something in the statement has one of the names for itself.
  static bool hides(const SyntaxNode& node, const std::map<std::string, std::string, std::less<>>& names) {
    bool found = node.is("arg") && names.contains(node.text("arg"));
    for (const auto& [field, value] : node.fields) {
      if (names.empty() || found) break;
      if (const auto* child = std::get_if<const SyntaxNode*>(&value))
        found = *child != nullptr && hides(**child, names);
      if (const auto* children = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
        found = std::ranges::any_of(*children,
                                    [&](const SyntaxNode* each) { return each != nullptr && hides(*each, names); });
      }
    }
    return found;
  }

  static const SyntaxNode* renamed(const SyntaxNode& node, const std::map<std::string, std::string, std::less<>>& names,
                                   syntax::SyntaxArena& arena, bool top = true) {
    if (node.fields.empty()) return &node;
    SyntaxNode& out = arena.copy(node);
    const bool defines = top && (node.is("ClassDef") || node.is("FunctionDef"));
    for (auto& [field, value] : out.fields) {
      if (auto* child = std::get_if<const SyntaxNode*>(&value)) {
        if (*child != nullptr) *child = renamed(**child, names, arena, false);
      } else if (auto* children = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
        for (const SyntaxNode*& each : *children) {
          if (each != nullptr) each = renamed(*each, names, arena, false);
        }
      } else if (auto* text = std::get_if<std::string>(&value)) {
        const bool is_name = (node.is("Name") && field == "id") || (defines && field == "name");
        const auto found = is_name ? names.find(*text) : names.end();
        if (found != names.end()) *text = found->second;
      }
    }
    return &out;
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
      if (syntax::unparse(*owner->second.second->node) == syntax::unparse(*statement.node)) continue;
      // Another thing of that name: it gets a number.
      std::string other;
      for (int number = 2; other.empty() || owners_.contains(other); ++number) other = bound + std::to_string(number);
      owners_.emplace(other, std::pair(&file, &statement));
      numbered_[{&file, bound}] = other;
    }
    need_read(file, statement);
    for (const OptionalMember& member : statement.members) {
      if (is_asked_for(member.name)) {
        need_read(file, member);
      } else {
        unasked_[member.name].emplace_back(&file, &member);
      }
    }
  }

  void need_read(ProjectFile& file, const ReadNames& read) {
    for (const std::string& used : read.used) {
      if (used != "logging" || !uses_logging(*read.node)) need(file, used);
    }
    need_annotations(file, read);
    for (const std::string& name : read.asked) {
      if (asked_for_.insert(name).second) need_members(name);
    }
    if (!read.asks_for_any || asks_for_any_) return;
    asks_for_any_ = true;
    while (!unasked_.empty()) need_members(std::string(unasked_.begin()->first));
  }

  // Methods of that name, of whatever class is taken already.
  void need_members(const std::string& name) {
    const auto found = unasked_.extract(name);
    if (found.empty()) return;
    for (const auto& [file, member] : found.mapped()) need_read(*file, *member);
  }

  // A builtin, the name of something inside, or what a star brings.
  void need_of_star(ProjectFile& file, const std::string& name) {
    const auto stars = file.names.defined_by.find("*");
    if (stars == file.names.defined_by.end()) return;
    for (const std::size_t index : stars->second) {
      const SyntaxNode& import = *file.names.statements[index].node;
      const std::string module = imported_module(import, file);
      if (import_level(import) == 0 && is_available(module)) {
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
      if (import_level(import) == 0 && is_available(module)) {
        if (module != "__future__")
          imports_.insert("from " + module + " import " + there + (other.empty() ? "" : " as " + other));
        continue;
      }
      const auto origin = project_.follow(file, import, name);
      if (!origin) return fail("needs `" + there + "` of `" + (module.empty() ? "another package" : module) + "`");
      needs_[&file].insert(origin->first);
      origins_[{&file, name}] = {origin->first, origin->second};
      need(*origin->first, origin->second);
      if (there != name && problem_.empty()) aliases_[origin->first].emplace(name, origin->second);
    }
  }

  // Only what is at hand: the rest is never looked up. A dataclass comes along where it can: it is what a constructor
  // wants to be given.
  void need_annotations(ProjectFile& file, const ReadNames& read) {
    for (const std::string& name : read.annotations) {
      const auto found = file.names.defined_by.find(name);
      if (found == file.names.defined_by.end()) continue;
      if (read.node->is("ClassDef") && is_dataclass(file, name)) {
        // one that is annotated with itself, or with what is annotated with it, is being tried already
        if (!tried_.insert({&file, name}).second) continue;
        ClassCut alone(project_, most_bytes_);
        alone.tried_ = tried_;
        alone.need(file, name);
        if (alone.problem_.empty()) need(file, name);
        continue;
      }
      const SyntaxNode& node = *file.names.statements[found->second.back()].node;
      if (!node.is("Import") && !node.is("ImportFrom")) continue;
      const bool at_hand = node.is("Import")
                               ? std::all_of(node.nodes("names").begin(), node.nodes("names").end(),
                                             [](const SyntaxNode* alias) { return is_available(alias->text("name")); })
                               : import_level(node) == 0 && is_available(node.text("module"));
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

  ProjectFiles& project_;
  const std::size_t most_bytes_;
  std::string problem_;
  std::set<std::string> imports_;
  const ProjectFile* first_ = nullptr;
  std::map<const ProjectFile*, std::set<const ProjectFile*, ByModule>> needs_;
  std::map<const ProjectFile*, std::set<std::size_t>> taken_;
  std::set<std::pair<const ProjectFile*, std::string>> asked_;  // files may import each other in circles
  std::set<std::pair<const ProjectFile*, std::string>> tried_;  // dataclasses, by those of whom this is a trial too
  std::map<const ProjectFile*, std::map<std::string, std::string>> aliases_;
  std::set<std::string> asked_for_;  // members, by what is taken
  bool asks_for_any_ = false;
  std::map<std::string, std::vector<std::pair<ProjectFile*, const OptionalMember*>>> unasked_;
  using FileName = std::pair<const ProjectFile*, std::string>;
  std::map<FileName, FileName> origins_;      // of names that are imported
  std::map<FileName, std::string> numbered_;  // things whose name another one has
  std::map<std::string, std::pair<const ProjectFile*, const TopStatement*>> owners_;
};

}  // namespace

struct ModuleCutter::Impl {
  ProjectFiles files;
  std::size_t most_bytes;
};

ModuleCutter::ModuleCutter(std::unique_ptr<python::SyntaxReader> reader, fs::path root, std::string package,
                           const std::map<std::string, fs::path>& others, std::size_t most_bytes)
    : impl_(new Impl{ProjectFiles(std::move(reader), std::move(root), std::move(package), others), most_bytes}) {}
ModuleCutter::~ModuleCutter() = default;

CutFile ModuleCutter::cut(const fs::path& path, const std::vector<std::string>& also) {
  ProjectFiles& files = impl_->files;
  files.forget();
  std::string module = files.package();
  const fs::path below = fs::relative(path, files.root());
  for (const fs::path& part : below.parent_path()) module += "." + part.string();
  const bool is_package = below.filename() == "__init__.py";
  if (!is_package) module += "." + below.stem().string();
  ProjectFile& file = files.open(path, module, is_package);
  CutFile out;
  out.error = file.error;
  out.line = file.line;
  out.has_inputs = file.names.defined_by.contains("get_inputs");
  if (!file.tree || out.has_inputs) return out;
  for (const TopStatement& statement : file.names.statements) {
    if (!statement.node->is("ClassDef")) continue;
    bool is_module = false, has_forward = false;
    files.ancestry(file, *statement.node, is_module, has_forward);
    if (!is_module || !has_forward) continue;
    const std::string name(statement.node->text("name"));
    ClassCut cut(files, impl_->most_bytes);
    cut.need(file, name);
    for (const std::string& other : also) {
      if (file.names.defined_by.contains(other)) cut.need(file, other);
    }
    out.classes.push_back(cut.result(name));
  }
  return out;
}

}  // namespace tritonrl::data
