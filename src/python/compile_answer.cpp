#include "python/compile_answer.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/base64.h"
#include "base/fields.h"
#include "python/compile_diagnostics.h"
#include "python/cubin.h"

namespace tritonrl::python {
namespace {

using Kind = CompileOutcome::Kind;

constexpr std::size_t kMaxIr = std::size_t{32} << 20, kMaxMachineCode = std::size_t{32} << 20;
constexpr std::size_t kLongestMessage = 4000, kMaxFrames = 32;
constexpr std::int64_t kMaxFigure = std::int64_t{1} << 40;

void malformed(CompileOutcome& outcome, const std::string& message) {
  outcome.kind = Kind::kMalformed;
  outcome.message = message;
}

std::string in_short(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;  // not inside a character
  text.resize(limit);
  return text;
}

constexpr base::FieldNotes kFigure{.presence = base::Presence::kMayLack, .least = 0, .most = kMaxFigure};

// Triton's own figures of a kernel.
struct Figures {
  std::optional<std::int64_t> num_warps, num_ctas, num_stages, shared, scratch_size, scratch_align;
  std::string name;
  void fields(base::FieldVisitor& field) {
    field("num_warps", num_warps, kFigure);
    field("num_ctas", num_ctas, kFigure);
    field("num_stages", num_stages, kFigure);
    field("shared", shared, kFigure);
    field("global_scratch_size", scratch_size, kFigure);
    field("global_scratch_align", scratch_align, kFigure);
    field("name", name, base::kMayLack);
  }
};

struct Frame {
  std::optional<std::int64_t> line;
  void fields(base::FieldVisitor& field) { field("line", line, kFigure); }
};

// What compiler/service.py answers.
struct Answer {
  std::string kind;
  // "compiled"
  std::string ir, ptx, cubin;  // the last in base64
  Figures figures;
  std::vector<program::DescriptorLayout> descriptors;
  // "refused", "error"
  std::string message, exception;
  std::vector<Frame> frames;
  std::optional<std::int64_t> line;
  bool vague = false;
  void fields(base::FieldVisitor& field) {
    field("kind", kind);
    field("ir", ir, base::kMayLack);
    field("ptx", ptx, base::kMayLack);
    field("cubin", cubin, base::kMayLack);
    field("figures", figures, base::kMayLack);
    field("descriptors", descriptors, base::kMayLack);
    field("message", message, base::kMayLack);
    field("exception", exception, base::kMayLack);
    field("frames", frames, base::kMayLack);
    field("line", line, kFigure);
    field("vague", vague, base::kMayLack);
  }
};

bool is_c_name(const std::string& text) {
  return !text.empty() && text.size() <= 1000 && std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

void read_machine_code(Answer& answer, CompileOutcome& outcome) {
  CompiledKernel& kernel = outcome.kernel;
  kernel.entry = std::move(answer.figures.name);
  kernel.ptx = in_short(std::move(answer.ptx), kMaxMachineCode);
  const std::optional<std::string> cubin = base::base64_decode(answer.cubin);
  if (!is_c_name(kernel.entry) || !cubin || cubin->size() > kMaxMachineCode) {
    return malformed(outcome, "the answer has no machine code");
  }
  const base::Result<CubinInfo> info = read_cubin(*cubin, kernel.entry);
  if (!info.ok()) return malformed(outcome, info.error());
  kernel.cubin = *cubin;
  kernel.registers = info.value().registers;
  kernel.stack_bytes = info.value().stack_bytes;
  if (!answer.figures.shared)
    return malformed(outcome, "the answer does not say how much shared memory the kernel needs");
  kernel.shared_bytes = *answer.figures.shared;
  kernel.descriptors = std::move(answer.descriptors);
  kernel.scratch_bytes = answer.figures.scratch_size.value_or(0);
  kernel.scratch_align = std::max<std::int64_t>(1, answer.figures.scratch_align.value_or(1));
}

void read_compiled(Answer& answer, bool machine_code, CompileOutcome& outcome) {
  CompiledKernel& kernel = outcome.kernel;
  if (answer.ir.empty() || answer.ir.size() > kMaxIr) {
    return malformed(outcome, "the answer has no IR, or more than " + std::to_string(kMaxIr) + " bytes of it");
  }
  kernel.ir = std::move(answer.ir);
  const Figures& figures = answer.figures;
  for (const auto& [name, told, place] : {std::tuple{"num_warps", &figures.num_warps, &kernel.num_warps},
                                          std::tuple{"num_ctas", &figures.num_ctas, &kernel.num_ctas},
                                          std::tuple{"num_stages", &figures.num_stages, &kernel.num_stages}}) {
    if (!*told || **told > 1 << 20) return malformed(outcome, std::string("the answer has no ") + name);
    *place = static_cast<int>(**told);
  }
  if (machine_code) read_machine_code(answer, outcome);
}

CompileFrame frame_at(const KernelText& source, int line) {
  CompileFrame frame;
  frame.line = line;
  if (const KernelText::Function* function = source.function_at(line)) frame.function = function->name;
  frame.at = source.original(line);
  frame.code = source.code(line);
  return frame;
}

void add_frame(std::optional<std::int64_t> line, CompileOutcome& outcome) {
  if (line && *line > 0 && *line < 1 << 24)
    outcome.calls.push_back(frame_at(outcome.kernel.source, static_cast<int>(*line)));
}

// An error of a pass or a check of the IR says next to nothing; what was printed before it does.
void read_diagnostic(CompileOutcome& outcome) {
  const std::optional<Diagnostic> found = find_diagnostic(outcome.log);
  if (!found) return;
  outcome.message = found->reason;
  if (outcome.calls.empty() && found->line > 0) {
    outcome.calls.push_back(frame_at(outcome.kernel.source, found->line));
  }
}

// The place, and below the reason the calls that led to it.
void tell_place(CompileOutcome& outcome) {
  if (outcome.calls.empty()) return;
  const CompileFrame& inner = outcome.calls.back();
  outcome.function = inner.function;
  outcome.at = inner.at;
  outcome.code = inner.code;
  for (std::size_t i = outcome.calls.size() - 1; i-- > 0;) {
    const CompileFrame& caller = outcome.calls[i];
    const int line = caller.at.file >= 0 ? caller.at.line : caller.line;
    outcome.message += "\n  called by " + caller.function + ", line " + std::to_string(line) + ": " + caller.code;
  }
}

}  // namespace

void read_answer(std::string_view text, bool machine_code, std::int64_t memory_bytes, CompileOutcome& outcome) {
  base::Result<Answer> read = base::from_json<Answer>(text, "the answer");
  if (!read.ok()) return malformed(outcome, read.error());
  Answer answer = std::move(read).value();
  if (answer.kind == "compiled") {
    outcome.kind = Kind::kCompiled;
    return read_compiled(answer, machine_code, outcome);
  }
  if (answer.kind == "memory") {
    outcome.kind = Kind::kCrashed;
    outcome.message = out_of_memory(memory_bytes);
    return;
  }
  if (answer.kind != "refused" && answer.kind != "error") {
    return malformed(outcome, "an answer of unknown kind \"" + in_short(answer.kind, 100) + "\"");
  }
  outcome.kind = answer.kind == "refused" ? Kind::kRefused : Kind::kError;
  outcome.message = in_short(std::move(answer.message), kLongestMessage);
  outcome.exception = in_short(std::move(answer.exception), 200);
  for (const Frame& frame : answer.frames) {
    if (outcome.calls.size() < kMaxFrames) add_frame(frame.line, outcome);
  }
  add_frame(answer.line, outcome);
  if (answer.vague) read_diagnostic(outcome);
  tell_place(outcome);
}

}  // namespace tritonrl::python
