#include <algorithm>

#include "teacher/operators/argument_facts.h"
#include "teacher/operators/promotion.h"
#include "teacher/operators/shape_rules.h"

// Views of one tensor, and tensors that are joined or taken apart.
namespace tritonrl::teacher::operators {
namespace {

// One size may be -1.
std::optional<Shape> viewed(Shape wanted, std::int64_t count) {
  std::int64_t known = 1, open = -1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == -1) {
      if (open >= 0) return std::nullopt;
      open = static_cast<std::int64_t>(i);
    } else {
      known *= wanted[i];
    }
  }
  if (open >= 0) {
    if (known == 0 || count % known != 0) return std::nullopt;
    wanted[static_cast<std::size_t>(open)] = count / known;
    known = count;
  }
  if (known != count) return std::nullopt;
  return wanted;
}

std::optional<Shape> expanded(const Shape& shape, Shape wanted) {
  if (wanted.size() < shape.size()) return std::nullopt;
  const std::size_t lead = wanted.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t& size = wanted[lead + i];
    if (size == -1) size = shape[i];
    if (size != shape[i] && shape[i] != 1) return std::nullopt;
  }
  if (std::ranges::any_of(wanted, [](std::int64_t size) { return size < 0; })) return std::nullopt;
  return wanted;
}

std::optional<Shape> permuted(const Shape& shape, const Shape& dims) {
  if (dims.size() != shape.size()) return std::nullopt;
  Shape out;
  std::vector<bool> seen(shape.size());
  for (const std::int64_t dim : dims) {
    const auto place = dimension(dim, shape.size());
    if (!place || seen[*place]) return std::nullopt;
    seen[*place] = true;
    out.push_back(shape[*place]);
  }
  return out;
}

std::optional<Shape> moved(const Shape& shape, const Shape& from, const Shape& to) {
  if (from.size() != to.size()) return std::nullopt;
  std::vector<std::int64_t> order(shape.size(), -1);
  std::vector<bool> taken(shape.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto source = dimension(from[i], shape.size()), target = dimension(to[i], shape.size());
    if (!source || !target || taken[*source] || order[*target] >= 0) return std::nullopt;
    taken[*source] = true;
    order[*target] = static_cast<std::int64_t>(*source);
  }
  std::size_t next = 0;
  for (std::int64_t& place : order) {
    if (place >= 0) continue;
    while (taken[next]) ++next;
    place = static_cast<std::int64_t>(next++);
  }
  return permuted(shape, order);
}

std::optional<Shape> flattened(const Shape& shape, std::int64_t start, std::int64_t end) {
  if (shape.empty()) return Shape{1};
  const auto first = dimension(start, shape.size()), last = dimension(end, shape.size());
  if (!first || !last || *first > *last) return std::nullopt;
  Shape out(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(*first));
  out.push_back(element_count(Shape(shape.begin() + static_cast<std::ptrdiff_t>(*first),
                                    shape.begin() + static_cast<std::ptrdiff_t>(*last) + 1)));
  out.insert(out.end(), shape.begin() + static_cast<std::ptrdiff_t>(*last) + 1, shape.end());
  return out;
}

std::optional<Shape> squeezed(const Shape& shape, const std::optional<Shape>& dims) {
  std::vector<bool> gone(shape.size(), !dims);
  for (const std::int64_t dim : dims.value_or(Shape{})) {
    const auto place = dimension(dim, shape.size());
    if (!place) return std::nullopt;
    if (!shape.empty()) gone[*place] = true;
  }
  Shape out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 || !gone[i]) out.push_back(shape[i]);
  }
  return out;
}

// Pieces of these sizes along one dimension.
Results pieces(const Fact& input, std::size_t dim, const Shape& sizes) {
  Results results;
  for (const std::int64_t size : sizes) {
    Shape shape = input.shape;
    shape[dim] = size;
    results.push_back(Fact::tensor(input.dtype, std::move(shape)));
  }
  return results;
}

