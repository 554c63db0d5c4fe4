#include "judge/referee.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "judge/degenerate_task.h"
#include "judge/elements.h"
#include "judge/first_call.h"
#include "judge/made_once.h"
#include "judge/resizable_task.h"
#include "judge/rules/names.h"
#include "judge/sized_task.h"
#include "program/cost.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

constexpr std::size_t kKept = 64;       // prepared tasks
constexpr std::size_t kKeptLarge = 24;  // tasks at other sizes, whose tensors may take a hundred megabytes each

using Case = std::shared_ptr<const TaskCase>;
using Sized = std::shared_ptr<const SizedTask>;
using Tasks = std::shared_ptr<const std::vector<record::Task>>;

std::string precision_name(const std::string& precision) {
  if (precision == "fp16") return "float16";
  if (precision == "bf16") return "bfloat16";
  return "";
}

bool is_random(const program::Program& program) {
  for (const program::Step& step : program.forwards.front().steps) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op != nullptr && (op->random || op->kind == program::OperatorKind::kRandom)) return true;
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

  std::optional<SizedTask> sized(const std::string& name, const record::Task& task, const std::string& precision,
                                 std::vector<std::string> variations, int calls, std::string* why,
                                 std::string first_called = "") {
    SizedRequest request;
    request.first_called = std::move(first_called);
    request.calls = calls;
    request.tf32 = options.judge.protocol == "tf32";
    request.name = name;
    request.task = task;
    request.precision = precision;
    request.target = &target;
    request.seed = seed_of(task, name);
    request.variations = std::move(variations);
    request.fresh_inputs = !options.judge.without.contains(std::string(rules::kState));
    return make_sized_task(replayer, request, why);
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
  std::optional<SizedTask> odd(const ResizableTask& resizable, const TaskSizes& sizes, std::string* why);
  ResizableTask as_resizable(const TaskCase& task) {
    return {replayer.recorder(), reference_request(task.task), task.other_numbers};
  }
  Tasks larger_tasks(const TaskCase& task);
  Tasks fitted_tasks(const TaskCase& task, const std::vector<std::int64_t>& blocks);
  Sized at_other_size(const record::Task& at, bool all_draws = true);

  RefereeOptions options;
  Replayer replayer;
  const program::Target& target;
  MadeOnce<Case> cases{kKept};
  MadeOnce<Tasks> larger_of{kKept}, lighter_of{kKept}, fitted_of{kKept};
  MadeOnce<Sized> other{kKeptLarge};  // at those sizes
  std::mutex helpful_mutex;
  std::map<std::string, std::size_t> helpful;  // a number a task: never forgotten
  std::set<std::string> positive;              // tasks
  MadeOnce<std::shared_ptr<const RowTask>> rows{kKept};
  MadeOnce<std::shared_ptr<const RowAnswer>> answers{kKeptLarge};
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

// Called once at another size first, where the reference can be.
std::optional<SizedTask> Referee::Impl::odd(const ResizableTask& resizable, const TaskSizes& sizes, std::string* why) {
  python::RecordRequest reference = reference_request(resizable.resized(*sizes.odd));
  std::vector<record::Task> others;
  for (const Resizing& one : other_calls(*sizes.odd, *sizes.small)) others.push_back(resizable.resized(one));
  std::optional<SizedTask> out;
  for (const std::string& first : {first_call(replayer.recorder(), reference, others), std::string()}) {
    out = sized("odd", reference.task, reference.precision, {"original"}, kFewForwards, why, first);
    if (out || first.empty()) break;
  }
  return out;
}

void Referee::Impl::make_sizes(TaskCase& out) {
  const ResizableTask resizable = as_resizable(out);
  const std::string precision = precision_name(options.judge.type());
  TaskSizes sizes;
  record::Task small;
  std::string why;
  // what the recorder takes for possible may still fail (a window larger than what it moves over): larger sizes do not
  for (const double factor : {1, 4, 16}) {
    sizes = search_sizes(resizable.constants(), resizable.probe(), SizeLimits().times(factor));
    if (!sizes.small) continue;
    small = resizable.resized(*sizes.small);
    out.small = sized("small", small, precision, value_variations(), secret_calls(seed_of(out.task, "calls")), &why);
    if (out.small) break;
  }
  if (!out.small) {
    out.no_small =
        sizes.small ? why : "no size of the task that the reference accepts is small enough for this machine";
    return;
  }
  out.resizing = *sizes.small;
  const auto few = [&](const char* name, const record::Task& task, const std::string& in) {
    return sized(name, task, in, {"original"}, kFewForwards, &why);
  };
  if (sizes.tiny) out.tiny = few("tiny", resizable.resized(*sizes.tiny), precision);
  if (sizes.odd && wants("shape")) out.odd = odd(resizable, sizes, &why);
  if (wants("dtype")) out.half = few("half", small, precision == "float16" ? "bfloat16" : "float16");
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
    if (const Draw* original = out->small->find("original")) out->notes = degenerate_outputs(*original);
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
    const ResizableTask resizable(impl_->replayer.recorder(), impl_->reference_request(task.task));
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
                                                 const std::vector<runner::TensorData>& inputs) {
  std::string key = task_key(task.task) + std::to_string(size.rows);
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
    std::string why;
    const auto draws = all_draws ? value_variations() : std::vector<std::string>{"original"};
    auto made = sized("other", at, precision_name(options.judge.type()), draws, kForwards, &why);
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
