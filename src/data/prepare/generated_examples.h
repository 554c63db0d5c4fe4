#pragma once

#include <memory>

#include "data/prepare/benchmark_hashes.h"
#include "data/prepare/example_source.h"
#include "data/prepare/teacher_options.h"

namespace tritonrl::data {

// Modules and solutions of the teacher's own making. The same options give the same examples, on every machine.
class GeneratedExamples : public ExampleSource {
 public:
  // `refused` compositions, by their hashes, are never drawn.
  GeneratedExamples(const TeacherOptions& options, std::shared_ptr<const BenchmarkHashes> refused);

  std::optional<ReadExample> next() override;
  ReadPosition position() const override { return {.file = 0, .rows = made_}; }
  void go_to(const ReadPosition& position) override { made_ = position.rows; }
  std::optional<std::int64_t> total() const override { return options_.generate; }
  std::string fingerprint() const override;

 private:
  const TeacherOptions options_;
  teacher::PairGenerator generator_;
  std::int64_t made_ = 0;
};

}  // namespace tritonrl::data
