#include "python/compile_answer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/base64.h"
#include "python/compile_diagnostics.h"
#include "python/cubin.h"

namespace tritonrl::python {
namespace {

using Json = nlohmann::json;
using Kind = CompileOutcome::Kind;

constexpr std::size_t kMaxIr = std::size_t{32} << 20, kMaxMachineCode = std::size_t{32} << 20;
constexpr std::size_t kMaxMessage = 4000, kMaxFrames = 32;
constexpr std::int64_t kMaxFigure = std::int64_t{1} << 40;

void malformed(CompileOutcome& outcome, const std::string& message) {
  outcome.kind = Kind::kMalformed;
  outcome.message = message;
}

std::string text_of(const Json& json, const char* name, std::size_t limit) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) return {};
  std::string text = found->get<std::string>();
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;  // not inside a character
  return text.substr(0, limit);
}

// A count of something; nothing if it is missing or absurd.
std::optional<std::int64_t> figure(const Json& figures, const char* name) {
  const auto found = figures.find(name);
  if (found == figures.end() || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxFigure)) {
    return std::nullopt;
  }
  const std::int64_t value = found->get<std::int64_t>();
  if (value < 0 || value > kMaxFigure) return std::nullopt;
  return value;
}

bool is_c_name(const std::string& text) {
  return !text.empty() && text.size() <= 1000 && std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

void read_machine_code(const Json& json, const Json& figures, CompileOutcome& outcome) {
  CompiledKernel& kernel = outcome.kernel;
  kernel.entry = text_of(figures, "name", 1001);
  kernel.ptx = text_of(json, "ptx", kMaxMachineCode);
  const std::optional<std::string> cubin = base::base64_decode(text_of(json, "cubin", 2 * kMaxMachineCode));
  if (!is_c_name(kernel.entry) || !cubin || cubin->size() > kMaxMachineCode) {
    return malformed(outcome, "the answer has no machine code");
  }
  const base::Result<CubinInfo> info = read_cubin(*cubin, kernel.entry);
  if (!info.ok()) return malformed(outcome, info.error());
  kernel.cubin = *cubin;
  kernel.registers = info.value().registers;
  kernel.stack_bytes = info.value().stack_bytes;
  const std::optional<std::int64_t> shared = figure(figures, "shared");
  if (!shared) return malformed(outcome, "the answer does not say how much shared memory the kernel needs");
  kernel.shared_bytes = *shared;
  kernel.scratch_bytes = figure(figures, "global_scratch_size").value_or(0);
  kernel.scratch_align = std::max<std::int64_t>(1, figure(figures, "global_scratch_align").value_or(1));
}

void read_compiled(const Json& json, bool machine_code, CompileOutcome& outcome) {
  CompiledKernel& kernel = outcome.kernel;
  const Json figures = json.value("figures", Json::object());
  kernel.ir = text_of(json, "ir", kMaxIr + 1);
  if (kernel.ir.empty() || kernel.ir.size() > kMaxIr || !figures.is_object()) {
    return malformed(outcome, "the answer has no IR, or more than " + std::to_string(kMaxIr) + " bytes of it");
  }
  for (const auto& [name, place] : {std::pair{"num_warps", &kernel.num_warps}, std::pair{"num_ctas", &kernel.num_ctas},
                                    std::pair{"num_stages", &kernel.num_stages}}) {
    const std::optional<std::int64_t> count = figure(figures, name);
    if (!count || *count > 1 << 20) return malformed(outcome, std::string("the answer has no ") + name);
    *place = static_cast<int>(*count);
  }
  if (machine_code) read_machine_code(json, figures, outcome);
}

CompileFrame frame_at(const KernelText& source, int line) {
  CompileFrame frame;
  frame.line = line;
  if (const KernelText::Function* function = source.function_at(line)) frame.function = function->name;
  frame.at = source.original(line);
  frame.code = source.code(line);
  return frame;
}

void read_frames(const Json& json, CompileOutcome& outcome) {
  const auto frames = json.find("frames");
  if (frames == json.end() || !frames->is_array()) return;
  for (const Json& one : *frames) {
    if (outcome.calls.size() == kMaxFrames || !one.is_object()) break;
    const std::optional<std::int64_t> line = figure(one, "line");
    if (line && *line < 1 << 24) outcome.calls.push_back(frame_at(outcome.kernel.source, static_cast<int>(*line)));
  }
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

void read_answer(std::string_view answer, bool machine_code, std::int64_t memory_bytes, CompileOutcome& outcome) {
  const Json json = Json::parse(answer, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return malformed(outcome, "the answer is no JSON object");
  const std::string kind = text_of(json, "kind", 100);
  if (kind == "compiled") {
    outcome.kind = Kind::kCompiled;
    return read_compiled(json, machine_code, outcome);
  }
  if (kind == "memory") {
    outcome.kind = Kind::kCrashed;
    outcome.message = out_of_memory(memory_bytes);
    return;
  }
  if (kind != "refused" && kind != "error") return malformed(outcome, "an answer of unknown kind \"" + kind + "\"");
  outcome.kind = kind == "refused" ? Kind::kRefused : Kind::kError;
  outcome.message = text_of(json, "message", kMaxMessage);
  outcome.exception = text_of(json, "exception", 200);
  read_frames(json, outcome);
  if (const std::optional<std::int64_t> line = figure(json, "line"); line && *line > 0 && *line < 1 << 24) {
    outcome.calls.push_back(frame_at(outcome.kernel.source, static_cast<int>(*line)));
  }
  if (json.value("vague", Json()) == true) read_diagnostic(outcome);
  tell_place(outcome);
}

}  // namespace tritonrl::python
