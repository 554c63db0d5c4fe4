#include <algorithm>
#include <array>
#include <cmath>

#include "teacher/operators/argument_facts.h"
#include "teacher/operators/shape_rules.h"

// Movement that makes a new tensor: padding, repetition, interpolation, places chosen by data.
namespace tritonrl::teacher::operators {
namespace {

using MaybeShape = std::optional<Shape>;

MaybeShape padded(const Shape& shape, const Shape& pads) {
  if (pads.size() % 2 != 0 || pads.size() / 2 > shape.size()) return std::nullopt;
  Shape out = shape;
  for (std::size_t i = 0; i < pads.size() / 2; ++i) {
    std::int64_t& size = out[out.size() - 1 - i];
    size += pads[2 * i] + pads[2 * i + 1];
    if (size < 0) return std::nullopt;
  }
  return out;
}

MaybeShape repeated(const Shape& shape, const Shape& times) {
  if (times.size() < shape.size()) return std::nullopt;
  Shape out = times;
  for (std::size_t i = 0; i < shape.size(); ++i) out[times.size() - shape.size() + i] *= shape[i];
  return out;
}

MaybeShape shuffled(const Shape& shape, std::int64_t factor, bool up) {
  if (shape.size() < 3 || factor < 1) return std::nullopt;
  Shape out = shape;
  std::int64_t &channels = out[out.size() - 3], &height = out[out.size() - 2], &width = out[out.size() - 1];
  if (up) {
    if (channels % (factor * factor) != 0) return std::nullopt;
    channels /= factor * factor, height *= factor, width *= factor;
  } else {
    if (height % factor != 0 || width % factor != 0) return std::nullopt;
    channels *= factor * factor, height /= factor, width /= factor;
  }
  return out;
}

MaybeShape interpolated(const Arguments& arguments, const Shape& shape) {
  if (shape.size() < 3) return std::nullopt;
  Shape out = shape;
  const std::size_t dimensions = shape.size() - 2;
  if (!arguments.is_none("size")) {
    const auto sizes = arguments.each("size", dimensions);
    if (!sizes) return std::nullopt;
    std::ranges::copy(*sizes, out.begin() + 2);
    return out;
  }
  const Fact& factors = arguments.fact("scale_factor");
  if (factors.kind == Fact::Kind::kList && factors.items.size() != dimensions) return std::nullopt;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const auto factor = number_in(factors.kind == Fact::Kind::kList ? factors.items[i] : factors);
    if (!factor) return std::nullopt;
    out[i + 2] = static_cast<std::int64_t>(std::floor(static_cast<double>(shape[i + 2]) * *factor));
  }
  return out;
}

// How many windows F.unfold and F.fold count over an image; -1: not known.
std::int64_t windows(const Arguments& arguments, std::int64_t height, std::int64_t width) {
  const auto kernel = arguments.each("kernel_size", 2), dilation = arguments.each("dilation", 2);
  const auto padding = arguments.each("padding", 2), stride = arguments.each("stride", 2);
  if (!kernel || !dilation || !padding || !stride) return -1;
  std::int64_t count = 1;
  const Shape sizes{height, width};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t room = sizes[i] + 2 * (*padding)[i] - (*dilation)[i] * ((*kernel)[i] - 1) - 1;
    if (room < 0 || (*stride)[i] < 1) return -1;
    count *= room / (*stride)[i] + 1;
  }
  return count;
}

MaybeShape unfolded(const Arguments& arguments, const Shape& shape) {
  const auto kernel = arguments.each("kernel_size", 2);
  if (!kernel || (shape.size() != 4 && shape.size() != 3)) return std::nullopt;
  const std::int64_t count = windows(arguments, shape[shape.size() - 2], shape[shape.size() - 1]);
  if (count < 0) return std::nullopt;
  Shape out(shape.begin(), shape.end() - 3);
  out.push_back(shape[shape.size() - 3] * element_count(*kernel));
  out.push_back(count);
  return out;
}

MaybeShape folded(const Arguments& arguments, const Shape& shape) {
  const auto kernel = arguments.each("kernel_size", 2), size = arguments.each("output_size", 2);
  if (!kernel || !size || (shape.size() != 3 && shape.size() != 2)) return std::nullopt;
  const std::int64_t taps = element_count(*kernel), channels = shape[shape.size() - 2];
  if (taps < 1 || channels % taps != 0 || windows(arguments, (*size)[0], (*size)[1]) != shape.back()) {
    return std::nullopt;
  }
  Shape out(shape.begin(), shape.end() - 2);
  out.insert(out.end(), {channels / taps, (*size)[0], (*size)[1]});
  return out;
}

MaybeShape diagonal_of(const Shape& shape, std::int64_t offset, std::size_t a, std::size_t b) {
  if (a == b) return std::nullopt;
  const std::int64_t rows = shape[a] - std::max<std::int64_t>(-offset, 0);
  const std::int64_t columns = shape[b] - std::max<std::int64_t>(offset, 0);
  Shape out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != a && i != b) out.push_back(shape[i]);
  }
  out.push_back(std::max<std::int64_t>(std::min(rows, columns), 0));
  return out;
}

