#include "train/pair_file.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "record/training_pair.h"
#include "train/in_threads.h"

namespace tritonrl::train {
namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 30;
constexpr std::size_t kFewInstructions = 16;

class PairFileReader : public ExampleReader {
 public:
  explicit PairFileReader(const PairFile& file) : file_(file) {}
  Example example(std::uint64_t index) override { return file_.examples()[index]; }

 private:
  const PairFile& file_;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

PairFile::PairFile(const std::filesystem::path& path, const ExampleMaker& maker, int threads) : path_(path) {
  const std::string text = base::read_file(path, kLargestFile);
  sha256_ = base::sha256(text);
  const std::vector<std::string_view> lines = lines_of(text);
  examples_.resize(lines.size());
  few_instructions_.resize(std::min(kFewInstructions, lines.size()));
  in_threads(lines.size(), threads, [&](std::size_t i) {
    base::Result<record::TrainingPair> pair = record::training_pair_from_json(lines[i]);
    const auto refuse = [&](const std::string& problem) {
      throw base::UserError("train", path.string() + ", line " + std::to_string(i + 1) + ": " + problem);
    };
    if (!pair.ok()) refuse(pair.error() + "; `tritonrl prepare` writes such files");
    if (pair.value().output.empty()) refuse("the pair's output is empty: there is nothing to learn from it; remove it");
    examples_[i] = maker.make(pair.value().instruction, pair.value().output);
    if (i < few_instructions_.size()) few_instructions_[i] = pair.value().instruction;
  });
}

std::int64_t PairFile::longer_than(std::int64_t tokens) const {
  return std::count_if(examples_.begin(), examples_.end(),
                       [&](const Example& example) { return example.length() > tokens; });
}

std::unique_ptr<ExampleReader> PairFile::reader() const {
  return std::make_unique<PairFileReader>(*this);
}

}  // namespace tritonrl::train
