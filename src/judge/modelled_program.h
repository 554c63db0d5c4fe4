#pragma once

#include <vector>

#include "judge/replay.h"
#include "machine/launch_model.h"
#include "program/cost.h"

namespace tritonrl::judge {

// One launch of a forward, with the variant that the model finds fastest.
struct ModelledLaunch {
  runner::StepPlace at;
  int variant = 0;
  machine::LaunchTime time;
  bool complete = false;  // its registers and shared memory are known
};

// The modelled time of one forward of a program on its target: ATen calls by program::cost_of, launches by what the
// kernel machine counted.
struct ModelledProgram {
  double seconds = 0;         // of both parts, and program::Target::start_overhead
  double launch_seconds = 0;  // the part of the kernel launches
  double aten_seconds = 0;
  std::vector<ModelledLaunch> launches;
  bool complete = true;  // so are all of these
};

machine::KernelResources resources_of(const python::CompiledKernel& kernel);

// `reports`: of executed launches, whole or sampled; several variants of one launch may be among them, and
// `only_complete` leaves out those without machine code.
ModelledProgram modelled_program(const program::Program& program, int forward, const CompiledProgram& compiled,
                                 const std::vector<runner::LaunchReport>& reports, bool only_complete = false);

}  // namespace tritonrl::judge
