#include "judge/row_task.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "judge/compare.h"
#include "judge/constant_state.h"
#include "judge/elements.h"
#include "program/cost.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using program::Program;
using runner::TensorData;

// Rows that are looked at where a sample of the programs was executed, and where all of them were.
constexpr std::int64_t kFewRows = 64, kManyRows = 1024;
constexpr std::size_t kMostConstants = 8;
constexpr std::int64_t kMostPieces = 1 << 14;             // of memory that a row lies in
constexpr double kMostOps = 3e9, kMostScalarOps = 1.5e8;  // of the reference on those rows: a part of a second

// Bytes of all that the reference makes of those rows: what every candidate's comparison may cost, and what it may
// where a single row has more; kMostParameters on top of both.
constexpr double kFewBytes = 1.6e7, kManyBytes = 6e7, kMostBytes = 2.4e8, kMostParameters = 1e9;

struct Shape {
  std::vector<int> inputs, outputs;
  bool operator==(const Shape&) const = default;
};

// The dimension that holds the rows; -1: none, -2: more than one, or something else has changed.
int rows_of(const program::Tensor& real, const program::Tensor& narrow, std::int64_t count, std::int64_t rows) {
  if (real.dtype != narrow.dtype || real.sizes.size() != narrow.sizes.size()) return -2;
  int out = -1;
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < real.sizes.size(); outer *= real.sizes[i++]) {
    if (real.sizes[i] == narrow.sizes[i]) continue;
    const bool fits = real.sizes[i] % count == 0 && real.sizes[i] / count * rows == narrow.sizes[i];
    if (!fits || out != -1 || outer > kMostPieces) return -2;
    out = static_cast<int>(i);
  }
  return out;
}

// Parameters of which each row has its own are drawn otherwise for fewer rows.
bool same_state(const Program& real, const Program& narrow) {
  const auto sizes = [](const Program& program, const program::NamedTensor& one) -> const std::vector<std::int64_t>& {
    return program.tensors[static_cast<std::size_t>(one.tensor.index)].sizes;
  };
  return std::equal(real.state.begin(), real.state.end(), narrow.state.begin(), narrow.state.end(),
                    [&](const auto& a, const auto& b) { return sizes(real, a) == sizes(narrow, b); });
}

std::optional<Shape> shape_of(const Program& real, const Program& narrow, std::int64_t count, std::int64_t rows) {
  if (!same_state(real, narrow)) return std::nullopt;
  Shape out;
  const auto add = [&](const program::Structure& a, const program::Structure& b, std::vector<int>& into) {
    const auto mine = runner::tensors_of(a), other = runner::tensors_of(b);
    if (mine.size() != other.size()) return false;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      into.push_back(rows_of(real.tensors[static_cast<std::size_t>(mine[i].index)],
                             narrow.tensors[static_cast<std::size_t>(other[i].index)], count, rows));
      if (into.back() == -2) return false;
    }
    return true;
  };
  if (!add(real.forwards.front().inputs, narrow.forwards.front().inputs, out.inputs)) return std::nullopt;
  if (!add(real.forwards.front().outputs, narrow.forwards.front().outputs, out.outputs)) return std::nullopt;
  const auto has_rows = [](int dimension) { return dimension >= 0; };
  if (out.outputs.empty() || !std::all_of(out.outputs.begin(), out.outputs.end(), has_rows)) return std::nullopt;
  if (std::none_of(out.inputs.begin(), out.inputs.end(), has_rows)) return std::nullopt;
  return out;
}

bool affordable(const Program& program, const program::Target& target, double most_bytes) {
  double bytes = 0;
  for (const program::Storage& storage : program.storages) bytes += static_cast<double>(storage.bytes);
  const program::ProgramCost cost = program::cost_of(program, target, std::size_t{0});
  // parameters are large whatever the rows: what is computed with them is not
  const double parameters = [&] {
    double out = 0;
    for (const program::NamedTensor& one : program.state) {
      const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(one.tensor.index)];
      out += 3 * static_cast<double>(program.storages[static_cast<std::size_t>(tensor.storage)].bytes);
    }
    return out;
  }();
  return cost.matrix_ops <= kMostOps && cost.scalar_ops <= kMostScalarOps && bytes - parameters <= most_bytes &&
         parameters <= kMostParameters;
}

// Random numbers in forward depend on the shape; answers on the data.
bool plain(const Program& program) {
  for (const program::Step& step : program.forwards.front().steps) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    if (call == nullptr || program::find_operator(call->op) == nullptr || program::draws_random(*call)) return false;
  }
  return true;
}

