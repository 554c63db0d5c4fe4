#pragma once

#include <optional>
#include <vector>

#include "judge/size_search.h"
#include "python/recorder.h"

namespace tritonrl::judge {

// A task whose integer constants can have other values. It asks the reference what it makes of them; `recorder` must
// outlive it.
class ResizableTask {
 public:
  // `reference`: how the task's reference is recorded; `integers`: its own (Recorder::integers). `other_numbers`: at
  // every size, its own too, get_inputs gives other plain numbers than the task's (record::with_other_numbers).
  ResizableTask(python::Recorder& recorder, python::RecordRequest reference, std::vector<python::TaskInteger> integers,
                bool other_numbers = false);

  const std::vector<SizeConstant>& constants() const { return constants_; }
  record::Task resized(const Resizing& resizing) const;
  // What the reference costs at each of these sizes: a SizeProbe.
  std::vector<std::optional<SizeCost>> costs(const std::vector<Resizing>& resizings) const;
  SizeProbe probe() const {
    return [this](const std::vector<Resizing>& resizings) { return costs(resizings); };
  }

 private:
  python::Recorder& recorder_;
  python::RecordRequest reference_;
  std::vector<python::TaskInteger> integers_;
  std::vector<SizeConstant> constants_;
  bool other_numbers_;
};

// Whether a task's inputs have plain numbers that could be others.
bool gives_numbers(const program::Structure& inputs);

}  // namespace tritonrl::judge
