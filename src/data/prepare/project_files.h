#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "data/prepare/source_names.h"
#include "python/syntax_reader.h"
#include "syntax/arena.h"

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

// What every recording can import.
bool is_available(std::string_view module);

// The module that `from … import` names, seen from the file; empty: it leads out of the project.
std::string imported_module(const syntax::SyntaxNode& import, const ProjectFile& file);
// How many dots it begins with.
std::int64_t import_level(const syntax::SyntaxNode& import);

// The files of a project and of packages that it may take things from, read and parsed as they are needed.
class ProjectFiles {
 public:
  ProjectFiles(std::unique_ptr<python::SyntaxReader> reader, std::filesystem::path root, std::string package,
               const std::map<std::string, std::filesystem::path>& others);

  const std::filesystem::path& root() const { return root_; }
  const std::string& package() const { return package_; }

  // UserError if it cannot be read.
  ProjectFile& open(const std::filesystem::path& path, const std::string& module, bool is_package);
  // A file by its import name, as written, or as scripts mean it: from the project's folder, or from the importing
  // file's; nullptr: there is none.
  ProjectFile* find(const std::string& module, const ProjectFile& from);
  // Where a name is defined that the file imports: the file and the name there.
  std::optional<std::pair<ProjectFile*, std::string>> follow(const ProjectFile& file, const syntax::SyntaxNode& import,
                                                             const std::string& name);
  // Whether the class derives from nn.Module, and whether it or an own base has a forward.
  void ancestry(ProjectFile& file, const syntax::SyntaxNode& cls, bool& is_module, bool& has_forward, int depth = 0);
  // The class of that name, through imports from file to file, the last of which is `file` afterwards; nullptr: there
  // is none.
  const syntax::SyntaxNode* class_named(ProjectFile*& file, std::string name);
  // Forgets files where they are many; what was given out before must not be used afterwards.
  void forget();

 private:
  struct Place {
    std::string module;
    std::filesystem::path path;
    bool is_package = false;
  };
  bool is_known(std::string_view module) const { return roots_.contains(module.substr(0, module.find('.'))); }
  bool at_hand(const syntax::SyntaxNode& import, const ProjectFile& file) const;
  std::optional<Place> place_of(const std::string& module, const ProjectFile& from) const;
  std::optional<Place> own_place(const std::string& module) const;

  std::unique_ptr<python::SyntaxReader> reader_;
  std::filesystem::path root_;
  std::string package_;
  std::map<std::string, std::filesystem::path, std::less<>> roots_;  // of it and of the other packages
  std::map<std::string, std::unique_ptr<ProjectFile>> files_;
};

}  // namespace tritonrl::data
