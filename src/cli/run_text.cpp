#include "cli/run_text.h"

#include <algorithm>
#include <sstream>

#include "cli/program_text.h"

namespace tritonrl::cli {
namespace {

const program::Launch& launch_at(const program::Program& program, const runner::StepPlace& at) {
  const std::vector<program::Step>* steps = &program.initialise;
  if (at.section == runner::Section::kInputs)
    steps = &program.forwards[static_cast<std::size_t>(at.forward)].make_inputs;
  if (at.section == runner::Section::kForward) steps = &program.forwards[static_cast<std::size_t>(at.forward)].steps;
  return std::get<program::Launch>((*steps)[static_cast<std::size_t>(at.step)]);
}

int image_of(const judge::CompiledProgram& compiled, const runner::LaunchReport& report) {
  for (const runner::LaunchChoice& one : compiled.launches) {
    if (one.at == report.at && one.variant == report.variant) return one.image;
  }
  return -1;
}

std::string bound_text(const machine::LaunchTime& time) {
  const auto parts = machine::bounds_of(time);
  return std::string("bound by ") + parts[0].name + " (" + microseconds_text(parts[0].seconds) + "), then " +
         parts[1].name + " (" + microseconds_text(parts[1].seconds) + ")";
}

std::string work_text(const machine::Counters& counters) {
  double dots = 0;
  for (const double ops : counters.dot_ops) dots += ops;
  std::string out = quantity_text(counters.float_ops + counters.double_ops, " float") + ", " +
                    quantity_text(counters.special_ops, " special") + ", " +
                    quantity_text(counters.integer_ops, " integer operations");
  if (dots > 0) out += ", " + quantity_text(dots, " in dots");
  return out;
}

}  // namespace

std::string launches_text(const program::Program& program, const judge::CompiledProgram& compiled,
                          const std::vector<runner::LaunchReport>& reports, const judge::ModelledProgram& modelled) {
  std::ostringstream out;
  for (const runner::LaunchReport& report : reports) {
    if (report.at.section != runner::Section::kForward) continue;
    const program::Launch& launch = launch_at(program, report.at);
    const program::LaunchVariant& variant = launch.variants[static_cast<std::size_t>(report.variant)];
    const program::Kernel& kernel = program.kernels[static_cast<std::size_t>(launch.kernel)];
    const machine::Counters& counters = report.counters;
    out << "kernel " << kernel.name << "  " << place_text(program, kernel.functions.front().at) << ", launched at "
        << place_text(program, launch.at) << "\n";
    out << "  grid " << variant.grid[0] << " x " << variant.grid[1] << " x " << variant.grid[2] << ", "
        << counters.executed << " of " << counters.programs << " programs executed in "
        << number_text("%.1f", report.milliseconds) << " ms";
    if (launch.variants.size() > 1) out << ", configuration " << report.variant + 1 << " of " << launch.variants.size();
    const int image = image_of(compiled, report);
    if (image >= 0) {
      const python::CompiledKernel& made = compiled.kernels[static_cast<std::size_t>(image)];
      out << "; " << made.num_warps << " warps";
      if (made.registers > 0) out << ", " << made.registers << " registers, " << made.shared_bytes << " bytes shared";
    }
    out << "\n";
    for (const machine::TensorTraffic& tensor : counters.tensors) {
      out << "  " << tensor.tensor << ": ";
      const double sectors = tensor.load_sectors + tensor.store_sectors;
      if (tensor.load_bytes > 0)
        out << "read " << quantity_text(tensor.load_bytes, "B") << " ("
            << quantity_text(tensor.unique_load_bytes, "B unique") << ") ";
      if (tensor.store_bytes > 0)
        out << (tensor.atomic_bytes > 0 ? "updated " : "written ") << quantity_text(tensor.store_bytes, "B") << " ";
      out << "in " << quantity_text(sectors, " sectors") << ", coalesced "
          << number_text("%.0f", sectors > 0 ? 100 * (tensor.load_bytes + tensor.store_bytes) / (32 * sectors) : 100)
          << " %\n";
    }
    out << "  " << work_text(counters) << "\n";
    const auto time = std::find_if(modelled.launches.begin(), modelled.launches.end(),
                                   [&](const judge::ModelledLaunch& one) { return one.at == report.at; });
    if (time != modelled.launches.end()) {
      out << "  modelled " << microseconds_text(time->time.seconds) << ": " << bound_text(time->time) << "\n";
    }
    if (!report.printed.empty()) out << "  printed:\n" << report.printed;
  }
  return out.str();
}

std::string finding_text(const program::Program& program, const judge::CompiledProgram& compiled,
                         const runner::LaunchReport& report, const machine::Finding& finding) {
  const program::Launch& launch = launch_at(program, report.at);
  const program::Kernel& kernel = program.kernels[static_cast<std::size_t>(launch.kernel)];
  std::ostringstream out;
  const int image = image_of(compiled, report);
  std::string where = place_text(program, kernel.functions.front().at);
  std::string code;
  if (image >= 0 && finding.line > 0) {
    const python::KernelText& source = compiled.kernels[static_cast<std::size_t>(image)].source;
    const std::string line = place_text(program, source.original(finding.line));
    if (!line.empty()) where = line;
    code = source.code(finding.line);
  }
  out << where << ": " << to_string(finding.kind) << " in " << kernel.name << ", program (" << finding.program[0]
      << ", " << finding.program[1] << ", " << finding.program[2] << "): " << finding.message << "\n";
  if (!code.empty()) out << "    " << code << "\n";
  return out.str();
}

std::string compile_failure_text(const program::Program& program, const judge::CompiledProgram::Failure& failure) {
  std::ostringstream out;
  const std::string where = place_text(program, failure.outcome.at);
  out << (where.empty() ? failure.kernel : where) << ": " << to_string(failure.outcome.kind) << " in "
      << (failure.outcome.function.empty() ? failure.kernel : failure.outcome.function) << ": "
      << failure.outcome.message << "\n";
  if (!failure.outcome.code.empty()) out << "    " << failure.outcome.code << "\n";
  return out.str();
}

}  // namespace tritonrl::cli
