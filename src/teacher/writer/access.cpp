#include "teacher/writer/access.h"

namespace tritonrl::teacher {

Shape aligned_shape(const Leaf& leaf, const Shape& full) {
  if (!leaf.channel || full.size() < 2) return leaf.fact.shape;
  Shape out(full.size() - 1, 1);
  out.front() = leaf.fact.shape.front();
  return out;
}

Access access_of(const Shape& aligned, const Shape& full) {
  using enum Access::Kind;
  if (aligned == full) return {kSame, 0};
  const std::size_t missing = full.size() - aligned.size();
  int first = -1, last = -1;
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    if (aligned[i] == 1) continue;
    if (first < 0) first = static_cast<int>(i + missing);
    last = static_cast<int>(i + missing);
  }
  if (first < 0) return {kOne, 0};
  for (int i = first; i <= last; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (aligned[at - missing] != full[at]) return {kExpand, 0};
  }
  // Sizes of 1 may be others another time: what stands before is divided away even where it is 1 now.
  if (first == 0) return {kLead, last};
  if (last == static_cast<int>(full.size()) - 1) return {kTrail, last};
  return {kMiddle, last};
}

bool has_step(const Access& access) {
  return access.kind == Access::Kind::kLead || access.kind == Access::Kind::kMiddle;
}

bool has_size(const Access& access) {
  return access.kind == Access::Kind::kTrail || access.kind == Access::Kind::kMiddle;
}

std::string place_text(const Access& access, const std::string& name, const std::string& offset) {
  std::string out = name + "_ptr";
  if (access.kind == Access::Kind::kOne) return out;
  out += " + " + offset;
  if (has_step(access)) out += " // " + name + "_step";
  if (has_size(access)) out += " % " + name + "_size";
  return out;
}

}  // namespace tritonrl::teacher
