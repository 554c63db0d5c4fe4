#include "teacher/operators/table.h"

// Windows over the last one to three dimensions.
namespace tritonrl::teacher::operators {

std::vector<Operator> pooling_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::initializer_list<std::string_view> names, std::string_view parameters) {
    for (const std::string_view name : names) {
      all.push_back({.name = name, .group = Group::kPooling, .parameters = parameters, .type = ResultType::kFirst});
    }
  };
  add({"max_pool1d", "max_pool2d", "max_pool3d"},
      "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False");
  add({"avg_pool1d"}, "input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True");
  add({"avg_pool2d", "avg_pool3d"},
      "input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None");
  add({"lp_pool1d", "lp_pool2d", "lp_pool3d"}, "input, norm_type, kernel_size, stride=None, ceil_mode=False");
  add({"adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"}, "input, output_size");
  add({"adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"},
      "input, output_size, return_indices=False");
  return all;
}

}  // namespace tritonrl::teacher::operators
