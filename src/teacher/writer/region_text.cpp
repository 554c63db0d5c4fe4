#include "teacher/writer/region_text.h"

#include <algorithm>
#include <array>

#include "teacher/writer/forms.h"
#include "teacher/writer/kernel_lines.h"

namespace tritonrl::teacher {
namespace {

bool mentions(const RegionText& text, std::string_view word) {
  return std::any_of(text.kernels.begin(), text.kernels.end(),
                     [&](const std::string& kernel) { return kernel.find(word) != std::string::npos; });
}

// v1, acc12, part3, y2: names that are numbered.
bool is_numbered(std::string_view name) {
  constexpr std::array<std::string_view, 10> kStems = {"v",      "dst",     "acc",    "part", "fused",
                                                       "kernel", "carry_v", "part_v", "k",    "KERNEL"};
  for (const std::string_view stem : kStems) {
    if (!name.starts_with(stem) || name.size() == stem.size()) continue;
    if (std::all_of(name.begin() + static_cast<std::ptrdiff_t>(stem.size()), name.end(),
                    [](char c) { return c >= '0' && c <= '9'; })) {
      return true;
    }
  }
  return false;
}

// Rows that one program alone would take too long for: everything, channels over a whole batch, groups of them; in the
// fast variant also other rows, and groups, where there are few and they are long.
bool is_split(const Graph& graph, const Schedule& schedule) {
  const RowSpec& rows = *graph.rows;
  if (rows.form == RowSpec::Form::kAll) return true;
  if (schedule.form) return *schedule.form == RowForm::kSplit;
  if (rows.form == RowSpec::Form::kAround) return true;
  const bool groups = rows.form == RowSpec::Form::kGroups;
  if (schedule.variant == Variant::kCanonical) return groups;
  const std::optional<std::int64_t> length = graph.row_length();
  constexpr std::int64_t kFewRows = 264, kLongRow = 32768;
  return !length || (count(graph.full) / *length <= kFewRows && *length >= kLongRow);
}

}  // namespace

std::optional<RegionText> region_text(Graph& graph, const std::vector<RegionOutput>& outputs,
                                      const Schedule& schedule) {
  std::vector<int> steps;
  for (const RegionOutput& output : outputs) steps.push_back(output.step);
  name_steps(graph, steps);
  std::optional<RegionText> text;
  if (!graph.rows) {
    text = pointwise_text(graph, outputs, schedule);
  } else {
    if (is_split(graph, schedule)) text = split_text(graph, outputs, schedule);
    if (!text && graph.rows->form != RowSpec::Form::kAll) text = rows_text(graph, outputs, schedule);
    if (text && schedule.variant == Variant::kFast && text->kind == "split rows" &&
        graph.rows->form != RowSpec::Form::kAround) {
      text->variant = "split";
    }
  }
  if (text) text->libdevice = mentions(*text, "libdevice.");
  return text;
}

bool is_taken_name(std::string_view name) {
  // Names of the texts that we write, and of Python.
  constexpr auto kOurs = std::to_array<std::string_view>({"n",         "o",
                                                          "m",         "i",
                                                          "k",         "p",
                                                          "r",         "j",
                                                          "dst",       "x_ptr",
                                                          "rows",      "inner",
                                                          "outer",     "blocks",
                                                          "best",      "better",
                                                          "BLOCK",     "tl",
                                                          "torch",     "triton",
                                                          "libdevice", "multiply",
                                                          "count",     "batch",
                                                          "ROWS",      "rows_at_once",
                                                          "float",     "min",
                                                          "max",       "range",
                                                          "acc",       "M",
                                                          "N",         "K",
                                                          "a",         "b",
                                                          "offs",      "pid",
                                                          "shape",     "None",
                                                          "True",      "False",
                                                          "self",      "len",
                                                          "tuple"});
  // What Triton's launcher calls its own in the function that it makes of a kernel's parameters, and what it takes as
  // options of a launch: a parameter of that name is overwritten, or given twice.
  constexpr auto kLaunchers = std::to_array<std::string_view>({"params",
                                                               "specialization",
                                                               "options",
                                                               "specialize_impl",
                                                               "backend",
                                                               "JITCallable",
                                                               "dynamic_func",
                                                               "grid",
                                                               "warmup",
                                                               "run",
                                                               "args",
                                                               "kwargs",
                                                               "num_warps",
                                                               "num_stages",
                                                               "num_ctas",
                                                               "num_buffers_warp_spec",
                                                               "num_consumer_groups",
                                                               "warp_size",
                                                               "maxnreg",
                                                               "debug",
                                                               "instrumentation_mode",
                                                               "device",
                                                               "device_type",
                                                               "stream",
                                                               "extern_libs",
                                                               "arch",
                                                               "ptx_version",
                                                               "ptx_options",
                                                               "ir_override",
                                                               "enable_fp_fusion",
                                                               "enable_reflect_ftz",
                                                               "launch_cooperative_grid",
                                                               "launch_pdl",
                                                               "cluster_dims",
                                                               "sanitize_overflow",
                                                               "supported_fp8_dtypes",
                                                               "deprecated_fp8_dot_operand_dtypes",
                                                               "default_dot_input_precision",
                                                               "allowed_dot_input_precisions",
                                                               "max_num_imprecise_acc_default",
                                                               "backend_name",
                                                               "waves_per_eu",
                                                               "matrix_instr_nonkdim",
                                                               "kpack",
                                                               "schedule_hint"});
  return std::ranges::find(kOurs, name) != kOurs.end() || std::ranges::find(kLaunchers, name) != kLaunchers.end() ||
         is_numbered(name);
}

}  // namespace tritonrl::teacher
