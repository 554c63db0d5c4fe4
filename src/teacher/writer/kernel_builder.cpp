#include "teacher/writer/kernel_builder.h"

namespace tritonrl::teacher {

void KernelBuilder::add_once(Parameters& parameters, const std::string& name, const std::string& host) {
  for (const auto& [known, value] : parameters) {
    if (known == name) return;
  }
  parameters.emplace_back(name, host);
}

void KernelBuilder::pointer(const std::string& name, const std::string& host) {
  add_once(pointers_, name + "_ptr", host);
}

void KernelBuilder::number(const std::string& name, const std::string& host) {
  add_once(numbers_, name, host);
}

void KernelBuilder::size(const std::string& name, const std::string& host) {
  add_once(sizes_, name, host);
}

void KernelBuilder::constant(const std::string& name, const std::string& host) {
  add_once(constants_, name, host);
}

void KernelBuilder::divisor(const std::string& name, const std::string& host) {
  add_once(constant_divisors_ ? constants_ : sizes_, name, host);
}

void KernelBuilder::load(const Leaf& leaf, const Access& access, const std::string& offset, const std::string& mask,
                         const std::string& holder) {
  if (leaf.is_number()) {
    number(leaf.name, leaf.name);
    return;
  }
  pointer(leaf.name, leaf.name);
  if (has_step(access)) divisor(leaf.name + "_step", holder + ".stride(" + std::to_string(access.last) + ")");
  if (has_size(access)) divisor(leaf.name + "_size", leaf.name + ".numel()");
  std::string text = "tl.load(" + place_text(access, leaf.name, offset);
  if (!mask.empty() && access.kind != Access::Kind::kOne) text += ", mask=" + mask;
  text += ")";
  if (program::is_floating(leaf.fact.dtype)) text += ".to(tl.float32)";
  lines_.add(leaf.name + " = " + text);
}

std::string KernelBuilder::function() const {
  std::vector<std::string> names;
  for (const Parameters* group : {&pointers_, &numbers_, &sizes_}) {
    for (const auto& [name, host] : *group) names.push_back(name);
  }
  for (const auto& [name, host] : constants_) names.push_back(name + ": tl.constexpr");
  const std::string parameters = joined(names);
  std::string out;
  out.reserve(name_.size() + parameters.size() + lines_.text().size() + 24);
  return out.append("@triton.jit\ndef ")
      .append(name_)
      .append("(")
      .append(parameters)
      .append("):\n")
      .append(lines_.text());
}

void KernelBuilder::launch(Lines& host, const std::string& grid, const std::string& options) const {
  std::vector<std::string> values;
  for (const Parameters* group : {&pointers_, &numbers_, &sizes_}) {
    for (const auto& [name, value] : *group) values.push_back(value);
  }
  for (const auto& [name, value] : constants_) values.push_back(name + "=" + value);
  if (!options.empty()) values.push_back(options);
  host.add("grid = " + grid);
  host.add(name_ + "[grid](" + joined(values) + ")");
}

}  // namespace tritonrl::teacher
