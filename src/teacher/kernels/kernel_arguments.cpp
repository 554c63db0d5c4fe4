#include "teacher/kernels/kernel_arguments.h"

#include "base/check.h"
#include "teacher/kernels/kernel_text.h"

namespace tritonrl::teacher {

const Fact* KernelArguments::fact(std::string_view parameter) const {
  for (const Bound::Argument& argument : bound_.arguments) {
    if (argument.parameter == parameter) return &argument.fact;
  }
  return nullptr;
}

bool KernelArguments::given(std::string_view parameter) const {
  const Fact* known = fact(parameter);
  return known != nullptr && known->kind != Fact::Kind::kNone;
}

const std::string& KernelArguments::name(std::string_view parameter) const {
  for (const NamedArgument& argument : named_) {
    if (argument.parameter == parameter) return argument.name;
  }
  TRL_CHECK(false, "the writer gave no name for " + std::string(parameter));
}

bool KernelArguments::is_float(const Fact& fact) {
  return fact.is_tensor() && (fact.dtype == program::DType::kFloat32 || fact.dtype == program::DType::kFloat16 ||
                              fact.dtype == program::DType::kBFloat16);
}

bool KernelArguments::is_float(std::string_view parameter) const {
  const Fact* known = fact(parameter);
  return known != nullptr && is_float(*known);
}

const Shape& KernelArguments::shape(std::string_view parameter) const {
  const Fact* known = fact(parameter);
  TRL_CHECK(known != nullptr && known->is_tensor(), "no tensor: " + std::string(parameter));
  return known->shape;
}

std::optional<std::int64_t> KernelArguments::integer(std::string_view parameter, std::int64_t otherwise) const {
  const Fact* known = fact(parameter);
  if (known == nullptr) return otherwise;
  if (known->kind == Fact::Kind::kFloat && known->constant && known->number == static_cast<double>(1)) return 1;
  if ((known->kind != Fact::Kind::kInt && known->kind != Fact::Kind::kBool) || !known->constant) return std::nullopt;
  return known->integer;
}

bool KernelArguments::is_false(std::string_view parameter) const {
  return integer(parameter, 0) == 0;
}

bool KernelArguments::is_per_axis(std::string_view parameter, std::size_t axes) const {
  const Fact* known = fact(parameter);
  if (known == nullptr) return false;
  if (known->kind == Fact::Kind::kInt) return true;
  if (known->kind != Fact::Kind::kList || (known->items.size() != axes && known->items.size() != 1)) return false;
  for (const Fact& item : known->items) {
    if (item.kind != Fact::Kind::kInt) return false;
  }
  return true;
}

std::string KernelArguments::unpack(std::string_view parameter, const std::vector<std::string>& parts) const {
  const Fact& known = *fact(parameter);
  const std::string& value = name(parameter);
  if (known.kind == Fact::Kind::kInt) return joined(parts, " = ") + " = " + value;
  if (known.items.size() == 1) return joined(parts, " = ") + " = " + value + "[0]";
  return joined(parts, ", ") + " = " + value;
}

std::string KernelArguments::part(std::string_view parameter, std::size_t axis) const {
  const Fact& known = *fact(parameter);
  if (known.kind == Fact::Kind::kInt) return name(parameter);
  return name(parameter) + "[" + std::to_string(known.items.size() == 1 ? 0 : axis) + "]";
}

std::vector<std::string_view> KernelArguments::tensors() const {
  std::vector<std::string_view> out;
  for (const Bound::Argument& argument : bound_.arguments) {
    if (argument.fact.is_tensor()) out.push_back(argument.parameter);
  }
  return out;
}

std::vector<std::string> KernelArguments::names(std::string_view parameter) const {
  std::vector<std::string> out;
  for (const NamedArgument& argument : named_) {
    if (argument.parameter == parameter) out.push_back(argument.name);
  }
  return out;
}

}  // namespace tritonrl::teacher