// Rows of a contiguous tensor that has `count` of them.
std::string rows_from(const TensorData& data, int dimension, std::int64_t count,
                      const std::vector<std::int64_t>& rows) {
  if (dimension < 0) return data.bytes;
  std::int64_t outer = 1;
  for (int i = 0; i < dimension; ++i) outer *= data.sizes[static_cast<std::size_t>(i)];
  const auto inner = data.bytes.size() / static_cast<std::size_t>(std::max<std::int64_t>(1, outer * count));
  std::string out;
  for (std::int64_t o = 0; o < outer; ++o) {
    for (const std::int64_t row : rows)
      out.append(data.bytes, static_cast<std::size_t>(o * count + row) * inner, inner);
  }
  return out;
}

class RowFinder {
 public:
  RowFinder(Replayer& replayer, RowSearch search) : replayer_(replayer), search_(std::move(search)) {}

  std::optional<RowTask> run() {
    if (!plain(*search_.reference)) return std::nullopt;
    std::vector<SizeConstant> constants = search_.constants;
    std::sort(constants.rbegin(), constants.rend());
    constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
    std::erase_if(constants, [](const SizeConstant& one) { return one.value < 2; });
    if (constants.size() > kMostConstants) constants.resize(kMostConstants);
    // the largest first: the more rows, the smaller each
    for (const double most_bytes : {kFewBytes, kMostBytes}) {
      for (const SizeConstant& one : constants) {
        if (dependent_.contains(one)) continue;
        if (auto found = with(one, most_bytes)) return found;
      }
    }
    return std::nullopt;
  }

 private:
  // Not one of the numbers of rows that are computed later.
  static std::int64_t probe(std::int64_t count) { return count > 3 ? 3 : count - 1; }

  python::RecordRequest request(const SizeConstant& constant, std::int64_t rows) const {
    python::RecordRequest out = search_.request;
    out.task = search_.resized(constant, rows);
    return out;
  }

  struct Computed {
    RowTask::Narrow narrow;
    runner::ForwardResult forward;
    std::vector<TensorData> state;  // with the task's own inputs
  };
  // `program`: the reference on so many rows. `inputs` empty: the task's own.
  std::optional<Computed> compute(const SizeConstant& constant, std::int64_t rows, const Program& program,
                                  runner::GivenInputs inputs) {
    runner::RunRequest how;
    how.seed = search_.seed;
    how.want_inputs = how.want_state = inputs.tensors.empty();
    if (!inputs.tensors.empty()) how.inputs.push_back(std::move(inputs));
    CompiledProgram compiled = replayer_.compile(program);
    if (compiled.failure) return std::nullopt;
    runner::RunOutcome outcome = replayer_.run(program, compiled, how);
    if (outcome.kind == runner::RunOutcome::Kind::kCompleted && !outcome.forwards.empty()) {
      return Computed{
          {rows, program, std::move(compiled)}, std::move(outcome.forwards.front()), std::move(outcome.state)};
    }
    // its results may be laid out in another way than was recorded
    Replayer::Replay replay = replayer_.replay(request(constant, rows), {}, how);
    if (!replay.recording.program || replay.compiled.failure || replay.outcome.forwards.empty()) return std::nullopt;
    return Computed{{rows, std::move(*replay.recording.program), std::move(replay.compiled)},
                    std::move(replay.outcome.forwards.front()),
                    std::move(replay.outcome.state)};
  }

  // The reference on these numbers of rows, as far as it can be recorded and afforded there.
  std::map<std::int64_t, Program> recorded(const SizeConstant& constant, const std::set<std::int64_t>& sizes,
                                           double most_bytes) {
    std::vector<python::RecordRequest> requests;
    for (const std::int64_t rows : sizes) requests.push_back(request(constant, rows));
    std::vector<python::RecordOutcome> outcomes = replayer_.recorder().record_all(requests);
    std::map<std::int64_t, Program> out;
    std::size_t i = 0;
    for (const std::int64_t rows : sizes) {
      std::optional<Program>& program = outcomes[i++].program;
      const double bytes = rows > kFewRows ? kManyBytes : most_bytes;
      const bool kept = program && plain(*program) &&
                        (rows == probe(constant.value) || affordable(*program, *search_.request.target, bytes));
      if (kept) out.emplace(rows, std::move(*program));
    }
    return out;
  }

