#pragma once

#include <filesystem>

namespace tritonrl::cli {

// Where `tritonrl warm` listens: TRITONRL_NURSERY, or a place of this user's.
std::filesystem::path nursery_path();

// Lets all that this process starts find it, where it is at the usual place.
void look_for_nursery();

}  // namespace tritonrl::cli
