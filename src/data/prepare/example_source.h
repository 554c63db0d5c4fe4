#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fields.h"
#include "data/prepare/example.h"
#include "data/rows/row_reader.h"

namespace tritonrl::data {

struct ReadExample {
  std::string file;      // name without folder and extension: the same rows in another format have the same name
  std::int64_t row = 0;  // in its file, from 1
  std::optional<Example> example;  // or
  RowProblem problem;
  std::string package = {};  // an installed package that it is cut out of
  bool is_row = true;        // else it was made of one that is
};

// Where reading stands: a run can go on from here.
struct ReadPosition {
  std::int64_t file = 0;  // index of the file
  std::int64_t rows = 0;  // of it that were read
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, file, rows); }
  bool operator==(const ReadPosition&) const = default;
};

// Examples one after the other, from wherever they come. For one thread at a time.
class ExampleSource {
 public:
  virtual ~ExampleSource() = default;

  // The next one, or why there is none in this place; a file that cannot be read is one such result. None: the end.
  virtual std::optional<ReadExample> next() = 0;
  virtual ReadPosition position() const = 0;
  virtual void go_to(const ReadPosition& position) = 0;
  // How many in all, where that can be told without making them.
  virtual std::optional<std::int64_t> total() const = 0;
  // Another fingerprint, other examples.
  virtual std::string fingerprint() const = 0;
};

}  // namespace tritonrl::data
