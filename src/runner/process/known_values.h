#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/operator_table.h"
#include "program/program.h"
#include "runner/process/storages.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::runner {

// Which memory of a sampled run holds what the program would really compute, and the rows of it that a request wants
// (SampledRows). Careful: what may be wrong counts as unknown.
class KnownValues {
 public:
  KnownValues(const RunRequest& request, Storages& storages);

  // Whether the call was computed, or made memory that holds what it would make. Else the caller invents something, and
  // what the call writes is unknown.
  bool compute(const program::AtenCall& call, const program::Operator& op, Section section);
  void forget(program::TensorRef ref) { held_of(ref) = Held::kUnknown; }
  void give(program::TensorRef ref);  // its contents were written there
  void launched(const LaunchReport& report);

  // Inputs and outputs are kept to the end.
  bool needs(int storage) const { return needed_[static_cast<std::size_t>(storage)]; }

  // After the last forward.
  RowValues rows();

 private:
  enum class Held : std::uint8_t {
    kUnknown,
    kPartly,  // what launches have stored is right, and in lazy memory
    kKnown,
  };
  Held& held(int storage) { return held_[static_cast<std::size_t>(storage)]; }
  Held& held_of(program::TensorRef ref) { return held(storages_.tensor(ref).storage); }
  bool covers_storage(program::TensorRef ref) const;
  bool make_lazy(const program::AtenCall& call, const program::Operator& op, Section section);
  bool reads_known(const program::Operator& op, const std::vector<const program::Value*>& bound);
  bool affordable(const program::AtenCall& call);

  // A tensor as [outer][count][inner], in bytes of its contiguous elements.
  struct Layout {
    std::int64_t outer = 1, inner = 0;
  };
  Layout layout_of(program::TensorRef ref, int dimension) const;
  std::vector<std::int64_t> written_rows(program::TensorRef ref, int dimension);
  std::vector<std::int64_t> choose(std::vector<std::int64_t> rows) const;
  TensorData gather(program::TensorRef ref, int dimension, const std::vector<std::int64_t>& rows, bool as_made,
                    std::string* written);
  void append(program::TensorRef ref, std::int64_t begin, std::int64_t end, bool as_made, std::string& bytes,
              std::string* written);
  bool incomplete(program::TensorRef output);
  // Why the outputs' values are not known; empty: they are.
  std::string unknown_outputs();

  const RunRequest& request_;
  const SampledRows& wanted_;
  const program::Program& program_;
  const program::Forward& forward_;
  Storages& storages_;
  std::vector<Held> held_;
  std::vector<bool> fresh_;     // by storage: nothing was stored there since it was made without contents
  std::vector<double> stored_;  // by storage: bytes that launches have stored, each once a launch
  std::vector<bool> needed_;
  double torch_ms_ = 0;
  bool whole_ = true;
  bool draws_ = true;  // the generator is where a real run's would be
};

}  // namespace tritonrl::runner
