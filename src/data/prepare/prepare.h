#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "data/prepare/duplicates.h"
#include "data/prepare/example.h"
#include "data/prepare/licenses.h"
#include "data/prepare/split.h"
#include "data/prepare/statistics.h"
#include "data/prepare/teacher_options.h"
#include "data/rows/row_reader.h"
#include "program/target.h"
#include "python/recorder.h"
#include "python/syntax_reader.h"
#include "record/data_folder.h"
#include "text/prompt.h"

namespace tritonrl::data {

// From which a task's level is told.
enum class LabelBy {
  kAuto,     // its program where few are recorded: tasks without solutions, or at most kFewSamples; else its text
  kProgram,  // its program, or its text where it does not record
  kText,
};
std::span<const char* const> enum_names(LabelBy);
inline constexpr std::int64_t kFewSamples = 2'000;

struct PrepareOptions {
  std::vector<std::filesystem::path> sources;  // example_reader.h; none where the teacher generates
  TeacherOptions teacher;
  record::DataFolder out;
  std::int64_t num_samples = 0;  // stop after so many kept examples; 0: all
  text::PromptOptions prompt;
  LicenseFilter licenses;
  bool drop_duplicates = true;
  DuplicateOptions duplicates;
  LabelBy labels = LabelBy::kAuto;
  SplitOptions split;
  bool decontaminate = true;                      // leave out compositions of KernelBench, but its own tasks
  std::vector<std::filesystem::path> hash_files;  // further benchmarks (benchmark_hashes.h)
  RowOptions limits;                              // `columns` is ignored
  int workers = 0;                                // threads; 0: one a core, at most 8; two a core to verify

  // All but `sources`.
  void fields(base::FieldVisitor& field) {
    field("teacher", teacher);
    field("out", out.folder, {.help = "folder of the results", .keyed = false});
    field("num_samples", num_samples, {.help = "stop after so many kept examples (0: all)", .least = 0});
    field("prompt", prompt);
    field("labels", labels,
          {.help = "what tells the level: program (recorded), text (syntax tree), or auto: program for tasks without "
                   "solutions and for at most 2000 samples"});
    field("licenses", licenses);
    field("drop_duplicates", drop_duplicates,
          {.help = "also modules that came before, exactly or nearly", .option = "keep_duplicates", .inverse = true});
    field("duplicates", duplicates);
    field("decontaminate", decontaminate,
          {.help = "keep modules whose operators are those of a KernelBench task",
           .option = "no_decontaminate",
           .inverse = true});
    field("hash_files", hash_files,
          {.help = "further files of operator hashes (--write-hashes) that must not be in the output",
           .option = "decontaminate"});
    TRL_FIELDS(field, limits, split);
    field("workers", workers,
          {.help = "threads (default: one a core up to 8; with --verify two a core)",
           .least = 1,
           .most = 4096,
           .keyed = false});
  }
};

// What the run needs from outside.
struct PrepareTools {
  std::function<std::unique_ptr<python::SyntaxReader>()> make_reader;  // one a worker
  std::function<python::Recorder&()> recorder;    // asked for when the first task is recorded; thread-safe
  const program::Target* target = nullptr;        // what recordings look like
  std::vector<std::string> python_paths;          // what the interpreter imports from: where named packages are found
  std::function<Checked(const Example&)> verify;  // judges a solution; empty: solutions are taken as they are
  // What `verify` judges by, as one JSON object (base::field_key): an unfinished run is gone on with under the same
  // alone.
  std::string verify_key = "{}";
  std::function<std::int64_t(std::string_view)> count_tokens;  // empty: Python's own tokens
  std::string token_unit = "Python";
  std::function<bool()> stopped;                             // asked often: true ends the run at its next checkpoint
  std::function<void(const std::string& kind)> row_done;     // for progress
  std::function<void(std::int64_t rows)> rows_done_earlier;  // an unfinished run is gone on with
};

struct PrepareOutcome {
  Statistics statistics;
  bool complete = false;  // false: stopped; the same call goes on
};

class ExampleSource;
// What the options name: the rows and modules of the sources, or what is generated. UserError if there is nothing.
std::unique_ptr<ExampleSource> open_examples(const PrepareOptions& options, const PrepareTools& tools);

// Reads, filters, labels, splits and writes: the files of `out` (record/data_folder.h). The output depends on the rows
// and the options alone, not on the format of the files, the number of workers or interruptions. Memory does not grow
// with the rows. UserError if the sources or the output cannot be used.
PrepareOutcome prepare(const PrepareOptions& options, const PrepareTools& tools);

// The operator hashes of all tasks of the sources, sorted, by text and by program: a file for BenchmarkHashes.
std::string benchmark_hashes_text(const PrepareOptions& options, const PrepareTools& tools);

}  // namespace tritonrl::data
