#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/prepare/example_source.h"
#include "data/prepare/module_cutter.h"
#include "data/rows/row_reader.h"
#include "data/tasks/kernelbench.h"

namespace tritonrl::data {

// How modules without inputs become tasks: a class at a time (module_cutter.h). Without a reader they are read as they
// are.
struct CutOptions {
  std::function<std::unique_ptr<python::SyntaxReader>()> make_reader;
  std::vector<std::string> python_paths;  // where packages are looked for that a source names
};

// The examples of all sources, one after the other. A source is
//   a file       of rows: parquet, JSON array, JSON lines (row_reader.h); or one Python module
//   a folder     a checkout of KernelBench; or else its files of rows (parquet before JSON, which usually holds the
//   same);
//                or else all Python files in it: modules in KernelBench's or KernelBook's form
//   a name       of an installed Python package, where classes are cut out; its licences are those of its metadata
// For one thread at a time.
class ExampleReader : public ExampleSource {
 public:
  // UserError if a source does not exist or has nothing to read.
  ExampleReader(const std::vector<std::filesystem::path>& sources, const RowOptions& limits, CutOptions cut = {});
  ~ExampleReader() override;

  std::optional<ReadExample> next() override;
  ReadPosition position() const override { return position_; }
  void go_to(const ReadPosition& position) override;
  // Rows in all, where the files tell without being read.
  std::optional<std::int64_t> total() const override;
  // Of names, sizes and times of all files.
  std::string fingerprint() const override;

 private:
  struct File {
    std::filesystem::path path;
    std::string id;  // of a module
    bool module = false;
    std::optional<BenchmarkPlace> place;
    int project = -1;  // index of the project whose classes are cut out; -1: it is read as it is
  };
  struct Project;
  void add_source(const std::filesystem::path& source);
  void add_module(const std::filesystem::path& file, const std::filesystem::path& folder);
  ReadExample read_module(const File& file) const;
  std::optional<ReadExample> next_row(const File& file);
  void add_project(const std::filesystem::path& folder, const std::string& name, bool installed);
  std::optional<ReadExample> next_class(const File& file);
  std::map<std::string, std::filesystem::path> packages() const;
  void add_licenses(const std::string& package, std::vector<std::string>& out) const;
  ReadExample class_of(const File& file, const CutClass& cut) const;

  RowOptions limits_;
  CutOptions cut_;
  std::vector<std::unique_ptr<Project>> projects_;
  std::vector<File> files_;
  ReadPosition position_;
  std::unique_ptr<RowReader> reader_;  // of the current file, where it has rows
  std::optional<CutFile> classes_;     // of the current file, where classes are cut out
};

}  // namespace tritonrl::data
