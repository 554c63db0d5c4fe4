#pragma once

namespace tritonrl::runner {

// How far from the reference a right result may be where the truth is known in higher precision. One place for
// comparisons on the host and on a GPU; why each is here is told where the judge compares (judge/compare.cpp).

// Where outputs are small the absolute tolerance shrinks with the largest of them, so that the same kernel passes
// whatever unit its outputs are in; but not below this multiple of the reference's own error.
inline constexpr double kOwnErrors = 32;
// Below this, what remains of numbers near one that cancel is noise: half of float32's step at one.
inline constexpr double kNoise = 6e-8;
inline constexpr double kDoubleNoise = 1.2e-16;  // of what is computed in doubles
// A task that makes rounding errors large makes a candidate's large too: it may be wrong by so many times what the
// reference is usually wrong by, and by so many times what it is wrong by in the same place.
inline constexpr double kUsualErrors = 16;
inline constexpr double kSameErrors = 4;
// The order in which a long sum is added up is free, and libraries differ: the reference's own errors are four times as
// large with one as with another. So a result may be off by so many half steps of a typical output, however exact the
// reference is: a sixth of what is allowed there relatively.
inline constexpr double kTypicalSteps = 256;

// Where products may round their operands, a result may be as far from the truth as the reference is with such
// products: by so many times what that is off by usually, in rows of so many elements at least, and in the same place.
// What the whole output errs by excuses no row.
inline constexpr double kUsualCoarse = 5, kSameCoarse = 2;
inline constexpr int kRowsTogether = 32;

// The absolute tolerance: `named` is the type's, `largest` and `typical` the largest and the median of expected values,
// `usual` and `most` the median and the largest of the reference's own errors.
// `noise`: half a step at one of what the reference computes in.
constexpr double absolute_tolerance(double named, double largest, double typical, double usual, double most,
                                    double noise = kNoise) {
  double least = named * largest;
  if (kOwnErrors * most > least) least = kOwnErrors * most;
  if (noise > least) least = noise;
  const double narrowed = named < least ? named : least;
  const double rounding =
      kUsualErrors * usual > kTypicalSteps * noise * typical ? kUsualErrors * usual : kTypicalSteps * noise * typical;
  return narrowed > rounding ? narrowed : rounding;
}

}  // namespace tritonrl::runner
