#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/fields.h"

namespace tritonrl::data {

struct DuplicateOptions {
  bool near = true;         // also what differs in own names and a few tokens
  double similarity = 0.8;  // share of runs of tokens from which on two texts are nearly the same

  void fields(base::FieldVisitor& field) {
    field("near", near, {.help = "drop exact repetitions alone", .option = "keep_near_duplicates", .inverse = true});
    field(
        "similarity", similarity,
        {.help = "share of token runs in common from which on modules with the same operators count as nearly the same",
         .least = 0.3,
         .most = 1});
  }
};

// What was seen before. Kept in a file beside the output, so that memory does not grow with the rows and a run can go
// on. For one thread.
class Duplicates {
 public:
  enum class Seen { kNever, kSame, kNear };
  struct Answer {
    Seen seen = Seen::kNever;
    std::int64_t earlier = 0;  // the row that it repeats
  };

  // `rows`: what is known of this row and later ones is forgotten; 0: all. UserError if the file cannot be used.
  Duplicates(const std::filesystem::path& file, std::int64_t rows, const DuplicateOptions& options);
  ~Duplicates();
  Duplicates(const Duplicates&) = delete;
  Duplicates& operator=(const Duplicates&) = delete;

  // Whether a text like this came before `row`; if not it is remembered. Rows come in ascending order.
  Answer look(std::int64_t row, std::string_view code);
  // What was remembered survives the process.
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::data
