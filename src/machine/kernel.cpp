#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <thread>

#include "machine/coverage.h"
#include "machine/ir/ir.h"
#include "machine/lane_order.h"
#include "machine/lower.h"
#include "machine/machine.h"
#include "machine/masked_values.h"
#include "machine/numbers/float_formats.h"
#include "machine/sample.h"
#include "machine/shadow.h"
#include "machine/tensor_pointer.h"
#include "machine/traffic.h"
#include "machine/undo_log.h"
#include "machine/worker.h"

namespace tritonrl::machine {

struct Kernel::Impl {
  Module module;
  std::string source_file;
  Code code;
  std::vector<SourcePosition> places;  // by Step::mark
};

namespace {

constexpr std::int64_t kMaxThreads = 256;

struct FrameDeleter {
  void operator()(std::byte* frame) const { ::operator delete[](frame, std::align_val_t{64}); }
};
using Frame = std::unique_ptr<std::byte[], FrameDeleter>;

std::string write_argument(const Argument& argument, const Type& type, std::byte* place) {
  if (const auto* pointer = std::get_if<PointerArgument>(&argument)) {
    if (type.scalar != Scalar::kPointer) return "a tensor for a parameter of type " + to_string(type);
    std::memcpy(place, &pointer->address, sizeof(pointer->address));
    return {};
  }
  if (const auto* descriptor = std::get_if<DescriptorArgument>(&argument)) {
    if (type.kind != Type::Kind::kDescriptor) return "a descriptor for a parameter of type " + to_string(type);
    TensorPointer made;
    made.base = descriptor->base;
    if (descriptor->shape.size() != type.shape.size() || descriptor->strides.size() != type.shape.size() ||
        type.shape.size() > kMaxPointerRank) {
      return "a descriptor of another rank than the kernel's";
    }
    std::copy(descriptor->shape.begin(), descriptor->shape.end(), made.shape);
    std::copy(descriptor->strides.begin(), descriptor->strides.end(), made.strides);
    made.nan_outside = descriptor->nan_outside;
    made.rounds_to_tf32 = descriptor->rounds_to_tf32;
    std::memcpy(place, &made, sizeof(made));
    return {};
  }
  if (type.kind != Type::Kind::kScalar || type.scalar == Scalar::kPointer || size_of(type.scalar) == 0)
    return "a number for a parameter of type " + to_string(type);
  const auto* integer = std::get_if<std::int64_t>(&argument);
  std::uint64_t bits = 0;
  if (is_float(type.scalar)) {
    bits = from_double(type.scalar, integer != nullptr ? static_cast<double>(*integer) : std::get<double>(argument));
  } else if (integer != nullptr) {
    bits = static_cast<std::uint64_t>(*integer);
  } else {
    return "a float for a parameter of type " + to_string(type);
  }
  if (type.scalar == Scalar::kI1) bits = bits != 0 ? 1 : 0;
  std::memcpy(place, &bits, static_cast<std::size_t>(size_of(type.scalar)));
  return {};
}

// Loads that say nothing of the lanes which their mask turns off.
bool has_masked_loads(const Code& code) {
  return std::any_of(code.body.begin(), code.body.end(), [](const Step& step) {
    return step.op != nullptr && step.op->name == "tt.load" && step.op->operands.size() == 2;
  });
}

// Atomics on single elements, which order what programs do around them.
bool has_ordering_atomics(const Code& code) {
  return std::any_of(code.body.begin(), code.body.end(), [](const Step& step) {
    return step.op != nullptr && (step.op->name == "tt.atomic_rmw" || step.op->name == "tt.atomic_cas") &&
           step.count == 1 && step.op->string("sem", "acq_rel") != "relaxed";
  });
}

LaunchOutcome refused(Finding::Kind kind, std::string message) {
  LaunchOutcome outcome;
  Finding& finding = outcome.findings.emplace_back();
  finding.kind = kind;
  finding.message = std::move(message);
  return outcome;
}

}  // namespace

// One launch: its workers and what they find.
class Launch {
 public:
  Launch(const Module& module, const std::string& source_file, const Code& code,
         const std::vector<SourcePosition>& places, std::array<std::int64_t, 3> grid, Memory& memory,
         const MachineOptions& options)
      : module_(module),
        source_file_(source_file),
        code_(code),
        places_(places),
        grid_(grid),
        memory_(memory),
        options_(options) {}

