#include "judge/referee.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "judge/constant_state.h"
#include "judge/degenerate_task.h"
#include "judge/elements.h"
#include "judge/first_call.h"
#include "judge/held_bytes.h"
#include "judge/made_once.h"
#include "judge/resizable_task.h"
#include "judge/rules/names.h"
#include "judge/sized_task.h"
#include "program/cost.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

constexpr KeptAtMost kKept{.things = 256};  // prepared tasks: as many as a benchmark has
constexpr const char* kDear =
    "dear: the reference accepts no size that is small: two calls on few inputs are computed, at one size alone";
constexpr KeptAtMost kKeptLarge{.things = 24, .bytes = std::size_t{1} << 29};  // at other sizes

using Case = std::shared_ptr<const TaskCase>;
using Sized = std::shared_ptr<const SizedTask>;
using Tasks = std::shared_ptr<const std::vector<record::Task>>;

template <class T>
std::size_t held_if_any(const std::shared_ptr<const T>& one) {
  return one ? held_bytes(*one) : 0;
}

std::string precision_name(const std::string& precision) {
  if (precision == "fp16") return "float16";
  if (precision == "bf16") return "bfloat16";
  return "";
}

bool is_random(const program::Program& program) {
  for (const program::Step& step : program.forwards.front().steps) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    if (call != nullptr && program::draws_random(*call)) return true;
  }
  return false;
}

}  // namespace

std::string task_key(const record::Task& task) {
  return base::sha256(task.entry_point + "\n" + task.source);
}

struct Referee::Impl {
  Impl(const Replayer& shared, RefereeOptions given)
      : options(std::move(given)),
        replayer(shared, options.runner),
        target(program::find_target(options.judge.target)) {}

  std::uint64_t seed_of(const record::Task& task, const std::string& what) const {
    const std::string hash = base::sha256(std::to_string(options.secret) + "\n" + what + "\n" + task.source);
    return std::stoull(hash.substr(0, 15), nullptr, 16);  // 60 bits: room for what is added
  }

  bool wants(const std::string& variation) const {
    const auto& all = options.judge.variations;
    return std::find(all.begin(), all.end(), variation) != all.end();
  }

  std::vector<std::string> value_variations() const {
    std::vector<std::string> out = {"original"};
    for (const char* one : {"scaled", "seed", "signed", "parameters", "wide", "uneven"}) {
      if (wants(one)) out.emplace_back(one);
    }
    return out;
  }

  // Of a task that is computed as seldom as can be.
  std::vector<std::string> few_variations() const {
    std::vector<std::string> out = {"original"};
    for (const char* one : {"parameters", "uneven"}) {
      if (wants(one)) out.emplace_back(one);
    }
    return out;
  }

  bool fresh_inputs() const { return !options.judge.without.contains(std::string(rules::kState)); }

  SizedRequest sized_request(const std::string& name, const record::Task& task, const std::string& precision,
                             std::vector<std::string> variations, int calls, std::string first_called = "") const {
    SizedRequest request;
    request.calls = calls;
    request.tf32 = options.judge.protocol == "tf32";
    request.name = name;
    request.task = task;
    request.precision = precision;
    request.target = &target;
    request.seed = seed_of(task, name);
    request.variations = std::move(variations);
    request.fresh_inputs = fresh_inputs();
    if (request.fresh_inputs) request.first_called = std::move(first_called);  // else all calls have those of one
    return request;
  }

  python::RecordRequest reference_request(const record::Task& task) const {
    python::RecordRequest request;
    request.task = task;
    request.target = &target;
    request.precision = precision_name(options.judge.type());
    return request;
  }

  Case make(const record::Task& task);
  void make_sizes(TaskCase& out);
  std::optional<SizedTask> odd(const ResizableTask& resizable, const TaskSizes& sizes);
  ResizableTask as_resizable(const TaskCase& task) {
    return {replayer.recorder(), reference_request(task.task), integers_of(task.task), task.other_numbers};
  }
  std::vector<python::TaskInteger> integers_of(const record::Task& task) {
    return integers.get(task_key(task), [&] { return replayer.recorder().integers(task); });
  }
  Tasks larger_tasks(const TaskCase& task);
  Tasks fitted_tasks(const TaskCase& task, const std::vector<std::int64_t>& blocks);
  Sized at_other_size(const record::Task& at, bool all_draws = true);

