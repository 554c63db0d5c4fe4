#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "train/micro_batch.h"
#include "train/step_packer.h"

namespace tritonrl::train {

struct StreamOptions {
  PackingOptions packing;
  std::uint64_t seed = 0;
  std::int64_t epochs = 0;  // of a single finite source; 0: without end
  int threads = 1;          // that make examples
  bool pin = false;         // for a GPU
  int rank = 0, ranks = 1;  // this process takes every `ranks`-th of the bins
  text::TokenId end_of_turn = -1;
};

// The data of one step.
struct StepData {
  std::vector<MicroBatch> batches;                      // this rank's, on the host
  StreamPosition after;                                 // where to go on behind it
  std::int64_t examples = 0, tokens = 0, labelled = 0;  // of all ranks
  std::int64_t end_labels = 0;                          // how often the end of a turn is trained
};

// Steps of data, made in background threads. The steps are the same whatever the number of threads.
class DataStream {
 public:
  DataStream(std::vector<WeightedSource> sources, const StreamOptions& options, const StreamPosition& from = {});
  ~DataStream();
  DataStream(const DataStream&) = delete;
  DataStream& operator=(const DataStream&) = delete;

  // Waits for it. None: all epochs are over. Throws what a thread threw.
  std::optional<StepData> next();

 private:
  struct Made {
    Draw draw;
    std::uint64_t index = 0;
    std::optional<Example> example;  // none: not yet
  };
  void make_examples();
  void pack_steps();
  void stop_all();
  void fail();
  std::optional<Made> take_example();
  StepData finish(StepPacker& packer, std::map<std::size_t, Made>& pool);

  const std::vector<WeightedSource> sources_;
  const StreamOptions options_;

  std::mutex mutex_;
  std::condition_variable changed_;
  DrawOrder order_;
  std::deque<Draw> again_;   // waited at the position that we began at: come before all others
  std::deque<Made> window_;  // in the order of the draws; the front is the next to be packed
  std::uint64_t first_ = 0;  // the number of the window's front
  std::uint64_t next_to_make_ = 0;
  bool drawn_out_ = false;
  std::deque<StepData> steps_;
  bool packed_out_ = false, stopped_ = false;
  std::exception_ptr failure_;
  const std::size_t waited_;  // examples of again_ at first
  const std::int64_t left_out_before_;
  std::vector<std::uint64_t> packed_draws_;  // of each source, up to what was packed
  std::vector<std::jthread> threads_;
};

}  // namespace tritonrl::train