  LaunchOutcome run(std::span<const Argument> arguments) {
    if (arguments.size() != code_.parameters.size()) {
      return refused(Finding::Kind::kNotExecutable, "the kernel has " + std::to_string(code_.parameters.size()) +
                                                        " parameters, the launch passes " +
                                                        std::to_string(arguments.size()));
    }
    if (code_.frame_bytes > options_.value_bytes) {
      return refused(Finding::Kind::kMemory, "the values of one program need " + std::to_string(code_.frame_bytes) +
                                                 " bytes; allowed are " + std::to_string(options_.value_bytes));
    }
    const std::vector<std::int64_t> programs = sample_programs(grid_, options_.sample, options_.sample_seed);
    const auto threads = static_cast<std::size_t>(std::clamp<std::int64_t>(
        options_.threads, 1, std::clamp<std::int64_t>(static_cast<std::int64_t>(programs.size()), 1, kMaxThreads)));
    if (options_.check_races && threads == 1) {
      shadow_ = std::make_unique<Shadow>(memory_, code_.smallest_access, grid_[0] * grid_[1] * grid_[2]);
    }
    begin_ = std::chrono::steady_clock::now();
    deadline_ = begin_ + std::chrono::milliseconds(options_.wall_ms);
    workers_.resize(threads);
    frames_.resize(threads);
    marks_.assign(threads, std::vector<std::uint8_t>(places_.size(), 0));
    for (std::size_t t = 0; t < threads; ++t) {
      prepare(t, threads);
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string problem =
            write_argument(arguments[i], code_.parameter_types[i], workers_[t].frame + code_.parameters[i]);
        if (!problem.empty()) {
          return refused(Finding::Kind::kNotExecutable, problem + " (parameter " + std::to_string(i) + ")");
        }
      }
      run_steps(workers_[t], code_.prologue.data());
    }
    if (threads == 1) {
      execute(0, programs);
      if (undo_ != nullptr) run_backwards(programs);
    } else {
      std::vector<std::thread> running;
      for (std::size_t t = 0; t < threads; ++t) {
        // Neighbours in the grid touch neighbouring memory: each thread takes a stretch.
        const std::size_t begin = programs.size() * t / threads;
        const std::size_t end = programs.size() * (t + 1) / threads;
        running.emplace_back(
            [this, t,
             mine = std::vector(programs.begin() + static_cast<std::ptrdiff_t>(begin),
                                programs.begin() + static_cast<std::ptrdiff_t>(end))] { execute(t, mine); });
      }
      for (std::thread& thread : running) thread.join();
    }
    return collect();
  }

