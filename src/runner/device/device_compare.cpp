#include "runner/device/device_compare.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/view_as_real.h>

#include <algorithm>

#include "runner/tolerance.h"

namespace tritonrl::runner {
namespace {

constexpr std::int64_t kChunk = std::int64_t{1}
                                << 26;  // elements that are compared at a time: their doubles fit anywhere
constexpr double kSurely = 0.99;
constexpr double kOracleExcess = 10;                      // of the tolerance
constexpr std::int64_t kSampled = std::int64_t{1} << 22;  // errors of which the median is taken

double number(const at::Tensor& tensor) {
  return tensor.item().toDouble();
}

struct OwnErrors {
  double largest = 0, usual = 0, most = 0;
  double typical = 0;  // size of an output: the median, which a few large ones do not move
};

double median_of(const at::Tensor& values) {
  const at::Tensor finite = values.masked_select(values.isfinite());
  return finite.numel() == 0 ? 0 : number(std::get<0>(finite.sort()).select(0, finite.numel() / 2));
}

// The median of very many is that of an even sample.
OwnErrors own_errors(const at::Tensor& expected, const at::Tensor& truth) {
  OwnErrors out;
  const std::int64_t count = expected.numel(), step = std::max<std::int64_t>(1, count / kSampled);
  for (std::int64_t begin = 0; begin < count; begin += kChunk) {
    const std::int64_t length = std::min(kChunk, count - begin);
    const at::Tensor want = expected.narrow(0, begin, length).to(at::kDouble);
    const at::Tensor error = (want - truth.narrow(0, begin, length)).abs();
    out.largest = std::max(out.largest, number(at::nan_to_num(want.abs(), 0, 0, 0).max()));
    out.most = std::max(out.most, number(at::nan_to_num(error, 0, 0, 0).max()));
  }
  const at::Tensor some = expected.slice(0, 0, count, step).to(at::kDouble);
  out.typical = median_of(some.abs());
  out.usual = median_of((some - truth.slice(0, 0, count, step)).abs());
  return out;
}

at::Tensor in_a_row(const at::Tensor& tensor) {
  return (tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()) : tensor).contiguous().flatten();
}

// Whether all is right beyond doubt, and the largest error: the common case, in the type that is there and without
// copies in another.
std::optional<double> surely_right(const at::Tensor& want, const at::Tensor& have, double atol, double rtol) {
  if (want.scalar_type() != have.scalar_type() || !want.is_floating_point()) return std::nullopt;
  double most = 0;
  for (std::int64_t begin = 0; begin < want.numel(); begin += kChunk) {
    const std::int64_t length = std::min(kChunk, want.numel() - begin);
    const at::Tensor a = want.narrow(0, begin, length);
    const at::Tensor error = (a - have.narrow(0, begin, length)).abs_();
    const double largest = number(error.max());  // NaN if there is one
    // a bound in a narrow type is itself rounded: what is near it is looked at more closely
    if (!(largest <= atol) && !error.le(a.abs().mul_(rtol * kSurely).add_(atol * kSurely)).all().item().toBool())
      return std::nullopt;
    most = std::max(most, largest);
  }
  return most;
}

// What products that round their operands are usually off by: the root of the mean square, by so many elements in a
// row, for each of them.
at::Tensor usual_by_row(const at::Tensor& errors, std::int64_t row) {
  const std::int64_t count = errors.numel(), whole = count / row * row;
  at::Tensor out = at::empty_like(errors);
  if (whole > 0) {
    const at::Tensor rows = errors.narrow(0, 0, whole).view({-1, row});
    out.narrow(0, 0, whole).view({-1, row}).copy_(rows.square().mean(1, true).sqrt().expand_as(rows));
  }
  if (whole < count) {
    const at::Tensor rest = errors.narrow(0, whole, count - whole);
    out.narrow(0, whole, count - whole).copy_(rest.square().mean().sqrt().expand_as(rest));
  }
  return out;
}

at::Tensor same(const at::Tensor& a, const at::Tensor& b) {
  return a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
}

}  // namespace

