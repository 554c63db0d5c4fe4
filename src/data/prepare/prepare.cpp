#include "data/prepare/prepare.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>

#include "base/error.h"
#include "base/fields.h"
#include "base/sha256.h"
#include "data/prepare/benchmark_hashes.h"
#include "data/prepare/example_reader.h"
#include "data/prepare/finished_example.h"
#include "data/prepare/generated_examples.h"
#include "data/prepare/labeller.h"
#include "data/prepare/module_rewriter.h"
#include "data/prepare/ordered_pool.h"
#include "data/prepare/prepared_files.h"

namespace tritonrl::data {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatchRows = 64;
constexpr std::size_t kSlowBatchRows = 4;  // that are run one by one
constexpr std::size_t kBatchBytes = std::size_t{2} << 20;
constexpr int kUsefulWorkers = 8;  // more wait for the one that reads; each has an interpreter of its own
constexpr auto kCheckpointEvery = std::chrono::seconds(2);

// Rows that go through the workers together.
struct Batch {
  std::vector<ReadExample> items;
  ReadPosition end;            // where reading stands behind it
  std::int64_t rows_read = 0;  // from the beginning, this batch included
};
struct FinishedBatch {
  std::vector<FinishedExample> items;
  ReadPosition end;
  std::int64_t rows_read = 0;
};

int worker_count(const PrepareOptions& options, const PrepareTools& tools) {
  if (options.workers > 0) return options.workers;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (tools.verify) return 2 * cores;  // judging waits for other processes
  return std::min(cores, kUsefulWorkers);
}

std::string fingerprint_of(const PrepareOptions& options, const PrepareTools& tools, const ExampleSource& reader) {
  const base::Json json = {reader.fingerprint(), base::field_key(options), static_cast<bool>(tools.verify),
                           tools.token_unit};
  return base::sha256(json.dump());
}

// Where an unfinished run stands.
struct State {
  ReadPosition position;
  Statistics statistics;
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, position, statistics); }
};

BenchmarkHashes hashes_of(const PrepareOptions& options) {
  BenchmarkHashes out;
  if (options.decontaminate) out = BenchmarkHashes::built_in();
  for (const std::filesystem::path& file : options.hash_files) out.add_file(file);
  return out;
}

class Run {
 public:
  Run(const PrepareOptions& options, const PrepareTools& tools)
      : options_(options),
        tools_(tools),
        reader_(open_examples(options, tools)),
        files_(options.out, fingerprint_of(options, tools, *reader_), tools.verify ? tools.verify_key : "{}"),
        hashes_(hashes_of(options)) {
    statistics_.token_unit = tools.token_unit;
    if (files_.earlier_state()) go_on(*files_.earlier_state());
    if (options.drop_duplicates)
      duplicates_.emplace(files_.work_folder() / "seen.sqlite", statistics_.read + 1, options.duplicates);
  }

  PrepareOutcome run() {
    const auto make_work = [this] {
      auto labeller = std::make_shared<Labeller>(options_, tools_);
      std::shared_ptr<ModuleRewriter> rewriter;
      if (options_.teacher.rewrite) rewriter = std::make_shared<ModuleRewriter>(options_.teacher, tools_);
      return [this, labeller, rewriter](Batch batch) {
        if (rewriter) rewrite(batch, *rewriter);
        return finish(std::move(batch), *labeller);
      };
    };
    const int workers = worker_count(options_, tools_);
    OrderedPool<Batch, FinishedBatch> pool(workers, static_cast<std::size_t>(workers) * 2 + 1, make_work);
    std::jthread reading([&] { read(pool); });
    try {
      write(pool);
    } catch (...) {
      pool.cancel();
      throw;
    }
    pool.cancel();
    reading.join();
    return end();
  }