  RefereeOptions options;
  Replayer replayer;
  const program::Target& target;
  MadeOnce<std::vector<python::TaskInteger>> integers{kKept};
  MadeOnce<Case> cases{kKept, [](const Case& one) { return held_bytes(*one); }};
  MadeOnce<Tasks> larger_of{kKept}, lighter_of{kKept}, fitted_of{kKept};
  MadeOnce<Sized> other{kKeptLarge, held_if_any<SizedTask>};  // at those sizes
  std::mutex helpful_mutex;
  std::map<std::string, std::size_t> helpful;  // a number a task: never forgotten
  std::set<std::string> positive;              // tasks
  MadeOnce<std::shared_ptr<const RowTask>> rows{kKept};
  MadeOnce<std::shared_ptr<const RowAnswer>> answers{kKeptLarge, held_if_any<RowAnswer>};
};

Tasks Referee::Impl::larger_tasks(const TaskCase& task) {
  return larger_of.get(task_key(task.task), [&] {
    const ResizableTask resizable = as_resizable(task);
    auto out = std::make_shared<std::vector<record::Task>>();
    for (const Resizing& one : search_larger(resizable.constants(), task.resizing, resizable.probe()))
      out->push_back(resizable.resized(one));
    return Tasks(std::move(out));
  });
}

Tasks Referee::Impl::fitted_tasks(const TaskCase& task, const std::vector<std::int64_t>& blocks) {
  std::string key = task_key(task.task);
  for (const std::int64_t block : blocks) key += " " + std::to_string(block);
  return fitted_of.get(key, [&] {
    const ResizableTask resizable = as_resizable(task);
    auto out = std::make_shared<std::vector<record::Task>>();
    for (const Resizing& one :
         search_fitted(resizable.constants(), blocks, seed_of(task.task, "fitted"), resizable.probe()))
      out->push_back(resizable.resized(one));
    return Tasks(std::move(out));
  });
}

// The odd size where the reference cannot be called at the small one first: at another, or at none.
std::optional<SizedTask> Referee::Impl::odd(const ResizableTask& resizable, const TaskSizes& sizes) {
  const record::Task task = resizable.resized(*sizes.odd);
  std::vector<record::Task> others;
  for (const Resizing& one : other_calls(*sizes.odd, *sizes.small)) others.push_back(resizable.resized(one));
  const std::string precision = precision_name(options.judge.type());
  for (const std::string& first : {first_call(replayer.recorder(), reference_request(task), others), std::string()}) {
    const SizedRequest request = sized_request("odd", task, precision, {"original"}, kFewForwards, first);
    std::optional<SizedTask> out = std::move(make_sized_tasks(replayer, {request}).front().made);
    if (out || first.empty()) return out;
  }
  return std::nullopt;
}

void Referee::Impl::make_sizes(TaskCase& out) {
  const ResizableTask resizable = as_resizable(out);
  const std::string precision = precision_name(options.judge.type());
  std::string why = "no size of the task that the reference accepts is small enough for this machine";
  // what the recorder takes for possible may still fail (a window larger than what it moves over): larger sizes do not
  for (const double factor : {1, 4, 16}) {
    const TaskSizes sizes = search_sizes(resizable.constants(), resizable.probe(), SizeLimits().times(factor));
    if (!sizes.small) continue;
    const record::Task small = resizable.resized(*sizes.small);
    std::vector<SizedRequest> requests;
    std::vector<std::optional<SizedTask>*> places;
    const auto ask = [&](std::optional<SizedTask>& place, SizedRequest request) {
      places.push_back(&place);
      requests.push_back(std::move(request));
    };
    const auto few = [&](const char* name, const record::Task& task, const std::string& in,
                         const std::string& first_called = "") {
      return sized_request(name, task, in, {"original"}, kFewForwards, first_called);
    };
    ask(out.small, sized_request("small", small, precision, sizes.dear ? few_variations() : value_variations(),
                                 sizes.dear ? kFewForwards : secret_calls(seed_of(out.task, "calls"))));
    if (sizes.tiny) ask(out.tiny, few("tiny", resizable.resized(*sizes.tiny), precision));
    const bool asks_odd = sizes.odd && wants("shape");
    if (asks_odd) ask(out.odd, few("odd", resizable.resized(*sizes.odd), precision, small.source));
    if (wants("dtype") && !sizes.dear)
      ask(out.half, few("half", small, precision == "float16" ? "bfloat16" : "float16"));
    std::vector<SizedOutcome> made = make_sized_tasks(replayer, requests);
    if (!made.front().made) {
      why = made.front().why;
      continue;
    }
    for (std::size_t i = 0; i < made.size(); ++i) *places[i] = std::move(made[i].made);
    if (asks_odd && fresh_inputs() && !(out.odd && first_call_differs(out.odd->reference)))
      out.odd = odd(resizable, sizes);
    out.resizing = *sizes.small;
    if (sizes.dear) out.notes.emplace_back(kDear);
    return;
  }
  out.no_small = why;
}

