#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "train/draw_order.h"

namespace tritonrl::train {

// Where a stream stands between two steps.
struct StreamPosition {
  std::vector<std::uint64_t> drawn;  // of each source
  std::vector<Draw> waiting;         // drawn, but without room so far
  std::int64_t left_out = 0;         // longer than may be: not trained on
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, drawn, waiting, left_out); }
  bool operator==(const StreamPosition&) const = default;
};

struct PackingOptions {
  int bins = 1;                      // forward passes a step
  std::int64_t capacity = 8192;      // tokens of each
  std::int64_t longest_example = 0;  // longer ones are left out whole; 0: the capacity
  std::int64_t limit() const { return longest_example > 0 ? longest_example : capacity; }
};

// Collects examples until they fill a step.
class StepPacker {
 public:
  struct Step {
    std::vector<std::vector<std::size_t>> bins;  // tickets of the examples in each; no bin is empty
    std::vector<std::size_t> tickets;            // of all in this step
  };

  // The first `waiting` examples that are added had no room in an earlier step.
  explicit StepPacker(const PackingOptions& options, std::size_t waiting = 0) : options_(options), old_(waiting) {}

  // An example under a number of the caller's own. False: it is too long, and left out.
  bool add(std::size_t ticket, const Draw& draw, std::int64_t length);
  bool full() const { return tokens_ >= options_.capacity * options_.bins; }
  bool empty() const { return items_.empty(); }
  // The next step of what is there.
  Step take();

  std::vector<Draw> waiting() const;
  std::int64_t left_out = 0;

 private:
  struct Item {
    std::size_t ticket;
    Draw draw;
    std::int64_t length;
  };
  PackingOptions options_;
  std::vector<Item> items_;
  std::size_t old_;  // so many of them were there at the last step
  std::int64_t tokens_ = 0;
};

// How many steps a source of known lengths gives, by packing it as the stream will.
std::int64_t count_steps(const WeightedSource& source, std::uint64_t seed, std::int64_t epochs,
                         const PackingOptions& options);

}  // namespace tritonrl::train
