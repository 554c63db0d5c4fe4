#pragma once

#include "report/document.h"
#include "report/material/material.h"

namespace tritonrl::report {

// Each part of a report; without blocks where the material has nothing for it.
Section summary_section(const Material& material);
Section comparison_section(const Material& material);  // evaluations side by side
Section published_section(const Material& material);   // and beside figures of others
Section funnel_section(const Material& material);      // how far answers came
Section curves_section(const Material& material);
Section curriculum_section(const Material& material);
Section speedups_section(const Material& material);
Section failures_section(const Material& material);
Section kernels_section(const Material& material);  // the best, the worst, one of each failure
Section suspicious_section(const Material& material);
Section ablations_section(const Material& material);  // runs of one stage side by side
Section cost_section(const Material& material);
Section origin_section(const Material& material);  // commands, versions, data

}  // namespace tritonrl::report