 private:
  void go_on(const std::string& state) {
    if (state == "finished") return;  // killed while names were given: begin again
    base::Result<State> read = base::from_json<State>(state, "state");
    if (!read.ok())
      throw base::UserError("prepare", "the state of the earlier run cannot be read: " + read.error() + "; remove " +
                                           files_.work_folder().string() + " to begin again");
    position_ = read.value().position;
    statistics_ = std::move(read).value().statistics;
    reader_->go_to(position_);
    if (tools_.rows_done_earlier) tools_.rows_done_earlier(statistics_.read);
  }

  // In a thread of its own: what can be said of rows in their order.
  void read(OrderedPool<Batch, FinishedBatch>& pool) {
    try {
      Batch batch;
      std::size_t bytes = 0;
      const std::size_t batch_rows = options_.teacher.rewrite ? kSlowBatchRows : kBatchRows;
      std::int64_t rows = statistics_.read;
      const auto hand_over = [&] {
        batch.end = reader_->position();
        batch.rows_read = rows;
        if (duplicates_) duplicates_->commit();  // before anything of it can be written
        bytes = 0;
        return pool.submit(std::exchange(batch, {}));
      };
      while (std::optional<ReadExample> item = reader_->next()) {
        ++rows;
        if (item->example) sift(*item, rows);
        bytes += item->example ? item->example->pytorch_code.size() + item->example->solution.size() : 0;
        batch.items.push_back(*std::move(item));
        if ((batch.items.size() >= batch_rows || bytes >= kBatchBytes) && !hand_over()) return;
      }
      if (!batch.items.empty() && !hand_over()) return;
      pool.close();
    } catch (...) {
      pool.fail(std::current_exception());
    }
  }

  // Leaves out what needs no look into the module.
  void sift(ReadExample& item, std::int64_t row) {
    const auto leave_out = [&](const char* reason, const std::string& message) {
      item.problem = {reason, message};
      item.example.reset();
    };
    if (!options_.licenses.accepts(*item.example)) {
      std::string names;
      for (const std::string& name : item.example->licenses) names += (names.empty() ? "" : ", ") + name;
      return leave_out("license", names.empty() ? "it states no licence" : "its licence is " + names);
    }
    if (!duplicates_ || item.example->source == "kernelbench") return;  // a benchmark is what it is
    const Duplicates::Answer answer = duplicates_->look(row, item.example->pytorch_code);
    if (answer.seen == Duplicates::Seen::kNever) return;
    const bool same = answer.seen == Duplicates::Seen::kSame;
    leave_out(same ? "duplicate" : "near_duplicate",
              (same ? "the same as row " : "nearly the same as row ") + std::to_string(answer.earlier) + " of all");
  }

  // In the workers.
  void rewrite(Batch& batch, ModuleRewriter& rewriter) {
    for (ReadExample& item : std::exchange(batch.items, {})) {
      std::vector<Example> planted;
      if (item.example && !stopped_) {
        if (std::optional<RowProblem> problem = rewriter.rewrite(*item.example, planted)) {
          item.problem = *std::move(problem);
          item.example.reset();
        }
      }
      batch.items.push_back(std::move(item));
      for (Example& one : planted) {
        ReadExample more = batch.items.back();
        more.example = std::move(one);
        more.is_row = false;
        batch.items.push_back(std::move(more));
      }
    }
  }

  FinishedBatch finish(Batch batch, Labeller& labeller) {
    std::vector<const Example*> examples;
    for (const ReadExample& item : batch.items) {
      if (item.example) examples.push_back(&*item.example);
    }
    const std::vector<Labelled> labels = labeller.label(examples);
    FinishedBatch out{.items = {}, .end = batch.end, .rows_read = batch.rows_read};
    std::size_t next = 0;
    for (ReadExample& item : batch.items) {
      if (stopped_) break;
      out.items.push_back(item.example ? finish_example(item, labels[next++], options_, tools_, hashes_)
                                       : left_out(item, item.problem));
      out.items.back().is_row = item.is_row;
    }
    return out;
  }

