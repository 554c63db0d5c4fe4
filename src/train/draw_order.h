#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/fields.h"
#include "train/example_source.h"

namespace tritonrl::train {

// One example of a stream: the `number`-th that was drawn of that source, from 0.
struct Draw {
  std::uint64_t source = 0;
  std::uint64_t number = 0;
  void fields(base::FieldVisitor& field) { TRL_FIELDS(field, source, number); }
  bool operator==(const Draw&) const = default;
};

struct WeightedSource {
  std::shared_ptr<const ExampleSource> source;
  double weight = 1;  // its share of the draws
};

// In which order examples come: every epoch of a source in an order of its own, sources mixed by their weights. A
// function of seed and position alone.
class DrawOrder {
 public:
  // `epochs` of a single finite source; 0: without end. UserError if a source is empty.
  DrawOrder(const std::vector<WeightedSource>& sources, std::uint64_t seed, std::int64_t epochs);

  // None: all epochs are over.
  std::optional<Draw> next();
  // Which example of its source a draw is.
  std::uint64_t index_of(const Draw& draw);

  // How many came, of each source; where to go on.
  const std::vector<std::uint64_t>& drawn() const { return drawn_; }
  void go_to(const std::vector<std::uint64_t>& drawn);

 private:
  struct Shuffled {
    std::optional<std::uint64_t> epoch;
    std::vector<std::uint32_t> order;
  };
  std::vector<std::optional<std::uint64_t>> sizes_;
  std::vector<double> shares_;  // summed up, the last is 1
  std::uint64_t seed_;
  std::optional<std::uint64_t> limit_;
  std::vector<std::uint64_t> drawn_;
  std::vector<Shuffled> shuffled_[2];  // of this epoch and of the one before, from which some may still wait
};

}  // namespace tritonrl::train