 private:
  void prepare(std::size_t t, std::size_t threads) {
    const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(code_.frame_bytes, 64));
    frames_[t] = Frame(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{64})));
    Worker& worker = workers_[t];
    worker.module = &module_;
    worker.code = &code_;
    worker.options = &options_;
    worker.memory = &memory_;
    worker.shadow = shadow_.get();
    worker.source_file = source_file_;
    worker.frame = frames_[t].get();
    worker.marks = marks_[t].data();
    worker.grid = grid_;
    worker.deadline = deadline_;
    if (threads > 1) worker.atomic_lock = &atomic_lock_;
    if (options_.warps > 1 && threads == 1) {
      lane_order_ = std::make_unique<LaneOrder>(options_.warps);
      worker.lane_order = lane_order_.get();
    }
    if (options_.check_orders && threads == 1 && shadow_ != nullptr && has_ordering_atomics(code_)) {
      undo_ = std::make_unique<UndoLog>();
      worker.undo = undo_.get();
    }
    if (options_.check_masked && threads == 1 && has_masked_loads(code_)) {
      masked_ = std::make_unique<MaskedValues>(places_.size());
      worker.masked = masked_.get();
    }
    if (options_.count) {
      traffic_.push_back(std::make_unique<Traffic>(memory_));
      worker.traffic = traffic_.back().get();
    }
  }

  // An order that atomics made may have been luck: the programs again, from the last to the first, on the memory as it
  // was. Only races are looked for. A program that waits for one of those before it never ends so, which says nothing.
  void run_backwards(std::vector<std::int64_t> programs) {
    Worker& worker = workers_[0];
    if (worker.stopped || !shadow_->was_ordered() || !undo_->is_whole()) return;
    undo_->undo(memory_);
    std::reverse(programs.begin(), programs.end());
    Shadow shadow(memory_, code_.smallest_access, grid_[0] * grid_[1] * grid_[2]);
    UndoLog undo(UndoLog::kAll);
    Worker backwards = worker;
    backwards.shadow = &shadow;
    backwards.undo = &undo;
    backwards.masked = nullptr;
    backwards.lane_order = nullptr;
    backwards.traffic = nullptr;
    backwards.findings.clear();
    const auto now = std::chrono::steady_clock::now();
    backwards.deadline = std::min(deadline_, now + 2 * (now - begin_) + std::chrono::seconds(1));
    backwards.fuel = 0;
    for (const std::int64_t number : programs) {
      if (backwards.stopped) break;
      run_program(backwards, {number % grid_[0], number / grid_[0] % grid_[1], number / grid_[0] / grid_[1]});
    }
    undo.undo(memory_);
    undo_->redo(memory_);
    if (backwards.stopped) return;
    for (Finding& finding : backwards.findings) {
      const auto same = [&](const Finding& known) {
        return known.kind == finding.kind && known.location == finding.location && known.tensor == finding.tensor;
      };
      if (finding.kind != Finding::Kind::kRace || std::any_of(worker.findings.begin(), worker.findings.end(), same))
        continue;
      finding.message += " (found with the programs in another order)";
      worker.findings.push_back(std::move(finding));
    }
  }

  void execute(std::size_t t, const std::vector<std::int64_t>& programs) {
    try {
      run_programs(t, programs);
    } catch (const std::bad_alloc&) {  // of the marks for a tensor's shadow or traffic
      workers_[t].fault(nowhere(), Finding::Kind::kMemory, "no memory for the machine's own books about these tensors");
    }
  }

  void run_programs(std::size_t t, const std::vector<std::int64_t>& programs) {
    Worker& worker = workers_[t];
    Progress& progress = progress_[t];
    double loads_before = 0, steps_before = worker.steps;
    for (std::size_t i = 0; i < programs.size() && !worker.stopped; ++i) {
      if (i == (programs.size() + 1) / 2 && worker.traffic != nullptr) worker.traffic->halfway();
      const std::int64_t number = programs[i];
      run_program(worker, {number % grid_[0], number / grid_[0] % grid_[1], number / grid_[0] / grid_[1]});
      ++progress.programs;
      progress.longest_loads = std::max(progress.longest_loads, worker.loads - loads_before);
      progress.longest_steps = std::max(progress.longest_steps, worker.steps - steps_before);
      loads_before = worker.loads;
      steps_before = worker.steps;
      if (i % 64 == 63) worker.fuel = 0;  // many short programs take time as well
      if (worker.fuel <= 0 && !worker.in_time(nowhere())) break;
    }
  }

  // For findings that no operation is to blame for.
  static const Step& nowhere() {
    static const Operation kNone{};
    static const Step kStep = [] {
      Step step;
      step.op = &kNone;
      return step;
    }();
    return kStep;
  }

  bool stops_nothing(Finding::Kind kind) const {
    if (kind == Finding::Kind::kOutOfBounds || kind == Finding::Kind::kMisaligned) return options_.go_on;
    return kind == Finding::Kind::kRace || kind == Finding::Kind::kUndefinedRead ||
           kind == Finding::Kind::kMaskedValue || kind == Finding::Kind::kFalseHint || kind == Finding::Kind::kNan;
  }

  LaunchOutcome collect() {
    LaunchOutcome outcome;
    outcome.completed = true;
    Counters& counters = outcome.counters;
    counters.programs = grid_[0] * grid_[1] * grid_[2];
    for (const Progress& progress : progress_) counters.executed += progress.programs;
    const double scale =
        counters.executed > 0 ? static_cast<double>(counters.programs) / static_cast<double>(counters.executed) : 1;
    for (std::size_t t = 0; t < workers_.size(); ++t) {
      Worker& worker = workers_[t];
      outcome.completed = outcome.completed && !worker.stopped;
      for (Finding& finding : worker.findings) outcome.findings.push_back(std::move(finding));
      if (outcome.printed.size() < options_.max_printed_bytes) outcome.printed += worker.printed;
      const auto work = [&](Work kind) { return scale * worker.work[static_cast<std::size_t>(kind)]; };
      counters.integer_ops += work(Work::kInteger);
      counters.float_ops += work(Work::kFloat);
      counters.double_ops += work(Work::kDouble);
      counters.special_ops += work(Work::kSpecial);
      for (std::size_t i = 0; i < counters.dot_ops.size(); ++i) counters.dot_ops[i] += scale * worker.dot_ops[i];
      counters.loads += scale * worker.loads;
      counters.stores += scale * worker.stores;
      counters.atomics += scale * worker.atomics;
      counters.dots += scale * worker.dots;
      counters.reductions += scale * worker.reductions;
      counters.atomic_conflicts += scale * worker.atomic_conflicts;
      counters.longest_loads = std::max(counters.longest_loads, progress_[t].longest_loads);
      counters.longest_steps = std::max(counters.longest_steps, progress_[t].longest_steps);
    }
    // The fault that stopped the launch is the last one.
    std::stable_partition(outcome.findings.begin(), outcome.findings.end(),
                          [this](const Finding& finding) { return stops_nothing(finding.kind); });
    Traffic::add_up(traffic_, memory_, counters);
    if (options_.cover) outcome.covered = covered();
    return outcome;
  }

  std::vector<SourcePosition> covered() const {
    std::vector<SourcePosition> out;
    for (std::size_t i = 1; i < places_.size(); ++i) {
      if (std::any_of(marks_.begin(), marks_.end(), [&](const auto& marks) { return marks[i] != 0; })) {
        out.push_back(places_[i]);
      }
    }
    return out;
  }

  struct Progress {
    std::int64_t programs = 0;  // executed
    double longest_loads = 0, longest_steps = 0;
  };

  const Module& module_;
  const std::string& source_file_;
  const Code& code_;
  const std::vector<SourcePosition>& places_;
  std::array<std::int64_t, 3> grid_;
  Memory& memory_;
  const MachineOptions& options_;
  std::chrono::steady_clock::time_point begin_, deadline_;
  std::unique_ptr<Shadow> shadow_;
  std::unique_ptr<UndoLog> undo_;
  std::unique_ptr<LaneOrder> lane_order_;
  std::unique_ptr<MaskedValues> masked_;
  std::vector<std::unique_ptr<Traffic>> traffic_;
  std::vector<Frame> frames_;
  std::vector<std::vector<std::uint8_t>> marks_;  // by worker
  std::vector<Worker> workers_;
  std::vector<Progress> progress_ = std::vector<Progress>(kMaxThreads);
  std::mutex atomic_lock_;
};

