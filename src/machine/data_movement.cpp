#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "machine/steps.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

constexpr std::size_t kMaxRank = 8;
using Dims = std::vector<std::int64_t>;

Dims strides_of(const Dims& shape) {
  Dims strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// out[i...] = in[offset of i...]: broadcast and trans, with the strides of the operand seen from the result.
struct StridedWalk : Detail {
  Dims shape, strides;  // in elements; neighbouring dimensions that walk alike are one
};

StridedWalk& make_walk(const StepContext& context, const Dims& shape, const Dims& strides) {
  auto& walk = context.make<StridedWalk>();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (!walk.shape.empty() && walk.strides.back() == strides[d] * shape[d]) {
      walk.shape.back() *= shape[d];
      walk.strides.back() = strides[d];
    } else {
      walk.shape.push_back(shape[d]);
      walk.strides.push_back(strides[d]);
    }
  }
  if (walk.shape.empty()) {
    walk.shape = {1};
    walk.strides = {1};
  }
  return walk;
}

template <class T>
void copy_row(T* out, const T* in, std::int64_t count, std::int64_t stride) {
  if (stride == 0) {
    std::fill(out, out + count, *in);
  } else if (stride == 1) {
    std::copy(in, in + count, out);
  } else {
    for (std::int64_t i = 0; i < count; ++i) out[i] = in[i * stride];
  }
}

template <class T>
const Step* run_walk(Worker& worker, const Step& step) {
  const auto& walk = static_cast<const StridedWalk&>(*step.detail);
  const T* in = worker.at<const T>(step.in[0]);
  T* out = worker.at<T>(step.out[0]);
  const std::size_t rank = walk.shape.size();
  const std::int64_t row = walk.shape[rank - 1];
  std::array<std::int64_t, kMaxRank> index = {};
  std::int64_t offset = 0;
  for (std::int64_t done = 0; done < step.count; done += row) {
    copy_row(out + done, in + offset, row, walk.strides[rank - 1]);
    for (std::size_t d = rank - 1; d-- > 0;) {
      offset += walk.strides[d];
      if (++index[d] < walk.shape[d]) break;
      offset -= walk.strides[d] * walk.shape[d];
      index[d] = 0;
    }
  }
  return &step + 1;
}

template <class T>
const Step* run_join(Worker& worker, const Step& step) {
  const T* left = worker.at<const T>(step.in[0]);
  const T* right = worker.at<const T>(step.in[1]);
  T* out = worker.at<T>(step.out[0]);
  for (std::int64_t i = 0; i < step.count / 2; ++i) {
    out[2 * i] = left[i];
    out[2 * i + 1] = right[i];
  }
  return &step + 1;
}

template <class T>
const Step* run_split(Worker& worker, const Step& step) {
  const T* in = worker.at<const T>(step.in[0]);
  T* left = worker.at<T>(step.out[0]);
  T* right = worker.at<T>(step.out[1]);
  for (std::int64_t i = 0; i < step.count; ++i) {
    left[i] = in[2 * i];
    right[i] = in[2 * i + 1];
  }
  return &step + 1;
}

template <class T>
const Step* run_cat(Worker& worker, const Step& step) {
  const T* left = worker.at<const T>(step.in[0]);
  const T* right = worker.at<const T>(step.in[1]);
  T* out = worker.at<T>(step.out[0]);
  std::copy(left, left + step.count / 2, out);
  std::copy(right, right + step.count / 2, out + step.count / 2);
  return &step + 1;
}

struct GatherShape : Detail {
  std::int64_t inner = 1, from = 1, to = 1;  // sizes: below the axis, along it in the source and in the indices
  bool wide = false;                         // 64-bit indices
};

template <class T>
const Step* run_gather(Worker& worker, const Step& step) {
  const auto& shape = static_cast<const GatherShape&>(*step.detail);
  const T* in = worker.at<const T>(step.in[0]);
  T* out = worker.at<T>(step.out[0]);
  for (std::int64_t i = 0; i < step.count; ++i) {
    const std::int64_t inner = i % shape.inner;
    const std::int64_t outer = i / shape.inner / shape.to;
    const std::int64_t index =
        shape.wide ? worker.at<std::int64_t>(step.in[1])[i] : worker.at<std::int32_t>(step.in[1])[i];
    if (index < 0 || index >= shape.from) {
      return worker.fault(
          step, Finding::Kind::kOutOfBounds,
          "tl.gather takes element " + std::to_string(index) + " of an axis of " + std::to_string(shape.from));
    }
    out[i] = in[(outer * shape.from + index) * shape.inner + inner];
  }
  return &step + 1;
}

struct HistogramShape : Detail {
  std::int64_t count = 0;
  bool masked = false, wide = false;
};

