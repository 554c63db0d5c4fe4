#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "judge/input_uses.h"
#include "judge/regimes.h"
#include "program/program.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::judge {

// What a reference made of a call's inputs, for a comparison.
enum class Fit : std::uint8_t {
  kGood,
  kNotANumber,  // some of its outputs
  kBeyond,      // they overflow, or are so wrong themselves that nothing can be compared
};
// `exact`, in higher precision, may be null; `own`: outputs for the task's own inputs, null where they are not known,
// whose infinities may come again. `strict`: the reference errs by a part of the tolerance, in every row.
Fit fit_of(const std::vector<runner::TensorData>& outputs, const std::vector<runner::TensorData>* exact,
           const std::vector<runner::TensorData>* own, bool strict);

// The inputs of all calls under each variation made by values, from those that the task draws. All that is varied is
// chosen here; what the reference does not stand is told by whoever ran it.
class VariedInputs {
 public:
  VariedInputs() = default;
  // `first`: a run of the reference with the task's own inputs, which lives as long as this.
  VariedInputs(const program::Program& reference, const runner::RunOutcome& first, std::uint64_t seed);

  // `whole_numbers`: they, flags and masks too.
  std::vector<runner::GivenInputs> inputs(const std::string& variation, int calls, bool whole_numbers);
  // Whole numbers as the task draws them. False: they already were.
  bool take_own_integers(const std::string& variation, std::vector<runner::GivenInputs>& inputs);

  // A regime's call, one step tamer. False: it has the task's own inputs, and had them before.
  bool tame(const std::string& variation, Fit fit, runner::GivenInputs& call);
  const Manner& manner_of(const std::string& variation, int call) const;

  bool are_own(const std::vector<runner::GivenInputs>& inputs) const;
  bool is_own(const runner::GivenInputs& call) const;

 private:
  struct Steps {
    std::vector<Manner> manners;
    std::size_t at = 0;
  };
  std::vector<std::string> in_manner(const std::string& variation, int call, const Manner& manner) const;
  std::string other_integers(const runner::TensorData& data, const std::string& variation, int call, std::size_t input,
                             bool careful) const;

  const runner::RunOutcome* first_ = nullptr;
  std::uint64_t seed_ = 0;
  bool whole_numbers_ = true;
  std::vector<InputUse> uses_;
  std::vector<bool> may_be_negative_;
  std::map<std::string, std::vector<Steps>> steps_;  // by variation and call
};

}  // namespace tritonrl::judge
