#include "machine/launch_arguments.h"

#include <string>

namespace tritonrl::machine {
namespace {

using AddressOf = std::function<std::uint64_t(int)>;

std::uint64_t address_of_tensor(const program::Program& program, program::TensorRef ref, const AddressOf& address_of) {
  const program::Tensor& tensor = program.tensors.at(static_cast<std::size_t>(ref.index));
  return address_of(tensor.storage) + static_cast<std::uint64_t>(tensor.offset * program::size_of(tensor.dtype));
}

// Tuples pass their items one by one.
bool append(const program::Program& program, const program::Value& value, const AddressOf& address_of,
            std::vector<Argument>& out) {
  if (const auto* flag = value.get_if<bool>()) {
    out.emplace_back(static_cast<std::int64_t>(*flag));
  } else if (const auto* integer = value.get_if<std::int64_t>()) {
    out.emplace_back(*integer);
  } else if (const auto* real = value.get_if<double>()) {
    out.emplace_back(*real);
  } else if (const auto* tensor = value.get_if<program::TensorRef>()) {
    out.emplace_back(PointerArgument{address_of_tensor(program, *tensor, address_of)});
  } else if (const auto* descriptor = value.get_if<program::Descriptor>()) {
    out.emplace_back(DescriptorArgument{address_of_tensor(program, descriptor->base, address_of), descriptor->shape,
                                        descriptor->strides});
  } else if (const auto* list = value.get_if<program::Value::List>()) {
    for (const program::Value& item : *list) {
      if (!item.is_none() && !append(program, item, address_of, out)) return false;
    }
  } else {
    return false;
  }
  return true;
}

}  // namespace

base::Result<std::vector<Argument>> arguments_of(const program::Program& program, const program::LaunchVariant& variant,
                                                 std::span<const int> parameters, const AddressOf& address_of) {
  std::vector<Argument> out;
  for (const int index : parameters) {
    if (index < 0 || static_cast<std::size_t>(index) >= variant.arguments.size()) {
      return base::Failure{"the compiled kernel has a parameter that the launch did not pass"};
    }
    const program::LaunchArgument& argument = variant.arguments[static_cast<std::size_t>(index)];
    if (!append(program, argument.value, address_of, out)) {
      return base::Failure{"argument " + argument.name + " of type " + argument.type + " cannot be passed to a kernel"};
    }
  }
  return out;
}

}  // namespace tritonrl::machine
