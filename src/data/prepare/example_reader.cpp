#include "data/prepare/example_reader.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "data/prepare/example_from_row.h"
#include "data/prepare/installed_package.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;

bool is_row_file(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".parquet" || ending == ".json" || ending == ".jsonl" || ending == ".ndjson";
}

bool is_module_file(const fs::path& path) {
  return path.extension() == ".py";
}

// All files below, in the order of their names, those of hidden folders left out.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (auto at = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied);
       at != fs::recursive_directory_iterator(); ++at) {
    if (at->path().filename().string().starts_with(".") && at->is_directory()) at.disable_recursion_pending();
    if (at->is_regular_file()) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

template <class Wanted>
std::vector<fs::path> only(const std::vector<fs::path>& files, const Wanted& wanted) {
  std::vector<fs::path> out;
  std::copy_if(files.begin(), files.end(), std::back_inserter(out), wanted);
  return out;
}

}  // namespace

// The files of one project, among which classes find what they need.
struct ExampleReader::Project {
  std::string name;
  fs::path folder;
  std::optional<InstalledPackage> package;
  std::unique_ptr<ModuleCutter> cutter;
};

ExampleReader::ExampleReader(const std::vector<fs::path>& sources, const RowOptions& limits, CutOptions cut)
    : limits_(limits), cut_(std::move(cut)) {
  limits_.columns = example_columns();
  for (const fs::path& source : sources) add_source(source);
}
ExampleReader::~ExampleReader() = default;

void ExampleReader::add_source(const fs::path& source) {
  std::error_code error;
  if (!fs::exists(source, error) && cut_.make_reader && find_package(source.string(), cut_.python_paths))
    return add_project({}, source.string(), true);
  if (!fs::exists(source, error))
    throw base::UserError("prepare", source.string() +
                                         ": does not exist; name a file of rows, a folder of modules, a "
                                         "checkout of KernelBench or a data set of the hub");
  if (!fs::is_directory(source, error)) {
    if (is_module_file(source)) return add_module(source, source.parent_path());
    files_.push_back({.path = source, .id = {}, .module = false, .place = {}, .project = -1});
    return;
  }
  const std::vector<fs::path> benchmark = benchmark_files(source);
  for (const fs::path& file : benchmark) add_module(file, source);
  if (!benchmark.empty()) return;
  const std::vector<fs::path> files = files_below(source);
  std::vector<fs::path> rows = only(files, is_row_file);
  const std::vector<fs::path> parquet = only(rows, [](const fs::path& file) { return file.extension() == ".parquet"; });
  if (!parquet.empty() && reads_parquet()) rows = parquet;
  for (const fs::path& file : rows)
    files_.push_back({.path = file, .id = {}, .module = false, .place = {}, .project = -1});
  if (!rows.empty()) return;
  if (cut_.make_reader) return add_project(source, fs::absolute(source).lexically_normal().stem().string(), false);
  const std::vector<fs::path> modules = only(files, is_module_file);
  if (modules.empty())
    throw base::UserError("prepare", source.string() + ": has no .parquet, .json, .jsonl or .py file");
  for (const fs::path& file : modules) add_module(file, source);
}

void ExampleReader::add_project(const fs::path& folder, const std::string& name, bool installed) {
  Project& project = *projects_.emplace_back(std::make_unique<Project>());
  project.name = name;
  project.folder = folder;
  if (installed) {
    project.package = find_package(name, cut_.python_paths);
    project.folder = project.package->folder;
  }
  const std::vector<fs::path> modules = only(files_below(project.folder), is_module_file);
  if (modules.empty()) throw base::UserError("prepare", project.folder.string() + ": has no .py file");
  for (const fs::path& file : modules) {
    add_module(file, project.folder);
    files_.back().project = static_cast<int>(projects_.size()) - 1;
    if (installed) files_.back().id = name + "/" + fs::relative(file, project.folder).generic_string();
  }
}

ReadExample ExampleReader::class_of(const File& file, const CutClass& cut) const {
  const Project& project = *projects_[static_cast<std::size_t>(file.project)];
  ReadExample out{.file = file.id, .row = position_.rows, .example = {}, .problem = {}};
  if (project.package) out.package = project.name;
  if (cut.code.empty()) {
    out.problem = {"not_self_contained", cut.name + " " + cut.problem};
    return out;
  }
  Example& example = out.example.emplace();
  example.id = file.id + ":" + cut.name;
  example.source = project.package ? "package" : "modules";
  example.pytorch_code = cut.code;
  example.entry_point = cut.name;
  example.needs_inputs = true;
  if (project.package) {
    example.repository = project.package->name;
    example.licenses = project.package->licenses;
    for (const std::string& other : cut.packages) add_licenses(other, example.licenses);
    example.states_licenses = true;
  }
  return out;
}

// The packages among the sources: classes of one may need something of another.
std::map<std::string, fs::path> ExampleReader::packages() const {
  std::map<std::string, fs::path> out;
  for (const std::unique_ptr<Project>& project : projects_) {
    if (project->package) out.emplace(project->name, project->folder);
  }
  return out;
}

void ExampleReader::add_licenses(const std::string& package, std::vector<std::string>& out) const {
  for (const std::unique_ptr<Project>& project : projects_) {
    if (!project->package || project->name != package) continue;
    for (const std::string& license : project->package->licenses) {
      if (std::ranges::find(out, license) == out.end()) out.push_back(license);
    }
  }
}

