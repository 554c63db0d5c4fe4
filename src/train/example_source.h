#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "train/example.h"

namespace tritonrl::train {

// Makes the examples of a source, for one thread.
class ExampleReader {
 public:
  virtual ~ExampleReader() = default;
  // The same example for the same index, whatever was asked before.
  virtual Example example(std::uint64_t index) = 0;
};

// Examples by number.
class ExampleSource {
 public:
  virtual ~ExampleSource() = default;
  // May be called from many threads; the source must outlive its readers.
  virtual std::unique_ptr<ExampleReader> reader() const = 0;
  virtual std::optional<std::uint64_t> size() const = 0;  // none: without end
  // Of one example, where that is known without making it.
  virtual std::optional<std::int64_t> length(std::uint64_t) const { return std::nullopt; }
  virtual std::string name() const = 0;         // for people and the manifest: a path, "generated"
  virtual std::string fingerprint() const = 0;  // of what it gives
};

}  // namespace tritonrl::train