const Step* run_histogram(Worker& worker, const Step& step) {
  const auto& shape = static_cast<const HistogramShape&>(*step.detail);
  auto* out = worker.at<std::int32_t>(step.out[0]);
  std::fill(out, out + step.count, 0);
  for (std::int64_t i = 0; i < shape.count; ++i) {
    if (shape.masked && worker.at<std::uint8_t>(step.in[1])[i] == 0) continue;
    const std::int64_t value =
        shape.wide ? worker.at<std::int64_t>(step.in[0])[i] : worker.at<std::int32_t>(step.in[0])[i];
    if (value >= 0 && value < step.count) ++out[value];
  }
  return &step + 1;
}

const Step* run_range(Worker& worker, const Step& step) {
  auto* out = worker.at<std::int32_t>(step.out[0]);
  std::iota(out, out + step.count, static_cast<std::int32_t>(step.op->integer("start", 0)));
  return &step + 1;
}

#define TRL_BY_SIZE(function)                     \
  [](int size) -> StepFunction {                  \
    return size == 1   ? function<std::uint8_t>   \
           : size == 2 ? function<std::uint16_t>  \
           : size == 4 ? function<std::uint32_t>  \
                       : function<std::uint64_t>; \
  }

bool make_broadcast(const StepContext& context, Step& step) {
  const Type& from = context.operand(0);
  const Type& to = context.result();
  Dims strides = strides_of(from.shape);
  if (from.shape.size() > kMaxRank || to.shape.size() > kMaxRank) return false;
  if (from.shape.empty()) {
    strides.assign(to.shape.size(), 0);  // splat
  } else {
    for (std::size_t d = 0; d < strides.size(); ++d) {
      if (from.shape[d] == 1) strides[d] = 0;
    }
  }
  step.detail = &make_walk(context, to.shape, strides);
  step.run = TRL_BY_SIZE(run_walk)(size_of(to.scalar));
  return true;
}

bool make_trans(const StepContext& context, Step& step) {
  const Attribute* attribute = context.op.attribute("order");
  const auto* order = attribute != nullptr ? std::get_if<std::vector<std::int64_t>>(attribute) : nullptr;
  const Dims& shape = context.operand(0).shape;
  if (order == nullptr || order->size() != shape.size() || shape.size() > kMaxRank) return false;
  const Dims strides = strides_of(shape);
  Dims moved;
  for (const std::int64_t d : *order) {
    if (d < 0 || static_cast<std::size_t>(d) >= shape.size()) return false;
    moved.push_back(strides[static_cast<std::size_t>(d)]);
  }
  step.detail = &make_walk(context, context.result().shape, moved);
  step.run = TRL_BY_SIZE(run_walk)(size_of(context.result().scalar));
  return true;
}

bool make_gather(const StepContext& context, Step& step) {
  const Type& from = context.operand(0);
  const Type& indices = context.operand(1);
  const auto axis = static_cast<std::size_t>(context.op.integer("axis", 0));
  if (axis >= from.shape.size() || (indices.scalar != Scalar::kI32 && indices.scalar != Scalar::kI64)) return false;
  auto& shape = context.make<GatherShape>();
  for (std::size_t d = axis + 1; d < from.shape.size(); ++d) shape.inner *= from.shape[d];
  shape.from = from.shape[axis];
  shape.to = indices.shape[axis];
  shape.wide = indices.scalar == Scalar::kI64;
  step.detail = &shape;
  step.run = TRL_BY_SIZE(run_gather)(size_of(from.scalar));
  return true;
}

bool make_histogram(const StepContext& context, Step& step) {
  const Type& from = context.operand(0);
  if ((from.scalar != Scalar::kI32 && from.scalar != Scalar::kI64) || context.result().scalar != Scalar::kI32) {
    return false;
  }
  auto& shape = context.make<HistogramShape>();
  shape.count = from.count();
  shape.masked = context.op.operands.size() > 1;
  shape.wide = from.scalar == Scalar::kI64;
  step.detail = &shape;
  step.run = run_histogram;
  return true;
}

}  // namespace

bool make_data_movement(const StepContext& context, Step& step) {
  const std::string_view name = context.op.name;
  if (name == "tt.splat" || name == "tt.broadcast") return make_broadcast(context, step);
  if (name == "tt.trans") return make_trans(context, step);
  if (name == "tt.gather") return make_gather(context, step);
  if (name == "tt.histogram") return make_histogram(context, step);
  if (name == "tt.make_range") {
    step.run = run_range;
    return context.result().scalar == Scalar::kI32;
  }
  if (name == "tt.join") {
    step.run = TRL_BY_SIZE(run_join)(size_of(context.result().scalar));
    return true;
  }
  if (name == "tt.split") {
    step.run = TRL_BY_SIZE(run_split)(size_of(context.result().scalar));
    return true;
  }
  if (name == "tt.cat") {
    step.run = TRL_BY_SIZE(run_cat)(size_of(context.result().scalar));
    return true;
  }
  return false;
}

#undef TRL_BY_SIZE

}  // namespace tritonrl::machine