  std::optional<RowTask> with(const SizeConstant& constant, double most_bytes) {
    const auto at_most = [&](std::initializer_list<std::int64_t> numbers) {
      std::set<std::int64_t> out;
      for (const std::int64_t one : numbers) out.insert(std::min(one, constant.value));
      return out;
    };
    std::set<std::int64_t> wanted = at_most({kFewRows, kManyRows});
    wanted.insert(probe(constant.value));
    std::map<std::int64_t, Program> programs = recorded(constant, wanted, most_bytes);
    const auto few = programs.find(probe(constant.value));
    if (few == programs.end()) return std::nullopt;
    const auto shape = shape_of(*search_.reference, few->second, constant.value, few->first);
    if (!shape) {
      dependent_.insert(constant);
      return std::nullopt;
    }
    const Program probed = std::move(few->second);
    programs.erase(few);
    if (programs.empty()) programs = recorded(constant, at_most({1, 4, kFewRows / 4}), most_bytes);
    while (programs.size() > 1 && std::next(programs.begin())->first <= kFewRows) programs.erase(programs.begin());
    if (programs.empty()) return std::nullopt;
    RowTask out{.count = constant.value, .inputs = shape->inputs, .outputs = shape->outputs, .sizes = {}};
    std::optional<Computed> computed = compute(constant, programs.begin()->first, programs.begin()->second, {});
    if (!computed || !independent(constant, *shape, *computed, probed)) {
      dependent_.insert(constant);
      return std::nullopt;
    }
    out.state = other_constants(*computed);
    out.sizes.push_back(std::move(computed->narrow));
    for (auto one = std::next(programs.begin()); one != programs.end(); ++one)
      out.sizes.push_back({one->first, std::move(one->second), {}});
    return out;
  }

  // At the real sizes too the state need not be what the constructor makes.
  std::vector<GivenState> other_constants(const Computed& computed) {
    const Program& program = computed.narrow.reference;
    std::vector<GivenState> out;
    for (GivenState& one : other_state(program, computed.state, search_.seed)) {
      if (plain(one)) out.push_back(std::move(one));
    }
    if (out.empty()) return out;
    runner::RunRequest how;
    how.seed = search_.seed;
    how.drawn = drawn_of(program, out).drawn;
    const runner::RunOutcome outcome = replayer_.run(program, computed.narrow.compiled, how);
    const bool works = outcome.kind == runner::RunOutcome::Kind::kCompleted && !outcome.forwards.empty() &&
                       std::ranges::all_of(outcome.forwards.front().outputs, all_finite);
    return works ? out : std::vector<GivenState>();
  }

  // Rows in the company of others against the same rows without them. `probed`: the reference on probe(count) rows.
  bool independent(const SizeConstant& constant, const Shape& shape, const Computed& computed, const Program& probed) {
    const std::int64_t own = computed.narrow.rows, few = probe(constant.value);
    std::optional<Computed> more;  // where `computed` is the smaller
    if (own < few && !(more = compute(constant, few, probed, {}))) return false;
    const Computed& company = more ? *more : computed;
    const std::int64_t count = company.narrow.rows, taken = std::min(own, few);
    std::vector<std::int64_t> rows;
    // the first row alone may be what it is by its place
    const auto begin = count > 1 ? 1 + static_cast<std::int64_t>(search_.seed % 1024) % (count - 1) : 0;
    for (std::int64_t i = 0; i < taken; ++i) rows.push_back((begin + i * (count / taken)) % count);
    runner::GivenInputs inputs;
    for (std::size_t i = 0; i < company.forward.inputs.size(); ++i)
      inputs.tensors.push_back(rows_from(company.forward.inputs[i], shape.inputs[i], count, rows));
    const Program& fewer = taken == own ? computed.narrow.reference : probed;
    const std::optional<Computed> alone = compute(constant, taken, fewer, std::move(inputs));
    if (!alone || alone->forward.outputs.size() != shape.outputs.size()) return false;
    std::vector<TensorData> expected = alone->forward.outputs;
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i].bytes = rows_from(company.forward.outputs[i], shape.outputs[i], count, rows);
    return compare(expected, alone->forward.outputs).equal;
  }

  Replayer& replayer_;
  RowSearch search_;
  std::set<SizeConstant> dependent_;  // constants that are none of rows
};

}  // namespace

std::optional<RowTask> find_rows(Replayer& replayer, RowSearch search) {
  return RowFinder(replayer, std::move(search)).run();
}

}  // namespace tritonrl::judge
