#include "train/data_stream.h"

#include <algorithm>

#include "base/check.h"

namespace tritonrl::train {
namespace {

constexpr std::size_t kStepsAhead = 3;
constexpr std::size_t kExamplesAhead = 256;  // at least, and a few a thread

}  // namespace

DataStream::DataStream(std::vector<WeightedSource> sources, const StreamOptions& options, const StreamPosition& from)
    : sources_(std::move(sources)),
      options_(options),
      order_(sources_, options.seed, options.epochs),
      again_(from.waiting.begin(), from.waiting.end()),
      waited_(from.waiting.size()),
      left_out_before_(from.left_out),
      packed_draws_(sources_.size(), 0) {
  if (!from.drawn.empty()) {
    order_.go_to(from.drawn);
    packed_draws_ = from.drawn;
  }
  for (int i = 0; i < std::max(1, options_.threads); ++i) threads_.emplace_back([this] { make_examples(); });
  threads_.emplace_back([this] { pack_steps(); });
}

DataStream::~DataStream() {
  stop_all();
}

void DataStream::stop_all() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

void DataStream::fail() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  stopped_ = true;
  changed_.notify_all();
}

void DataStream::make_examples() {
  try {
    std::vector<std::unique_ptr<ExampleReader>> readers;
    for (const WeightedSource& each : sources_) readers.push_back(each.source->reader());
    const std::size_t ahead = kExamplesAhead + 16 * static_cast<std::size_t>(options_.threads);
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopped_ || drawn_out_ || window_.size() < ahead; });
      if (stopped_ || drawn_out_) return;
      Draw draw;
      if (!again_.empty()) {
        draw = again_.front();
        again_.pop_front();
      } else if (const std::optional<Draw> next = order_.next()) {
        draw = *next;
      } else {
        drawn_out_ = true;
        changed_.notify_all();
        return;
      }
      const std::uint64_t index = order_.index_of(draw);
      const std::uint64_t number = next_to_make_++;
      window_.push_back({.draw = draw, .index = index, .example = std::nullopt});
      lock.unlock();
      Example example = readers[draw.source]->example(index);
      lock.lock();
      // those before it may have been taken since, never this one: it is not made yet
      window_[static_cast<std::size_t>(number - first_)].example = std::move(example);
      if (number == first_) changed_.notify_all();
    }
  } catch (...) {
    fail();
  }
}

std::optional<DataStream::Made> DataStream::take_example() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return stopped_ || (!window_.empty() && window_.front().example) || (window_.empty() && drawn_out_);
  });
  if (stopped_ || window_.empty()) return std::nullopt;
  Made made = std::move(window_.front());
  window_.pop_front();
  ++first_;
  changed_.notify_all();
  return made;
}

StepData DataStream::finish(StepPacker& packer, std::map<std::size_t, Made>& pool) {
  const StepPacker::Step step = packer.take();
  StepData data;
  for (std::size_t bin = 0; bin < step.bins.size(); ++bin) {
    std::vector<const Example*> examples;
    for (const std::size_t ticket : step.bins[bin]) {
      const Example& example = *pool.at(ticket).example;
      examples.push_back(&example);
      data.tokens += example.length();
      data.labelled += example.length() - std::max<std::int64_t>(1, example.prompt);
      data.end_labels +=
          std::count(example.tokens.begin() + example.prompt, example.tokens.end(), options_.end_of_turn);
    }
    if (static_cast<int>(bin) % options_.ranks != options_.rank) continue;
    MicroBatch batch = make_micro_batch(examples);
    data.batches.push_back(options_.pin ? pinned(batch) : std::move(batch));
  }
  data.examples = static_cast<std::int64_t>(step.tickets.size());
  for (const std::size_t ticket : step.tickets) pool.erase(ticket);
  data.after = {.drawn = packed_draws_, .waiting = packer.waiting(), .left_out = left_out_before_ + packer.left_out};
  return data;
}

void DataStream::pack_steps() {
  try {
    StepPacker packer(options_.packing, waited_);
    std::map<std::size_t, Made> pool;  // by ticket
    std::size_t ticket = 0, added = 0;
    const auto push = [&] {
      StepData data = finish(packer, pool);
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || steps_.size() < kStepsAhead; });
      steps_.push_back(std::move(data));
      changed_.notify_all();
      return !stopped_;
    };
    while (std::optional<Made> made = take_example()) {
      // what waited was drawn before the position that we began at
      std::uint64_t& drawn = packed_draws_[made->draw.source];
      drawn = std::max(drawn, made->draw.number + 1);
      if (packer.add(ticket, made->draw, made->example->length())) pool.emplace(ticket++, std::move(*made));
      if (++added < waited_) continue;  // all that waited is there again before the next step is packed
      while (packer.full()) {
        if (!push()) return;
      }
    }
    while (!packer.empty()) {
      {
        const std::lock_guard lock(mutex_);
        if (stopped_) return;
      }
      if (!push()) return;
    }
    const std::lock_guard lock(mutex_);
    packed_out_ = true;
    changed_.notify_all();
  } catch (...) {
    fail();
  }
}

std::optional<StepData> DataStream::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || !steps_.empty() || packed_out_; });
  if (failure_) std::rethrow_exception(failure_);
  if (steps_.empty()) return std::nullopt;
  StepData data = std::move(steps_.front());
  steps_.pop_front();
  changed_.notify_all();
  return data;
}

}  // namespace tritonrl::train
