#include "machine/launch_arguments.h"

#include <optional>
#include <string>

namespace tritonrl::machine {
namespace {

using AddressOf = std::function<std::uint64_t(int)>;
using Part = program::KernelParameter::Part;

// The item of nested tuples; null where they have none there.
const program::Value* item_at(const program::Value& value, std::span<const int> path) {
  const program::Value* out = &value;
  for (const int index : path) {
    const auto* list = out->get_if<program::Value::List>();
    if (list == nullptr || index < 0 || static_cast<std::size_t>(index) >= list->size()) return nullptr;
    out = &(*list)[static_cast<std::size_t>(index)];
  }
  return out;
}

class Passing {
 public:
  Passing(const program::Program& program, const AddressOf& address_of) : program_(program), address_of_(address_of) {}

  std::optional<Argument> argument(const program::Value& value, Part part, int dimension) const {
    if (part == Part::kValue) return plain(value);
    const auto* descriptor = value.get_if<program::Descriptor>();
    return descriptor != nullptr ? part_of(*descriptor, part, dimension) : std::nullopt;
  }

 private:
  std::optional<Argument> plain(const program::Value& value) const {
    if (const auto* flag = value.get_if<bool>()) return static_cast<std::int64_t>(*flag);
    if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
    if (const auto* real = value.get_if<double>()) return *real;
    if (const auto* tensor = value.get_if<program::TensorRef>()) return PointerArgument{address(*tensor)};
    return std::nullopt;
  }

  std::optional<Argument> part_of(const program::Descriptor& descriptor, Part part, int dimension) const {
    const auto size_in = [&](const std::vector<std::int64_t>& sizes) -> std::optional<Argument> {
      if (dimension < 0 || static_cast<std::size_t>(dimension) >= sizes.size()) return std::nullopt;
      return sizes[static_cast<std::size_t>(dimension)];
    };
    switch (part) {
      case Part::kDescriptor:
        return DescriptorArgument{address(descriptor.base), descriptor.shape, descriptor.strides,
                                  descriptor.nan_outside, descriptor.rounds_to_tf32};
      case Part::kBase:
        return PointerArgument{address(descriptor.base)};
      case Part::kShape:
        return size_in(descriptor.shape);
      case Part::kStride:
        return size_in(descriptor.strides);
      case Part::kPadding:
        return std::int64_t{descriptor.nan_outside};
      case Part::kRounding:
        return std::int64_t{descriptor.rounds_to_tf32};
      case Part::kValue:
        break;
    }
    return std::nullopt;
  }

  std::uint64_t address(program::TensorRef ref) const {
    const program::Tensor& tensor = program_.tensors.at(static_cast<std::size_t>(ref.index));
    return address_of_(tensor.storage) + static_cast<std::uint64_t>(tensor.offset * program::size_of(tensor.dtype));
  }

  const program::Program& program_;
  const AddressOf& address_of_;
};

}  // namespace

base::Result<std::vector<Argument>> arguments_of(const program::Program& program, const program::LaunchVariant& variant,
                                                 std::span<const program::KernelParameter> signature,
                                                 const AddressOf& address_of) {
  const Passing passing(program, address_of);
  std::vector<Argument> out;
  for (const program::KernelParameter& parameter : signature) {
    const auto index = static_cast<std::size_t>(parameter.argument);
    if (parameter.argument < 0 || index >= variant.arguments.size()) {
      return base::Failure{"the compiled kernel has a parameter that the launch did not pass"};
    }
    const program::LaunchArgument& argument = variant.arguments[index];
    const program::Value* value = item_at(argument.value, parameter.path);
    std::optional<Argument> made;
    if (value != nullptr) made = passing.argument(*value, parameter.part, parameter.dimension);
    if (!made) {
      return base::Failure{"argument " + argument.name + " of type " + argument.type + " cannot be passed to a kernel"};
    }
    out.push_back(*std::move(made));
  }
  return out;
}

}  // namespace tritonrl::machine
