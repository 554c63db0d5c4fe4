#pragma once

#include <span>

namespace tritonrl::sandbox {

// Closes every descriptor from `first` up. Safe between fork and exec.
void close_from(int first);

// Puts copies of `sources` (at most 8) at first, first+1, ... in that order, whatever overlaps; then, if `close_rest`,
// closes everything above them. False with errno set when a copy fails. Safe between fork and exec.
bool place_descriptors(std::span<const int> sources, int first, bool close_rest);

}  // namespace tritonrl::sandbox