base::Result<Kernel> Kernel::make(Module module, std::string source_file) {
  auto impl = std::make_unique<Impl>();
  impl->module = std::move(module);
  impl->source_file = std::move(source_file);
  base::Result<Code> code = lower(impl->module);
  if (!code.ok()) return base::Failure{code.error()};
  impl->code = std::move(code).value();
  mark_barriers(impl->code);
  impl->places = number_places(impl->code, impl->module, impl->source_file);
  return Kernel(std::move(impl));
}

Kernel::Kernel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Kernel::Kernel(Kernel&&) noexcept = default;
Kernel& Kernel::operator=(Kernel&&) noexcept = default;
Kernel::~Kernel() = default;

const Module& Kernel::module() const {
  return impl_->module;
}

LaunchOutcome Kernel::launch(std::array<std::int64_t, 3> grid, std::span<const Argument> arguments, Memory& memory,
                             const MachineOptions& options) const {
  std::int64_t programs = 1;
  for (const std::int64_t size : grid) {
    if (size < 1 || size > std::numeric_limits<std::int32_t>::max() ||
        programs > std::numeric_limits<std::int32_t>::max() / size) {
      return refused(Finding::Kind::kNotExecutable, "a grid of " + std::to_string(grid[0]) + " x " +
                                                        std::to_string(grid[1]) + " x " + std::to_string(grid[2]) +
                                                        " programs");
    }
    programs *= size;
  }
  return Launch(impl_->module, impl_->source_file, impl_->code, impl_->places, grid, memory, options).run(arguments);
}

const Finding* LaunchOutcome::find(Finding::Kind kind) const {
  for (const Finding& finding : findings) {
    if (finding.kind == kind) return &finding;
  }
  return nullptr;
}

}  // namespace tritonrl::machine
