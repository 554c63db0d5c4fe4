#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/prepare/example.h"
#include "data/rows/row_reader.h"
#include "data/tasks/kernelbench.h"

namespace tritonrl::data {

struct ReadExample {
  std::string file;      // name without folder and extension: the same rows in another format have the same name
  std::int64_t row = 0;  // in its file, from 1
  std::optional<Example> example;  // or
  RowProblem problem;
};

// Where reading stands: a run can go on from here.
struct ReadPosition {
  std::int64_t file = 0;  // index of the file
  std::int64_t rows = 0;  // of it that were read
  bool operator==(const ReadPosition&) const = default;
};

// The examples of all sources, one after the other. A source is
//   a file       of rows: parquet, JSON array, JSON lines (row_reader.h); or one Python module
//   a folder     a checkout of KernelBench; or else its files of rows (parquet before JSON, which usually holds the
//   same);
//                or else all Python files in it: modules in KernelBench's or KernelBook's form
// For one thread at a time.
class ExampleReader {
 public:
  // UserError if a source does not exist or has nothing to read.
  ExampleReader(const std::vector<std::filesystem::path>& sources, const RowOptions& limits);
  ~ExampleReader();

  // The next one, or why there is none in this place; a file that cannot be read is one such result. None: the end.
  std::optional<ReadExample> next();
  ReadPosition position() const { return position_; }
  void go_to(const ReadPosition& position);
  // Rows in all, where the files tell without being read.
  std::optional<std::int64_t> total() const;
  // Names, sizes and times of all files: another fingerprint, other contents.
  std::string fingerprint() const;

 private:
  struct File {
    std::filesystem::path path;
    std::string id;  // of a module
    bool module = false;
    std::optional<BenchmarkPlace> place;
  };
  void add_source(const std::filesystem::path& source);
  void add_module(const std::filesystem::path& file, const std::filesystem::path& folder);
  ReadExample read_module(const File& file) const;
  std::optional<ReadExample> next_row(const File& file);

  RowOptions limits_;
  std::vector<File> files_;
  ReadPosition position_;
  std::unique_ptr<RowReader> reader_;  // of the current file, where it has rows
};

}  // namespace tritonrl::data
