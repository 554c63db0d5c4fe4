#include "cli/program_text.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "program/cost.h"
#include "program/level.h"

namespace tritonrl::cli {

using namespace program;

namespace {

std::string short_name(DType dtype) {
  static const std::map<DType, const char*> kNames = {
      {DType::kFloat64, "f64"}, {DType::kFloat32, "f32"}, {DType::kFloat16, "f16"}, {DType::kBFloat16, "bf16"},
      {DType::kInt64, "i64"},   {DType::kInt32, "i32"},   {DType::kInt16, "i16"},   {DType::kInt8, "i8"},
      {DType::kUInt8, "u8"},    {DType::kBool, "bool"}};
  const auto found = kNames.find(dtype);
  return found != kNames.end() ? found->second : std::string(to_string(dtype));
}

std::string tensor_text(const Program& program, TensorRef ref) {
  const Tensor& tensor = program.tensors[ref.index];
  std::string sizes;
  for (const std::int64_t size : tensor.sizes) sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  return short_name(tensor.dtype) + "[" + sizes + "]";
}

struct ValueText {
  const Program& program;

  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(std::int64_t v) const { return std::to_string(v); }
  std::string operator()(double v) const { return number_text("%.6g", v); }
  std::string operator()(std::complex<double> v) const {
    return number_text("%.6g", v.real()) + number_text("%+.6gj", v.imag());
  }
  std::string operator()(const std::string& v) const { return "'" + v + "'"; }
  std::string operator()(TensorRef v) const { return tensor_text(program, v); }
  std::string operator()(DType v) const { return short_name(v); }
  std::string operator()(Device v) const { return v == Device::kTarget ? "cuda" : "cpu"; }
  std::string operator()(const Keyword& v) const { return v.name; }
  std::string operator()(const Symbol& v) const { return v.name; }
  std::string operator()(const Descriptor& v) const { return "descriptor of " + tensor_text(program, v.base); }
  std::string operator()(const Value::List& list) const {
    std::string out;
    for (const Value& item : list) out += (out.empty() ? "" : ", ") + std::visit(*this, item.data);
    return "(" + out + ")";
  }
};

std::string value_text(const Program& program, const Value& value) {
  return std::visit(ValueText{program}, value.data);
}

struct StepText {
  const Program& program;

  std::string operator()(const AtenCall& call) const {
    std::string out = call.op.substr(call.op.find("::") + 2);
    for (const Value& value : call.args) out += " " + value_text(program, value);
    for (const auto& [name, value] : call.kwargs) out += " " + name + "=" + value_text(program, value);
    return out + (call.result.is_none() ? "" : " -> " + value_text(program, call.result));
  }
  std::string operator()(const Launch& launch) const {
    const LaunchVariant& first = launch.variants.front();
    std::string out = "LAUNCH " + program.kernels[launch.kernel].name + " <" + std::to_string(first.grid[0]);
    for (int i = 1; i < 3; ++i)
      out += first.grid[i] == 1 && (i == 2 || first.grid[2] == 1) ? "" : "," + std::to_string(first.grid[i]);
    out += ">";
    for (const LaunchArgument& argument : first.arguments) {
      if (!argument.value.is_none()) out += " " + argument.name + "=" + value_text(program, argument.value);
    }
    for (const auto& [name, value] : first.options) {
      if (name == "num_warps" || name == "num_stages") out += " " + name + "=" + value_text(program, value);
    }
    if (launch.variants.size() > 1) out += " (first of " + std::to_string(launch.variants.size()) + " configurations)";
    return out;
  }
  std::string operator()(const Question& question) const {
    static constexpr const char* kNames[] = {"value", "values", "shape", "equality"};
    std::string out = std::string("QUESTION ") + kNames[static_cast<int>(question.kind)] + " of";
    for (const TensorRef tensor : question.about) out += " " + tensor_text(program, tensor);
    return out + " = " + value_text(program, question.answer) + (question.assumed ? " (assumed)" : "");
  }
};

std::string pad(std::string text, std::size_t width, bool left = false) {
  if (text.size() >= width) return text;
  return left ? std::string(width - text.size(), ' ') + text : text + std::string(width - text.size(), ' ');
}

constexpr std::size_t kCallWidth = 100;

void write_steps(std::ostream& out, const Program& program, const std::vector<Step>& steps, const Target& target) {
  const ProgramCost cost = cost_of(program, steps, target);
  std::size_t next = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::string call = std::visit(StepText{program}, steps[i]);
    if (call.size() > kCallWidth) call = call.substr(0, kCallWidth - 3) + "...";
    std::string bytes, micros;
    if (next < cost.steps.size() && cost.steps[next].step == i) {
      const StepCost& one = cost.steps[next++];
      bytes = one.cost.bytes() > 0 ? bytes_text(one.cost.bytes()) : "";
      micros = one.seconds > 0 ? (one.launch ? ">=" : "") + number_text("%.1f", one.seconds * 1e6) : "";
    }
    out << "  " << pad(call, kCallWidth) << pad(bytes, 11, true) << pad(micros, 11, true) << "  "
        << place_text(program, place_of(steps[i])) << "\n";
  }
}

}  // namespace