Shape pieces_of(std::int64_t whole, std::int64_t size) {
  Shape sizes;
  for (std::int64_t begin = 0; begin < whole; begin += size) sizes.push_back(std::min(size, whole - begin));
  return sizes;
}

Results split_facts(const Arguments& arguments, const Fact& input) {
  const auto dim = arguments.integer("dim");
  const auto place = dim ? dimension(*dim, input.shape.size()) : std::nullopt;
  if (!place || input.shape.empty()) return {};
  const std::int64_t whole = input.shape[*place];
  if (arguments.name() == "chunk") {
    const auto count = arguments.integer("chunks");
    if (!count || *count < 1 || whole == 0) return {};
    return pieces(input, *place, pieces_of(whole, (whole + *count - 1) / *count));
  }
  if (arguments.name() == "unbind") {
    Shape shape = input.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*place));
    if (whole > 4096) return {};
    return Results(static_cast<std::size_t>(whole), Fact::tensor(input.dtype, shape));
  }
  const Fact& sizes = arguments.fact("split_size_or_sections");
  if (const auto size = integer_in(sizes)) {
    if (*size < 1 || whole / *size > 4096) return {};
    return pieces(input, *place, pieces_of(whole, *size));
  }
  const auto listed = integers_in(sizes);
  if (!listed) return {};
  std::int64_t total = 0;
  for (const std::int64_t size : *listed) total += size;
  return total == whole ? pieces(input, *place, *listed) : Results{};
}

Results joined_facts(const Arguments& arguments) {
  const Fact& tensors = arguments.fact("tensors");
  if (tensors.kind != Fact::Kind::kList || tensors.items.empty()) return {};
  for (const Fact& item : tensors.items) {
    if (!item.is_tensor()) return {};
  }
  const auto dtype = result_type(arguments.bound());
  const std::string_view name = arguments.name();
  Shape shape = tensors.items[0].shape;
  const std::size_t rank = shape.size();
  if (!dtype) return {};
  if (name == "stack") {
    const auto dim = arguments.integer("dim");
    const auto place = dim ? dimension(*dim, rank + 1) : std::nullopt;
    if (!place) return {};
    for (const Fact& item : tensors.items) {
      if (item.shape != shape) return {};
    }
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*place), static_cast<std::int64_t>(tensors.items.size()));
    return {Fact::tensor(*dtype, std::move(shape))};
  }
  std::int64_t along = 0;
  if (name == "cat") {
    const auto dim = arguments.integer("dim");
    if (!dim) return {};
    along = *dim;
  } else if (name == "hstack") {
    along = rank > 1 ? 1 : 0;
    if (rank == 0) return {};
  } else if (rank < 2) {
    return {};
  }
  const auto place = dimension(along, rank);
  if (!place || rank == 0) return {};
  shape[*place] = 0;
  for (const Fact& item : tensors.items) {
    if (item.shape.size() != rank) return {};
    for (std::size_t i = 0; i < rank; ++i) {
      if (i != *place && item.shape[i] != shape[i]) return {};
    }
    shape[*place] += item.shape[*place];
  }
  return {Fact::tensor(*dtype, std::move(shape))};
}

