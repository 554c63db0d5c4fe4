#include "data/rows/arrow_rows.h"

#include <arrow/buffer.h>
#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "data/rows/limited_pool.h"
#include "data/rows/parquet_fields.h"
#include "data/rows/row_builder.h"

namespace tritonrl::data {
namespace {

using Batches = std::shared_ptr<arrow::RecordBatchReader>;

constexpr std::int64_t kRowsABatch = 64;
constexpr std::int64_t kStreamBytes = 256 << 10;

// Of all columns' pages and batches together. Little for a small file, where a large claim is damage.
std::int64_t memory_limit(std::int64_t file_bytes) {
  return std::clamp(file_bytes, std::int64_t{4} << 20, std::int64_t{16} << 20) * 64;
}

// A wanted column of the file, which may have several leaves.
struct Column {
  std::string name;
  std::vector<int> leaves;
};

void collect_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
  if (field.column_index >= 0) leaves.push_back(field.column_index);
  for (const auto& child : field.children) collect_leaves(child, leaves);
}

// Arrow's newer versions return the reader, older ones only fill it in.
template <class Reader>
arrow::Status get_batches(Reader& reader, int group, const std::vector<int>& leaves, Batches& out) {
  if constexpr (requires { reader.GetRecordBatchReader({group}, leaves).ValueOrDie(); }) {
    auto made = reader.GetRecordBatchReader({group}, leaves);
    if (!made.ok()) return made.status();
    out = std::move(made).ValueUnsafe();
    return arrow::Status::OK();
  } else {
    return reader.GetRecordBatchReader({group}, leaves, &out);
  }
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

class ParquetRows : public RowReader {
 public:
  ParquetRows(std::shared_ptr<arrow::io::RandomAccessFile> file, std::string name, const RowOptions& options)
      : name_(std::move(name)), builder_(options) {
    try {
      open(std::move(file));
    } catch (const base::UserError&) {
      throw;
    } catch (const std::exception& error) {
      refuse(error.what());
    }
  }

  std::optional<RowResult> next() override {
    for (;;) {
      if (group_ == static_cast<int>(group_rows_.size())) return std::nullopt;
      if (done_in_group_ == group_rows_[static_cast<std::size_t>(group_)]) {
        next_group();
      } else if (columns_.empty()) {
        return row_of_nothing();
      } else if (batch_ != nullptr && at_in_batch_ < batch_->num_rows()) {
        return row_of_batch();
      } else if (auto damage = load_batch()) {
        return damage;
      }
    }
  }

  void skip(std::int64_t rows) override {
    while (rows > 0 && group_ < static_cast<int>(group_rows_.size())) {
      const std::int64_t left_in_group = group_rows_[static_cast<std::size_t>(group_)] - done_in_group_;
      if (rows >= left_in_group) {
        rows -= left_in_group;
        rows_done_ += left_in_group;
        next_group();
      } else if (columns_.empty()) {
        pass(rows);
        return;
      } else if (batch_ != nullptr && at_in_batch_ < batch_->num_rows()) {
        const std::int64_t count = std::min(rows, batch_->num_rows() - at_in_batch_);
        at_in_batch_ += count;
        pass(count);
        rows -= count;
      } else if (const auto damage = load_batch()) {
        rows -= std::min(rows, damage->rows);
      }
    }
  }

  std::optional<std::int64_t> total() const override { return rows_; }

 private:
  void open(std::shared_ptr<arrow::io::RandomAccessFile> file) {
    const auto size = file->GetSize();
    if (!size.ok()) refuse(size.status().ToString());
    file_bytes_ = *size;
    memory_.set_limit(memory_limit(file_bytes_));
    // A column chunk is streamed, not loaded: pandas writes one row group, whose chunks are as long as the file.
    parquet::ReaderProperties properties(&memory_);
    properties.enable_buffered_stream();
    properties.set_buffer_size(kStreamBytes);
    parquet::ArrowReaderProperties arrow_properties(/*use_threads=*/false);
    arrow_properties.set_batch_size(kRowsABatch);
    arrow_properties.set_pre_buffer(false);
    parquet::arrow::FileReaderBuilder builder;
    require(builder.Open(std::move(file), properties));
    builder.memory_pool(&memory_);
    builder.properties(arrow_properties);
    require(builder.Build(&reader_));

    const auto metadata = reader_->parquet_reader()->metadata();
    for (int group = 0; group < metadata->num_row_groups(); ++group) {
      group_rows_.push_back(metadata->RowGroup(group)->num_rows());
      if (group_rows_.back() < 0) refuse("a row group of less than no rows");
      if (__builtin_add_overflow(rows_, group_rows_.back(), &rows_)) refuse("more rows than can be counted");
    }
    for (const auto& field : reader_->manifest().schema_fields) {
      if (!builder_.wants(field.field->name())) continue;
      columns_.push_back({field.field->name(), {}});
      collect_leaves(field, columns_.back().leaves);
      leaves_.insert(leaves_.end(), columns_.back().leaves.begin(), columns_.back().leaves.end());
    }
  }

  void require(const arrow::Status& status) const {
    if (!status.ok()) refuse(status.ToString());
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw base::UserError(
        "data", name_ + " is cut off or no parquet file (" + first_line(why) + "); download or write it again");
  }

  std::int64_t left_in_group() const { return group_rows_[static_cast<std::size_t>(group_)] - done_in_group_; }

  void pass(std::int64_t rows) {
    done_in_group_ += rows;
    rows_done_ += rows;
  }

  void next_group() {
    ++group_;
    done_in_group_ = 0;
    batch_.reset();
    batches_.reset();
  }

  RowResult begin_result() const {
    RowResult result;
    result.number = rows_done_ + 1;
    return result;
  }

  std::int64_t bytes_done() const {
    if (rows_ == 0) return file_bytes_;
    return static_cast<std::int64_t>(static_cast<double>(file_bytes_) * static_cast<double>(rows_done_) /
                                     static_cast<double>(rows_));
  }

  // None of the wanted columns is in the file.
  RowResult row_of_nothing() {
    RowResult result = begin_result();
    pass(1);
    result.bytes = bytes_done();
    builder_.finish(result);
    return result;
  }

  RowResult row_of_batch() {
    RowResult result = begin_result();
    for (int i = 0; i < batch_->num_columns(); ++i) {
      set_field(*batch_->column(i), at_in_batch_, batch_->schema()->field(i)->name(), builder_);
    }
    ++at_in_batch_;
    pass(1);
    result.bytes = bytes_done();
    builder_.finish(result);
    return result;
  }

  // The group's next batch; if it cannot be read, a result that says so, and the group is left.
  std::optional<RowResult> load_batch() {
    std::string problem;
    try {
      at_in_batch_ = 0;
      batch_.reset();
      const arrow::Status status = read_batch(group_, leaves_, batches_, batch_);
      if (!status.ok()) {
        problem = status.ToString();
      } else if (batch_ == nullptr || batch_->num_rows() == 0) {
        problem = "it holds fewer rows than its head says";
      } else if (batch_->num_rows() > left_in_group()) {
        problem = "it holds more rows than its head says";
      } else {
        return std::nullopt;
      }
    } catch (const std::exception& error) {
      problem = error.what();
    }
    RowResult result = begin_result();
    result.rows = left_in_group();
    result.problem = {"unreadable", "row group " + std::to_string(group_ + 1) + " of " +
                                        std::to_string(group_rows_.size()) + damaged_column() + ": " +
                                        first_line(problem) + "; " + std::to_string(result.rows) + " rows from row " +
                                        std::to_string(result.number) + " on are lost"};
    rows_done_ += result.rows;
    result.bytes = bytes_done();
    next_group();
    return result;
  }

  arrow::Status read_batch(int group, const std::vector<int>& leaves, Batches& batches,
                           std::shared_ptr<arrow::RecordBatch>& batch) {
    if (batches == nullptr) ARROW_RETURN_NOT_OK(get_batches(*reader_, group, leaves, batches));
    ARROW_RETURN_NOT_OK(batches->ReadNext(&batch));
    return batch == nullptr ? arrow::Status::OK() : batch->Validate();
  }

  // Arrow does not say which column it was: the one that cannot be read alone.
  std::string damaged_column() {
    for (const Column& column : columns_) {
      try {
        Batches batches;
        std::shared_ptr<arrow::RecordBatch> batch;
        std::int64_t rows = 0;
        arrow::Status status;
        do {
          status = read_batch(group_, column.leaves, batches, batch);
          rows += status.ok() && batch != nullptr ? batch->num_rows() : 0;
        } while (status.ok() && batch != nullptr && batch->num_rows() > 0);
        if (status.ok() && rows == group_rows_[static_cast<std::size_t>(group_)]) continue;
      } catch (const std::exception&) {
      }
      return ", column \"" + column.name + "\"";
    }
    return "";
  }

  LimitedPool memory_;  // outlives all that follows
  std::string name_;
  RowBuilder builder_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::vector<std::int64_t> group_rows_;
  std::vector<Column> columns_;
  std::vector<int> leaves_;
  std::int64_t file_bytes_ = 0, rows_ = 0, rows_done_ = 0;

  int group_ = 0;
  std::int64_t done_in_group_ = 0;
  Batches batches_;  // of the group
  std::shared_ptr<arrow::RecordBatch> batch_;
  std::int64_t at_in_batch_ = 0;
};

class FromFiles : public ArrowRows {
 public:
  std::unique_ptr<RowReader> open(const std::filesystem::path& path, const RowOptions& options) const override {
    auto file = arrow::io::ReadableFile::Open(path.string(), arrow::system_memory_pool());
    if (!file.ok()) throw base::UserError("data", "cannot open " + path.string() + ": " + file.status().ToString());
    return std::make_unique<ParquetRows>(*file, path.string(), options);
  }

  std::unique_ptr<RowReader> in_memory(std::string_view bytes, const std::string& name,
                                       const RowOptions& options) const override {
    auto buffer = std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                  static_cast<std::int64_t>(bytes.size()));
    return std::make_unique<ParquetRows>(std::make_shared<arrow::io::BufferReader>(buffer), name, options);
  }
};

}  // namespace
}  // namespace tritonrl::data

extern "C" __attribute__((visibility("default"))) const tritonrl::data::ArrowRows* tritonrl_arrow_rows() {
  static const tritonrl::data::FromFiles files;
  return &files;
}