std::string number_text(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), pattern, value);
  return text;
}

std::string quantity_text(double value, const char* unit) {
  const char* const prefixes[] = {"", "k", "M", "G", "T"};
  std::size_t at = 0;
  while (value >= 1000 && at + 1 < std::size(prefixes)) {
    value /= 1000;
    ++at;
  }
  return number_text(at == 0 ? "%.0f " : "%.3g ", value) + prefixes[at] + unit;
}

std::string microseconds_text(double seconds) {
  return number_text("%.1f", seconds * 1e6) + " us";
}

std::string place_text(const Program& program, const SourceLine& at) {
  return at.file < 0 ? "" : program.files[static_cast<std::size_t>(at.file)] + ":" + std::to_string(at.line);
}

std::string bytes_text(double bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
  return number_text(unit == 0 ? "%.0f " : "%.1f ", bytes) + kUnits[unit];
}

std::string program_text(const Program& program, const Target& target, bool initialise) {
  std::ostringstream out;
  double state = 0;
  for (const NamedTensor& one : program.state) state += unique_bytes(program.tensors[one.tensor.index]);
  out << program.subject << " on " << target.name << " (torch " << program.torch_version << ", triton "
      << program.triton_version << ")\n\ninitialise: " << program.initialise.size() << " calls, "
      << program.state.size() << " parameters and buffers, " << bytes_text(state) << "\n";
  if (initialise) write_steps(out, program, program.initialise, target);
  for (std::size_t i = 0; i < program.forwards.size(); ++i) {
    const Forward& forward = program.forwards[i];
    out << "\n"
        << pad(program.forwards.size() == 1 ? "forward" : "forward " + std::to_string(i + 1), kCallWidth + 2)
        << pad("bytes", 11, true) << pad("µs", 12, true) << "  line\n";
    write_steps(out, program, forward.steps, target);
    const ProgramCost cost = cost_of(program, target, i);
    out << "\n  " << cost.calls << " ATen calls, " << cost.launches << " launches, " << cost.questions << " questions; "
        << bytes_text(cost.bytes_read + cost.bytes_written) << " moved, " << number_text("%.3g", cost.matrix_ops / 1e9)
        << " Gop in matrix products, " << number_text("%.3g", cost.scalar_ops / 1e9) << " Gop elsewhere; modelled "
        << number_text("%.1f", cost.seconds * 1e6) << " µs"
        << (cost.has_unknown ? ", kernels counted by their operands alone" : "") << "\n";
  }
  const LevelEstimate level = level_of(program);
  out << "  level " << level.level << ":";
  for (const std::string& reason : level.why) out << " " << reason << (&reason == &level.why.back() ? "\n" : ";");
  return out.str();
}

}  // namespace tritonrl::cli
