#pragma once

#include <string>
#include <utility>
#include <vector>

#include "teacher/kernels/schedule.h"
#include "teacher/writer/access.h"
#include "teacher/writer/kernel_lines.h"

namespace tritonrl::teacher {

// One kernel under construction: its parameters with what the host passes for them, and its lines.
class KernelBuilder {
 public:
  KernelBuilder(const Graph& graph, std::string name, const Schedule& schedule)
      : graph_(graph), name_(std::move(name)), constant_divisors_(schedule.constant_divisors) {}

  // Each only once, whatever the number of calls.
  void pointer(const std::string& name, const std::string& host);  // parameter <name>_ptr
  void number(const std::string& name, const std::string& host);
  void size(const std::string& name, const std::string& host);
  void constant(const std::string& name, const std::string& host);
  // What the places of elements are divided by. By a number that the compiler does not know that takes longer than
  // loading the element.
  void divisor(const std::string& name, const std::string& host);

  // Loads a leaf at offsets into a tensor of `full` shape, whose contiguous holder the host calls `holder`.
  // `mask`: "m", or empty. False: the leaf has a shape that needs a copy first; then `copied` says that it has one.
  void load(const Leaf& leaf, const Access& access, const std::string& offset, const std::string& mask,
            const std::string& holder);

  Lines& lines() { return lines_; }
  std::string function() const;
  // The launch, as lines of the host function.
  void launch(Lines& host, const std::string& grid, const std::string& options = "") const;

 private:
  using Parameters = std::vector<std::pair<std::string, std::string>>;
  static void add_once(Parameters& parameters, const std::string& name, const std::string& host);

  const Graph& graph_;
  std::string name_;
  bool constant_divisors_;
  Parameters pointers_, numbers_, sizes_, constants_;
  Lines lines_;
};

}  // namespace tritonrl::teacher