MaybeShape diagonal_shape(const Arguments& arguments, const Shape& shape) {
  const std::string_view name = arguments.name();
  const auto offset = arguments.integer(name == "diag" ? "diagonal" : "offset");
  if (!offset) return std::nullopt;
  if (name == "diag") {
    if (shape.size() == 2) return diagonal_of(shape, *offset, 0, 1);
    if (shape.size() != 1) return std::nullopt;
    const std::int64_t side = shape[0] + std::abs(*offset);
    return Shape{side, side};
  }
  const auto first = arguments.integer("dim1"), second = arguments.integer("dim2");
  if (!first || !second) return std::nullopt;
  if (name == "diagonal") {
    const auto a = dimension(*first, shape.size()), b = dimension(*second, shape.size());
    return a && b ? diagonal_of(shape, *offset, *a, *b) : std::nullopt;
  }
  if (*first != -2 || *second != -1 || shape.empty()) return std::nullopt;
  Shape out = shape;
  out.back() += std::abs(*offset);
  out.push_back(out.back());
  return out;
}

// index_select, repeat_interleave, diff, glu: one dimension gets another size.
MaybeShape along_one(const Arguments& arguments, const Shape& shape) {
  const std::string_view name = arguments.name();
  const auto dim = arguments.integer("dim");
  const auto place = dim && !shape.empty() ? dimension(*dim, shape.size()) : std::nullopt;
  if (!place) return std::nullopt;
  Shape out = shape;
  if (name == "glu") {
    if (out[*place] % 2 != 0) return std::nullopt;
    out[*place] /= 2;
  } else if (name == "index_select") {
    const Fact* index = arguments.tensor("index");
    if (index == nullptr) return std::nullopt;
    out[*place] = element_count(index->shape);
  } else if (name == "repeat_interleave") {
    const auto times = arguments.integer("repeats");
    if (!times) return std::nullopt;
    out[*place] *= *times;
  } else {  // diff
    const auto order = arguments.integer("n");
    if (!order || !arguments.is_none("prepend") || !arguments.is_none("append")) return std::nullopt;
    out[*place] = std::max<std::int64_t>(out[*place] - *order, 0);
  }
  return out;
}

MaybeShape copy_shape(const Arguments& arguments, const Shape& shape) {
  const std::string_view name = arguments.name();
  if (name == "pad") {
    const auto pads = arguments.integers("pad");
    if (!pads) return std::nullopt;
    // A module's single number is one pad for every side.
    if (arguments.fact("pad").kind != Fact::Kind::kList) return std::nullopt;
    return padded(shape, *pads);
  }
  if (name == "repeat") {
    const auto times = arguments.integers("repeats");
    return times ? repeated(shape, *times) : std::nullopt;
  }
  if (name == "repeat_interleave" && arguments.is_none("dim")) {
    const auto times = arguments.integer("repeats");
    return times ? MaybeShape(Shape{element_count(shape) * *times}) : std::nullopt;
  }
  if (name == "glu" || name == "index_select" || name == "repeat_interleave" || name == "diff") {
    return along_one(arguments, shape);
  }
  if (name == "gather" || name == "take_along_dim") {
    const Fact* index = arguments.tensor(name == "gather" ? "index" : "indices");
    if (index == nullptr || (name == "take_along_dim" && arguments.is_none("dim"))) return std::nullopt;
    if (name == "gather") return index->shape;
    const auto dim = arguments.integer("dim");
    const auto place = dim ? dimension(*dim, shape.size()) : std::nullopt;
    if (!place || index->shape.size() != shape.size()) return std::nullopt;
    Shape others = shape;
    others[*place] = 1;
    return broadcast(others, index->shape);
  }
  if (name == "pixel_shuffle" || name == "pixel_unshuffle") {
    const bool up = name == "pixel_shuffle";
    const auto factor = arguments.integer(up ? "upscale_factor" : "downscale_factor");
    return factor ? shuffled(shape, *factor, up) : std::nullopt;
  }
  if (name == "interpolate") return interpolated(arguments, shape);
  if (name == "grid_sample") {
    const Fact* grid = arguments.tensor("grid");
    if (grid == nullptr || grid->shape.size() != shape.size() || shape.size() < 4) return std::nullopt;
    Shape out{shape[0], shape[1]};
    out.insert(out.end(), grid->shape.begin() + 1, grid->shape.end() - 1);
    return out;
  }
  if (name == "unfold") return unfolded(arguments, shape);
  if (name == "fold") return folded(arguments, shape);
  if (name == "diag" || name == "diagonal" || name == "diag_embed") return diagonal_shape(arguments, shape);
  if (name == "rot90") {
    const auto turns = arguments.integer("k");
    const auto dims = arguments.integers("dims");
    if (!turns || !dims || dims->size() != 2) return std::nullopt;
    const auto a = dimension((*dims)[0], shape.size()), b = dimension((*dims)[1], shape.size());
    if (!a || !b) return std::nullopt;
    Shape out = shape;
    if (*turns % 2 != 0) std::swap(out[*a], out[*b]);
    return out;
  }
  constexpr auto kKept =
      std::to_array<std::string_view>({"contiguous", "clone", "flip", "roll", "channel_shuffle", "scatter",
                                       "scatter_add", "index_add", "index_copy", "index_fill", "masked_scatter"});
  return std::ranges::find(kKept, name) == kKept.end() ? std::nullopt : MaybeShape(shape);
}

}  // namespace

Results copy_facts(const Arguments& arguments) {
  const Fact* input = arguments.tensor("input");
  if (input == nullptr) return {};
  auto shape = copy_shape(arguments, input->shape);
  return shape ? Results{Fact::tensor(input->dtype, std::move(*shape))} : Results{};
}

}  // namespace tritonrl::teacher::operators
