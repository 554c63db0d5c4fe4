#include <algorithm>
#include <array>

#include "teacher/operators/table.h"

// The same elements in other places or under another shape.
namespace tritonrl::teacher::operators {

std::vector<Operator> movement_operators() {
  std::vector<Operator> all;
  const auto add = [&all](std::string_view name, std::string_view parameters, ResultType type = ResultType::kFirst) {
    all.push_back({.name = name, .group = Group::kMovement, .parameters = parameters, .type = type, .operations = 0});
  };
  // views
  add("view", "input, *shape");
  add("view_as", "input, other");
  add("reshape", "input, *shape");
  add("reshape_as", "input, other");
  add("flatten", "input, start_dim=0, end_dim=-1");
  add("unflatten", "input, dim, sizes");
  add("squeeze", "input, dim=None");
  add("unsqueeze", "input, dim");
  add("transpose", "input, dim0, dim1");
  add("t", "input");
  add("permute", "input, *dims");
  add("reverse_dims", "input");  // x.T of any rank
  add("mT", "input");
  add("movedim", "input, source, destination");
  add("expand", "input, *sizes");
  add("expand_as", "input, other");
  add("broadcast_to", "input, *size");
  add("narrow", "input, dim, start, length");
  add("select", "input, dim, index");
  add("split", "tensor, split_size_or_sections, dim=0");
  add("chunk", "input, chunks, dim=0");
  add("unbind", "input, dim=0");
  add("diagonal", "input, offset=0, dim1=0, dim2=1");
  add("sliding_window", "input, dimension, size, step");
  add("detach", "input");
  add("identity", "input");
  // copies
  add("contiguous", "input, memory_format=None");
  add("clone", "input, *, memory_format=None");
  add("cat", "tensors, dim=0, *, out=None", ResultType::kPromoted);
  add("stack", "tensors, dim=0, *, out=None", ResultType::kPromoted);
  add("hstack", "tensors, *, out=None", ResultType::kPromoted);
  add("vstack", "tensors, *, out=None", ResultType::kPromoted);
  add("pad", "input, pad, mode='constant', value=None");
  add("flip", "input, *dims");
  add("roll", "input, shifts, dims=None");
  add("rot90", "input, k=1, dims=(0, 1)");
  add("repeat", "input, *repeats");
  add("repeat_interleave", "input, repeats, dim=None, *, output_size=None");
  add("glu", "input, dim=-1");
  add("pixel_shuffle", "input, upscale_factor");
  add("pixel_unshuffle", "input, downscale_factor");
  add("channel_shuffle", "input, groups");
  add("unfold", "input, kernel_size, dilation=1, padding=0, stride=1");
  add("fold", "input, output_size, kernel_size, dilation=1, padding=0, stride=1");
  add("diag", "input, diagonal=0");
  add("diag_embed", "input, offset=0, dim1=-2, dim2=-1");
  add("diff", "input, n=1, dim=-1, prepend=None, append=None");
  add("interpolate",
      "input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None, "
      "antialias=False");
  add("grid_sample", "input, grid, mode='bilinear', padding_mode='zeros', align_corners=None");
  // places chosen by data
  add("index_select", "input, dim, index");
  add("gather", "input, dim, index, *, sparse_grad=False, out=None");
  add("take_along_dim", "input, indices, dim=None");
  add("scatter", "input, dim, index, src, *, reduce=None");
  add("scatter_add", "input, dim, index, src");
  add("index_add", "input, dim, index, source, *, alpha=1");
  add("index_copy", "input, dim, index, source");
  add("index_fill", "input, dim, index, value");
  add("masked_scatter", "input, mask, source");
  // These compute as well: averages, products, differences.
  for (Operator& one : all) {
    constexpr std::array<std::string_view, 7> kComputing = {"glu",         "fold",        "diff",     "interpolate",
                                                            "grid_sample", "scatter_add", "index_add"};
    if (std::find(kComputing.begin(), kComputing.end(), one.name) != kComputing.end()) one.operations = 1;
  }
  return all;
}

}  // namespace tritonrl::teacher::operators
