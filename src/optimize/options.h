#pragma once

#include "base/fields.h"

namespace tritonrl::optimize {

// How long and how far it is looked for a faster kernel.
struct OptimizeOptions {
  int samples = 4;             // of the model; the first is its likeliest answer
  int search = 12;             // changes of the best candidate that are judged
  double budget_seconds = 45;  // nothing new is tried afterwards; what is under way is finished
  int inner_sizes = 3;         // of ranges: secret sizes inside at which the winner must be right
  int workers = 0;             // candidates judged at once; 0: one a core
  bool even_slower = false;    // the best proven file is written even where eager is faster

  void fields(base::FieldVisitor& field) {
    field("samples", samples, {.help = "of the model; the first is its likeliest answer", .least = 0, .most = 1000});
    field("search", search,
          {.help = "changes of the best candidate that are judged: a kernel less, other block sizes, warps and stages",
           .least = 0,
           .most = 1e6});
    field(
        "budget_seconds", budget_seconds,
        {.help = "nothing new is tried after so many seconds; what is under way, and the proof of ranges, are finished",
         .least = 1,
         .most = 1e7});
    field("inner_sizes", inner_sizes,
          {.help = "of an --input with ranges: secret sizes inside at which the winner must be right too",
           .least = 0,
           .most = 100});
    field("workers", workers,
          {.help = "candidates judged at once (default: one a core)", .least = 1, .most = 4096, .keyed = false});
    field("even_slower", even_slower,
          {.help = "write the best proven file even where eager torch is the better choice", .keyed = false});
  }
};

}  // namespace tritonrl::optimize