Case Referee::Impl::make(const record::Task& task) {
  auto out = std::make_shared<TaskCase>();
  out->task = task;
  python::RecordRequest at_real = reference_request(task);
  at_real.answer = replayer.answerer({.most_bytes = kAnswerableBytes});  // as a candidate's questions are
  python::RecordOutcome real = replayer.recorder().record(at_real);
  if (!real.program) {
    throw base::UserError("task", task.id + (real.line > 0 ? ":" + std::to_string(real.line) : "") + ": " +
                                      (real.phase.empty() ? "" : real.phase + ": ") +
                                      (real.exception.empty() ? "" : real.exception + ": ") + real.message);
  }
  out->reference = std::move(*real.program);
  out->reference_record_ms = real.milliseconds;
  if (runner::tensors_of(out->reference.forwards.front().outputs).empty()) {
    throw base::UserError("task", task.id + ": forward returns no tensor, so there is nothing to compare");
  }
  out->reference_seconds = program::cost_of(out->reference, target, std::size_t{0}).seconds;
  out->other_numbers = gives_numbers(out->reference.forwards.front().inputs);
  make_sizes(*out);
  if (!out->small && out->other_numbers) {  // some numbers cannot be others
    out->other_numbers = false;
    out->no_small.clear();
    make_sizes(*out);
  }
  if (out->small) {
    if (const Draw* original = out->small->find("original")) {
      for (std::string& note : degenerate_outputs(*original)) out->notes.push_back(std::move(note));
    }
    out->degenerate = constant_answer(*out->small);
    if (is_random(out->small->reference))
      out->notes.push_back(
          "random: the reference draws random numbers in forward; a candidate must draw the same ones");
  }
  return out;
}

std::optional<std::size_t> Referee::helpful_size(const TaskCase& task) const {
  const std::lock_guard<std::mutex> lock(impl_->helpful_mutex);
  const auto found = impl_->helpful.find(task_key(task.task));
  return found == impl_->helpful.end() ? std::nullopt : std::optional(found->second);
}

void Referee::remember_helpful(const TaskCase& task, std::size_t index) {
  const std::lock_guard<std::mutex> lock(impl_->helpful_mutex);
  impl_->helpful[task_key(task.task)] = index;
}

bool Referee::needs_positive(const TaskCase& task) const {
  const std::lock_guard<std::mutex> lock(impl_->helpful_mutex);
  return impl_->positive.contains(task_key(task.task));
}

void Referee::remember_positive(const TaskCase& task) {
  const std::lock_guard<std::mutex> lock(impl_->helpful_mutex);
  impl_->positive.insert(task_key(task.task));
}

std::uint64_t Referee::row_seed(const TaskCase& task) const {
  return impl_->seed_of(task.task, "rows");
}

std::shared_ptr<const RowTask> Referee::rows(const TaskCase& task) {
  return impl_->rows.get(task_key(task.task), [&]() -> std::shared_ptr<const RowTask> {
    // rows are those of the real recording
    const ResizableTask resizable(impl_->replayer.recorder(), impl_->reference_request(task.task),
                                  impl_->integers_of(task.task));
    RowSearch search;
    search.reference = &task.reference;
    search.constants = resizable.constants();
    search.request = impl_->reference_request(task.task);
    search.seed = row_seed(task);
    search.resized = [&](const SizeConstant& one, std::int64_t value) { return resizable.resized({{one, value}}); };
    std::optional<RowTask> found = find_rows(impl_->replayer, std::move(search));
    return found ? std::make_shared<const RowTask>(std::move(*found)) : nullptr;
  });
}