  void write(OrderedPool<Batch, FinishedBatch>& pool) {
    auto checkpointed = Clock::now();
    while (std::optional<FinishedBatch> batch = pool.next()) {
      for (const FinishedExample& item : batch->items) {
        add(item);
        if (options_.num_samples > 0 && statistics_.kept() >= options_.num_samples) {
          complete_ = true;
          return;
        }
      }
      position_ = batch->end;
      if (tools_.stopped && tools_.stopped()) {
        stopped_ = true;
        checkpoint();
        return;
      }
      if (Clock::now() - checkpointed >= kCheckpointEvery) {
        checkpoint();
        checkpointed = Clock::now();
      }
    }
    complete_ = true;
  }

  void add(const FinishedExample& item) {
    if (item.is_row) ++statistics_.read;
    item.count(statistics_);
    for (const auto& [file, line] : item.lines) files_.write(file, line);
    if (item.is_row && tools_.row_done) tools_.row_done(item.kept ? "kept" : "left out");
  }

  void checkpoint() { files_.checkpoint(base::to_json(State{position_, statistics_}).dump()); }

  PrepareOutcome end() {
    if (complete_) {
      if (statistics_.kept() == 0) throw base::UserError("prepare", nothing_kept());
      files_.finish(to_json(statistics_));
    }
    return {.statistics = std::move(statistics_), .complete = complete_};
  }

  std::string nothing_kept() const {
    std::string text = "nothing could be used of " + std::to_string(statistics_.read) + " rows";
    for (const auto& [reason, names] : statistics_.named) {
      text += "\n  " + std::to_string(statistics_.left_out.at(reason)) + " " + reason;
      if (!names.empty()) text += ", the first: " + names.front();
    }
    return text;
  }

  const PrepareOptions& options_;
  const PrepareTools& tools_;
  std::unique_ptr<ExampleSource> reader_;
  PreparedFiles files_;
  const BenchmarkHashes hashes_;
  std::optional<Duplicates> duplicates_;
  ReadPosition position_;
  Statistics statistics_;
  std::atomic<bool> stopped_ = false;
  bool complete_ = false;
};

}  // namespace

std::span<const char* const> enum_names(LabelBy) {
  static constexpr const char* kNames[] = {"auto", "program", "text"};
  return kNames;
}

std::unique_ptr<ExampleSource> open_examples(const PrepareOptions& options, const PrepareTools& tools) {
  if (options.teacher.generate > 0)
    return std::make_unique<GeneratedExamples>(options.teacher, std::make_shared<BenchmarkHashes>(hashes_of(options)));
  CutOptions cut;
  if (options.teacher.rewrite) cut = {.make_reader = tools.make_reader, .python_paths = tools.python_paths};
  return std::make_unique<ExampleReader>(options.sources, options.limits, std::move(cut));
}

PrepareOutcome prepare(const PrepareOptions& options, const PrepareTools& tools) {
  return Run(options, tools).run();
}

std::string benchmark_hashes_text(const PrepareOptions& options, const PrepareTools& tools) {
  PrepareOptions all = options;
  all.labels = LabelBy::kProgram;
  Labeller labeller(all, tools);
  ExampleReader reader(options.sources, options.limits);
  std::set<std::string> hashes;
  while (const std::optional<ReadExample> item = reader.next()) {
    if (!item->example) continue;
    const Example* example = &*item->example;
    const std::vector<Labelled> labelled = labeller.label({&example, 1});
    for (const std::string& hash : {labelled[0].text_hash, labelled[0].program_hash}) {
      if (!hash.empty()) hashes.insert(hash);
    }
    if (tools.row_done) tools.row_done(labelled[0].problem ? "left out" : "read");
  }
  std::string text =
      "# Operator sequences of benchmark tasks, as hashes: `tritonrl prepare CHECKOUT --write-hashes FILE` makes "
      "them.\n";
  for (const std::string& hash : hashes) text += hash + "\n";
  return text;
}

}  // namespace tritonrl::data