std::optional<Shape> view_shape(const Arguments& arguments, const Fact& input) {
  const std::string_view name = arguments.name();
  const Shape& shape = input.shape;
  const std::size_t rank = shape.size();
  const auto insert_at = [](std::size_t place) { return static_cast<std::ptrdiff_t>(place); };
  if (name == "view" || name == "reshape") {
    const auto wanted = arguments.integers("shape");
    return wanted ? viewed(*wanted, element_count(shape)) : std::nullopt;
  }
  if (name == "view_as" || name == "reshape_as" || name == "expand_as") {
    const Fact* other = arguments.tensor("other");
    return other == nullptr ? std::nullopt : std::optional(other->shape);
  }
  if (name == "expand" || name == "broadcast_to") {
    const auto wanted = arguments.integers(name == "expand" ? "sizes" : "size");
    return wanted ? expanded(shape, *wanted) : std::nullopt;
  }
  if (name == "permute") {
    const auto dims = arguments.integers("dims");
    return dims ? permuted(shape, *dims) : std::nullopt;
  }
  if (name == "reverse_dims" || name == "t" || name == "mT") {
    Shape turned = shape;
    if (name == "mT" && rank >= 2) {
      std::swap(turned[rank - 1], turned[rank - 2]);
    } else {
      std::ranges::reverse(turned);
    }
    return turned;
  }
  if (name == "transpose") {
    const auto a = arguments.integer("dim0"), b = arguments.integer("dim1");
    const auto first = a ? dimension(*a, rank) : std::nullopt, second = b ? dimension(*b, rank) : std::nullopt;
    if (!first || !second) return std::nullopt;
    Shape turned = shape;
    if (rank > 0) std::swap(turned[*first], turned[*second]);
    return turned;
  }
  if (name == "movedim") {
    const auto from = arguments.integers("source"), to = arguments.integers("destination");
    return from && to ? moved(shape, *from, *to) : std::nullopt;
  }
  if (name == "flatten") {
    const auto start = arguments.integer("start_dim"), end = arguments.integer("end_dim");
    return start && end ? flattened(shape, *start, *end) : std::nullopt;
  }
  if (name == "squeeze") {
    if (arguments.is_none("dim")) return squeezed(shape, std::nullopt);
    const auto dims = arguments.integers("dim");
    return dims ? squeezed(shape, dims) : std::nullopt;
  }
  if (name == "detach" || name == "identity") return shape;
  const auto dim = arguments.integer(name == "sliding_window" ? "dimension" : "dim");
  if (name == "unsqueeze") {
    const auto place = dim ? dimension(*dim, rank + 1) : std::nullopt;
    if (!place) return std::nullopt;
    Shape wider = shape;
    wider.insert(wider.begin() + insert_at(*place), 1);
    return wider;
  }
  const auto place = dim && rank > 0 ? dimension(*dim, rank) : std::nullopt;
  if (!place) return std::nullopt;
  Shape out = shape;
  if (name == "unflatten") {
    const auto sizes = arguments.integers("sizes");
    const auto parts = sizes ? viewed(*sizes, shape[*place]) : std::nullopt;
    if (!parts) return std::nullopt;
    out.erase(out.begin() + insert_at(*place));
    out.insert(out.begin() + insert_at(*place), parts->begin(), parts->end());
    return out;
  }
  if (name == "narrow") {
    const auto length = arguments.integer("length");
    if (!length || *length > shape[*place]) return std::nullopt;
    out[*place] = *length;
    return out;
  }
  if (name == "select") {
    out.erase(out.begin() + insert_at(*place));
    return out;
  }
  if (name == "sliding_window") {
    const auto size = arguments.integer("size"), step = arguments.integer("step");
    if (!size || !step || *step < 1 || *size > shape[*place]) return std::nullopt;
    out[*place] = (shape[*place] - *size) / *step + 1;
    out.push_back(*size);
    return out;
  }
  return std::nullopt;
}

}  // namespace

Results view_facts(const Arguments& arguments) {
  const std::string_view name = arguments.name();
  if (name == "cat" || name == "stack" || name == "hstack" || name == "vstack") return joined_facts(arguments);
  const Fact* input = arguments.tensor(name == "split" ? "tensor" : "input");
  if (input == nullptr) return {};
  if (name == "split" || name == "chunk" || name == "unbind") return split_facts(arguments, *input);
  auto shape = view_shape(arguments, *input);
  return shape ? Results{Fact::tensor(input->dtype, std::move(*shape))} : Results{};
}

}  // namespace tritonrl::teacher::operators