std::shared_ptr<const RowAnswer> Referee::answer(const TaskCase& task, const RowTask::Narrow& size,
                                                 const std::vector<runner::TensorData>& inputs,
                                                 const std::vector<GivenState>& state) {
  std::string key = task_key(task.task) + std::to_string(size.rows) + " " + std::to_string(state.size());
  runner::GivenInputs given;
  for (const runner::TensorData& one : inputs) {
    // our own draws, not the candidate's: nobody looks for collisions
    key += " " + std::to_string(one.bytes.size()) + ":" + std::to_string(std::hash<std::string_view>()(one.bytes));
    given.tensors.push_back(one.bytes);
  }
  return impl_->answers.get(key, [&]() -> std::shared_ptr<const RowAnswer> {
    runner::RunRequest how;
    how.program = &size.reference;
    how.images = size.compiled.images;
    how.launches = size.compiled.launches;
    how.seed = row_seed(task);
    how.drawn = drawn_of(size.reference, state).drawn;
    how.inputs.push_back(std::move(given));
    std::vector<runner::RunRequest> requests(impl_->options.judge.protocol == "tf32" ? 3 : 2, how);
    requests[1].oracle = true;
    if (requests.size() > 2) requests[2].tf32 = true;
    std::vector<runner::RunOutcome> outcomes = impl_->replayer.runner().run_all(requests);
    if (outcomes[0].kind != runner::RunOutcome::Kind::kCompleted) return nullptr;
    auto out = std::make_shared<RowAnswer>();
    out->expected = std::move(outcomes[0].forwards.front().outputs);
    out->finite = std::ranges::all_of(out->expected, all_finite);
    if (outcomes[1].kind == runner::RunOutcome::Kind::kCompleted) {
      out->oracle = std::move(outcomes[1].forwards.front().outputs);
      if (compare(out->expected, out->oracle).max_excess > kOracleExcess) out->oracle.clear();
    }
    if (outcomes.size() > 2 && outcomes[2].kind == runner::RunOutcome::Kind::kCompleted)
      out->coarse = std::move(outcomes[2].forwards.front().outputs);
    return out;
  });
}

Referee::Referee(const Replayer& replayer, RefereeOptions options)
    : impl_(std::make_unique<Impl>(replayer, std::move(options))) {}
Referee::~Referee() = default;

Case Referee::prepare(const record::Task& task) {
  return impl_->cases.get(task_key(task), [&] { return impl_->make(task); });
}

std::size_t Referee::larger_sizes(const TaskCase& task) {
  return impl_->larger_tasks(task)->size();
}

Sized Referee::Impl::at_other_size(const record::Task& at, bool all_draws) {
  return other.get(task_key(at) + (all_draws ? "" : " original"), [&]() -> Sized {
    const auto draws = all_draws ? value_variations() : std::vector<std::string>{"original"};
    const int calls = all_draws ? kForwards : kFewForwards;
    const SizedRequest request = sized_request("other", at, precision_name(options.judge.type()), draws, calls);
    std::optional<SizedTask> made = std::move(make_sized_tasks(replayer, {request}).front().made);
    return made ? std::make_shared<const SizedTask>(std::move(*made)) : nullptr;
  });
}

Sized Referee::larger(const TaskCase& task, std::size_t index) {
  return impl_->at_other_size((*impl_->larger_tasks(task))[index]);
}

record::Task Referee::larger_task(const TaskCase& task, std::size_t index) {
  return (*impl_->larger_tasks(task))[index];
}

Sized Referee::larger_original(const TaskCase& task, std::size_t index) {
  return impl_->at_other_size(larger_task(task, index), /*all_draws=*/false);
}

std::size_t Referee::fitted_sizes(const TaskCase& task, const std::vector<std::int64_t>& blocks) {
  return impl_->fitted_tasks(task, blocks)->size();
}

Sized Referee::fitted(const TaskCase& task, const std::vector<std::int64_t>& blocks, std::size_t index,
                      bool all_draws) {
  return impl_->at_other_size((*impl_->fitted_tasks(task, blocks))[index], all_draws);
}

Sized Referee::lighter(const TaskCase& task) {
  const Tasks tasks = impl_->lighter_of.get(task_key(task.task), [&] {
    const ResizableTask resizable = impl_->as_resizable(task);
    auto out = std::make_shared<std::vector<record::Task>>();
    if (const auto found = search_lighter(resizable.constants(), task.resizing, resizable.probe()))
      out->push_back(resizable.resized(*found));
    return Tasks(std::move(out));
  });
  return tasks->empty() ? nullptr : impl_->at_other_size(tasks->front());
}

}  // namespace tritonrl::judge
