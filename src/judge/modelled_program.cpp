#include "judge/modelled_program.h"

#include <cstdlib>
#include <map>
#include <string_view>

namespace tritonrl::judge {
namespace {

// Part of the bytes of asynchronous copies that move at most eight bytes each: machine::KernelResources::narrow_copies.
// "cp.async.ca.shared.global [ %r1 + 0 ], [ %rd1 + 0 ], 0x4, %r2;": the size is the third operand.
double narrow_copies(const std::string& ptx) {
  constexpr std::string_view kCopy = "cp.async.c";
  constexpr int kNarrow = 8;
  double narrow = 0, all = 0;
  for (std::size_t at = ptx.find(kCopy); at != std::string::npos; at = ptx.find(kCopy, at + 1)) {
    std::size_t size = ptx.find("],", at);
    if (size != std::string::npos) size = ptx.find("],", size + 2);
    if (size == std::string::npos) break;
    const auto bytes = static_cast<double>(std::strtol(ptx.c_str() + size + 2, nullptr, 0));
    if (bytes <= 0 || bytes > 16) continue;
    all += bytes;
    if (bytes <= kNarrow) narrow += bytes;
  }
  return all > 0 ? narrow / all : 0;
}

}  // namespace

machine::KernelResources resources_of(const python::CompiledKernel& kernel) {
  return {.num_warps = kernel.num_warps,
          .num_stages = kernel.num_stages,
          .registers = kernel.registers,
          .shared_bytes = kernel.shared_bytes,
          .stack_bytes = kernel.stack_bytes,
          .narrow_copies = narrow_copies(kernel.ptx)};
}

ModelledProgram modelled_program(const program::Program& program, int forward, const CompiledProgram& compiled,
                                 const std::vector<runner::LaunchReport>& reports, bool only_complete) {
  const program::Target& target = program::find_target(program.target);
  ModelledProgram out;
  const program::ProgramCost cost = program::cost_of(program, target, static_cast<std::size_t>(forward));
  for (const program::StepCost& step : cost.steps) {
    if (!step.launch) out.aten_seconds += step.seconds;
  }
  std::map<std::pair<runner::StepPlace, int>, int> images;
  for (const runner::LaunchChoice& one : compiled.launches) images[{one.at, one.variant}] = one.image;
  std::map<runner::StepPlace, ModelledLaunch> fastest;
  for (const runner::LaunchReport& report : reports) {
    if (report.at.section != runner::Section::kForward || report.at.forward != forward) continue;
    const auto image = images.find({report.at, report.variant});
    if (image == images.end()) continue;
    const python::CompiledKernel& kernel = compiled.kernels[static_cast<std::size_t>(image->second)];
    const bool complete = !kernel.cubin.empty();
    if (only_complete && !complete) continue;
    const ModelledLaunch one{report.at, report.variant,
                             machine::modelled_time(report.counters, resources_of(kernel), target), complete};
    const auto [found, fresh] = fastest.try_emplace(report.at, one);
    if (!fresh && one.time.seconds < found->second.time.seconds) found->second = one;
  }
  for (const auto& [at, launch] : fastest) {
    out.launch_seconds += launch.time.seconds;
    out.complete = out.complete && launch.complete;
    out.launches.push_back(launch);
  }
  out.seconds = out.aten_seconds + out.launch_seconds;
  if (out.seconds > 0) out.seconds += target.start_overhead;
  return out;
}

}  // namespace tritonrl::judge