OutputComparison compare_on_device(const at::Tensor& expected, const at::Tensor& got, double atol, double rtol,
                                   const std::optional<at::Tensor>& truth, double least,
                                   const std::optional<at::Tensor>& coarse) {
  OutputComparison out;
  atol = std::max(atol, least);
  const at::Tensor want = in_a_row(expected), have = in_a_row(got);
  if (!truth) {
    if (const std::optional<double> most = surely_right(want, have, atol, rtol)) {
      out.max_error = *most;
      return out;
    }
  }
  const at::Tensor exact = truth ? in_a_row(*truth) : at::Tensor();
  if (truth && want.numel() > 0) {
    const OwnErrors own = own_errors(want, exact);
    // Long sums that cancel leave a few outputs near zero, whose error is that of the terms: it is held against a
    // typical output.
    atol =
        std::max({absolute_tolerance(atol, own.largest, own.typical, own.usual, own.most), rtol * own.typical, least});
  }
  const at::Tensor rounded = truth && coarse ? in_a_row(*coarse) : at::Tensor();
  const std::int64_t last = std::max<std::int64_t>(1, expected.dim() == 0 ? 1 : expected.size(-1));
  const std::int64_t row = std::min(kChunk, (kRowsTogether + last - 1) / last * last * (expected.is_complex() ? 2 : 1));
  const std::int64_t chunk = kChunk / row * row;
  for (std::int64_t begin = 0; begin < want.numel(); begin += chunk) {
    const std::int64_t length = std::min(chunk, want.numel() - begin);
    const at::Tensor a = want.narrow(0, begin, length).to(at::kDouble),
                     b = have.narrow(0, begin, length).to(at::kDouble);
    const at::Tensor error = (a - b).abs();
    at::Tensor right = same(a, b).logical_or(a.isfinite().logical_and(error.le(a.abs() * rtol + atol)));
    if (truth) {
      const at::Tensor t = exact.narrow(0, begin, length).to(at::kDouble);
      const at::Tensor own = at::nan_to_num((a - t).abs(), 0, 0, 0);
      const at::Tensor beside = t.abs() * rtol + atol + own * kSameErrors;
      right = right.logical_or(same(t, b)).logical_or(t.isfinite().logical_and((t - b).abs().le(beside)));
      if (rounded.defined()) {
        const at::Tensor c = rounded.narrow(0, begin, length).to(at::kDouble);
        const at::Tensor off = at::nan_to_num((c - t).abs(), 0, 0, 0);
        const at::Tensor more = at::maximum(usual_by_row(off, row) * kUsualCoarse, off * kSameCoarse);
        right = right.logical_or(same(c, b))
                    .logical_or(c.isfinite().logical_and((c - b).abs().le(beside)))
                    .logical_or(t.isfinite().logical_and((t - b).abs().le(beside + more)));
      }
    }
    out.max_error = std::max(out.max_error, number(at::nan_to_num(error, 0, 0, 0).max()));
    const at::Tensor wrong = right.logical_not();
    const std::int64_t count = wrong.sum().item().toLong();
    if (count > 0 && out.first < 0) {
      const std::int64_t at = wrong.to(at::kInt).argmax().item().toLong();
      out.first = begin + at;
      out.expected = number(a.select(0, at));
      out.got = number(b.select(0, at));
    }
    out.wrong += count;
  }
  return out;
}

OutputSizes sizes_of(const at::Tensor& expected) {
  OutputSizes out;
  if (expected.numel() == 0 || !(expected.is_floating_point() || expected.is_complex())) return out;
  const at::Tensor all = in_a_row(expected);
  for (std::int64_t begin = 0; begin < all.numel(); begin += kChunk) {
    const at::Tensor some = all.narrow(0, begin, std::min(kChunk, all.numel() - begin)).abs();
    out.largest = std::max(out.largest, number(at::nan_to_num(some, 0, 0, 0).max()));
  }
  const std::int64_t step = std::max<std::int64_t>(1, all.numel() / kSampled);
  out.typical = median_of(all.slice(0, 0, all.numel(), step).to(at::kDouble).abs());
  return out;
}

OutputComparison compare_fairly(const at::Tensor& expected, const at::Tensor& got, double atol, double rtol,
                                bool by_largest, const MakeTensor& make_truth, const MakeTensor& make_coarse) {
  if (!expected.is_floating_point() && !expected.is_complex())
    return compare_on_device(expected, got, atol, rtol, std::nullopt);
  const OutputSizes sizes = sizes_of(expected);
  const double least = by_largest ? rtol * sizes.largest : 0;
  const double small = std::min(atol, std::max(atol * sizes.largest, kNoise));
  OutputComparison out = compare_on_device(expected, got, small, rtol, std::nullopt, least);
  if (out.wrong == 0) return out;
  // an oracle that says something else than the reference is none: a module with a memory, say
  const std::optional<at::Tensor> truth = make_truth();
  const double loose = kOracleExcess * std::max({atol, rtol * sizes.typical, least});
  const bool usable = truth && truth->sizes() == expected.sizes() &&
                      compare_on_device(expected, *truth, loose, kOracleExcess * rtol, std::nullopt).wrong == 0;
  if (!usable) return compare_on_device(expected, got, atol, rtol, std::nullopt, least);
  out = compare_on_device(expected, got, atol, rtol, truth, least);
  if (out.wrong == 0 || !make_coarse) return out;
  const std::optional<at::Tensor> coarse = make_coarse();
  if (!coarse || coarse->sizes() != expected.sizes()) return out;
  return compare_on_device(expected, got, atol, rtol, truth, least, coarse);
}

}  // namespace tritonrl::runner