// The file itself where it is a task, else one class after the other; none: there is nothing more.
std::optional<ReadExample> ExampleReader::next_class(const File& file) {
  Project& project = *projects_[static_cast<std::size_t>(file.project)];
  if (!classes_) {
    if (!project.cutter)
      project.cutter = std::make_unique<ModuleCutter>(cut_.make_reader(), project.folder, project.name, packages());
    try {
      classes_ = project.cutter->cut(file.path);
    } catch (const base::UserError& error) {
      classes_.emplace().error = error.what();
    }
  }
  const auto at = static_cast<std::size_t>(position_.rows++);
  if (!classes_->error.empty() && at == 0)
    return ReadExample{.file = file.id,
                       .row = 1,
                       .example = {},
                       .problem = {"not_python", classes_->error},
                       .package = project.package ? project.name : ""};
  if (classes_->has_inputs && at == 0) return read_module(file);
  if (at >= classes_->classes.size()) return std::nullopt;
  return class_of(file, classes_->classes[at]);
}

void ExampleReader::add_module(const fs::path& file, const fs::path& folder) {
  File out{.path = file, .id = {}, .module = true, .place = benchmark_place(file), .project = -1};
  out.id = out.place ? "kernelbench/level" + std::to_string(out.place->level) + "/" + out.place->name
                     : "modules/" + fs::relative(file, folder.empty() ? "." : folder).generic_string();
  files_.push_back(std::move(out));
}

ReadExample ExampleReader::read_module(const File& file) const {
  ReadExample out{.file = file.id, .row = 1, .example = {}, .problem = {}};
  std::string code;
  try {
    code = base::read_file(file.path, limits_.max_text_bytes);
  } catch (const base::UserError& error) {
    out.problem = {fs::file_size(file.path) > limits_.max_text_bytes ? "too_long" : "unreadable", error.what()};
    return out;
  }
  if (!text::is_valid_utf8(code)) {
    out.problem = {"not_utf8", "is no UTF-8 text"};
    return out;
  }
  if (code.find_first_not_of(" \t\r\n") == std::string::npos) {
    out.problem = {"empty_code", "is empty"};
    return out;
  }
  Example& example = out.example.emplace();
  example.id = file.id;
  example.source = file.place ? "kernelbench" : "modules";
  example.pytorch_code = std::move(code);
  if (file.place) {
    example.own_level = file.place->level;
    example.problem = file.place->problem;
    example.degenerate = degenerate_reason(*file.place);
  }
  return out;
}

std::optional<ReadExample> ExampleReader::next_row(const File& file) {
  const std::string name = file.path.stem().string();
  if (!reader_) {
    try {
      reader_ = open_rows(file.path, limits_);
    } catch (const base::UserError& error) {
      return ReadExample{.file = name, .row = 0, .example = {}, .problem = {"unreadable", error.what()}};
    }
    if (position_.rows > 0) reader_->skip(position_.rows);
  }
  std::optional<RowResult> result = reader_->next();
  if (!result) return std::nullopt;
  ReadExample out{.file = name, .row = position_.rows + 1, .example = {}, .problem = result->problem};
  position_.rows += result->rows;  // damage takes several at once
  if (!result->row) return out;
  std::variant<Example, RowProblem> made = example_from_row(*result->row);
  if (auto* example = std::get_if<Example>(&made)) {
    out.example = std::move(*example);
  } else {
    out.problem = std::get<RowProblem>(made);
  }
  return out;
}

std::optional<ReadExample> ExampleReader::next() {
  while (position_.file < static_cast<std::int64_t>(files_.size())) {
    const File& file = files_[static_cast<std::size_t>(position_.file)];
    if (file.project >= 0) {
      if (std::optional<ReadExample> out = next_class(file)) return out;
      classes_.reset();
      position_ = {.file = position_.file + 1, .rows = 0};
      continue;
    }
    std::optional<ReadExample> out = file.module ? read_module(file) : next_row(file);
    if (file.module || !reader_) {  // one example, or a file that cannot be opened
      position_ = {.file = position_.file + 1, .rows = 0};
      return out;
    }
    if (out) return out;
    reader_.reset();
    position_ = {.file = position_.file + 1, .rows = 0};
  }
  return std::nullopt;
}

void ExampleReader::go_to(const ReadPosition& position) {
  reader_.reset();
  classes_.reset();
  position_ = position;
}

std::optional<std::int64_t> ExampleReader::total() const {
  std::int64_t total = 0;
  for (const File& file : files_) {
    if (file.project >= 0) return std::nullopt;  // classes are counted when they are cut out
    if (file.module) {
      ++total;
      continue;
    }
    try {
      const std::optional<std::int64_t> rows = open_rows(file.path, limits_)->total();
      if (!rows) return std::nullopt;
      total += *rows;
    } catch (const base::UserError&) {
      ++total;
    }
  }
  return total;
}

std::string ExampleReader::fingerprint() const {
  std::string text;
  for (const File& file : files_) {
    std::error_code ignored;
    text += file.path.string() + "\n" + std::to_string(fs::file_size(file.path, ignored)) + "\n" +
            std::to_string(fs::last_write_time(file.path, ignored).time_since_epoch().count()) + "\n";
  }
  return base::sha256(text);
}

}  // namespace tritonrl::data
