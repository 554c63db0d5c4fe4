#include "python/kernel_arguments.h"

#include <algorithm>

#include "program/program_json.h"

namespace tritonrl::python {
namespace {

using base::Json;
using program::KernelParameter;
using Part = KernelParameter::Part;

constexpr std::string_view kDescriptor = "tensordesc<";
constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxTypeBytes = 10'000;

// The parts between commas outside brackets. Empty text has none.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::string_view("([<").find(text[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")]>").find(text[i]) != std::string_view::npos) --depth;
    if (text[i] == ',' && depth == 0) {
      out.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  if (begin < text.size()) out.push_back(text.substr(begin));
  return out;
}

bool read_type(std::string_view text, int depth, ArgumentType& out) {
  if (text.empty() || depth > kMaxDepth) return false;
  if (text.front() != '(') {
    out.text = text;
    return true;
  }
  if (text.back() != ')') return false;
  out.tuple = true;
  for (const std::string_view item : split(text.substr(1, text.size() - 2))) {
    out.items.emplace_back();
    if (!read_type(item, depth + 1, out.items.back())) return false;
  }
  return true;
}

class ParameterList {
 public:
  explicit ParameterList(const DescriptorForm& form) : form_(form) {}

  void add(const ArgumentType& type) {
    if (type.tuple) {
      for (std::size_t i = 0; i < type.items.size(); ++i) {
        at_.path.push_back(static_cast<int>(i));
        add(type.items[i]);
        at_.path.pop_back();
      }
    } else if (type.descriptor_dimensions() > 0) {
      add_descriptor(type);
    } else if (!type.constant()) {
      part(Part::kValue, type.text);
    }
  }

  void next_argument() { ++at_.argument; }
  std::vector<KernelParameter> take() { return std::move(out_); }

 private:
  void part(Part part, std::string type, int dimension = 0) {
    at_.part = part;
    at_.type = std::move(type);
    at_.dimension = dimension;
    out_.push_back(at_);
  }
  void add_descriptor(const ArgumentType& type) {
    const int dimensions = type.descriptor_dimensions();
    const auto sizes = [&](const char* size) {
      for (int i = 0; i < dimensions; ++i) part(Part::kShape, size, i);
      for (int i = 0; i < dimensions; ++i) part(Part::kStride, "i64", i);
    };
    if (form_.whole) {
      part(Part::kDescriptor, type.text);
    } else {
      part(Part::kBase, "*" + type.descriptor_element());
      sizes("i64");
      part(Part::kPadding, "i1");
      if (form_.rounding) part(Part::kRounding, "i1");
    }
    sizes("i32");  // for the kernel's own use, apart from the descriptor
  }

  DescriptorForm form_;
  KernelParameter at_;
  std::vector<KernelParameter> out_;
};

Json type_json(const ArgumentType& type) {
  if (!type.tuple) return type.text;
  Json out = Json::array();
  for (const ArgumentType& item : type.items) out.push_back(type_json(item));
  return out;
}

// The values of constants; null for all others, which the compiled kernel does not depend on.
bool constants_json(const ArgumentType& type, const program::Value& value, Json& out) {
  if (type.constant()) {
    out = Json::parse(program::to_json(value));
  } else if (type.tuple) {
    const auto* list = value.get_if<program::Value::List>();
    if (list == nullptr || list->size() != type.items.size()) return false;
    out = Json::array();
    for (std::size_t i = 0; i < list->size(); ++i) {
      out.emplace_back();
      if (!constants_json(type.items[i], (*list)[i], out.back())) return false;
    }
  }
  return true;
}

}  // namespace

int ArgumentType::descriptor_dimensions() const {
  if (tuple || !text.starts_with(kDescriptor)) return 0;
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return 0;
  return 1 + static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(open),
                                         text.begin() + static_cast<std::ptrdiff_t>(close), ','));
}

std::string ArgumentType::descriptor_element() const {
  return text.substr(kDescriptor.size(), text.find('[') - kDescriptor.size());
}

base::Result<ArgumentType> read_argument_type(std::string_view text) {
  ArgumentType out;
  if (text.size() > kMaxTypeBytes || !read_type(text, 0, out)) {
    return base::Failure{"\"" + std::string(text.substr(0, 100)) + "\" is no type of a kernel argument"};
  }
  return out;
}

base::Result<std::vector<KernelParameter>> parameters_of(const program::LaunchVariant& variant,
                                                         const DescriptorForm& form) {
  ParameterList list(form);
  for (const program::LaunchArgument& argument : variant.arguments) {
    const base::Result<ArgumentType> type = read_argument_type(argument.type);
    if (!type.ok()) return base::Failure{"argument " + argument.name + ": " + type.error()};
    list.add(type.value());
    list.next_argument();
  }
  return list.take();
}

base::Result<base::Json> arguments_json(const program::LaunchVariant& variant) {
  Json out = Json::array();
  for (const program::LaunchArgument& argument : variant.arguments) {
    const base::Result<ArgumentType> type = read_argument_type(argument.type);
    if (!type.ok()) return base::Failure{"argument " + argument.name + ": " + type.error()};
    Json one = {{"name", argument.name}, {"type", type_json(type.value())}};
    Json constants;
    if (!constants_json(type.value(), argument.value, constants)) {
      return base::Failure{"argument " + argument.name + ": its value is not of type " + argument.type};
    }
    if (type.value().constant() || type.value().tuple) one["value"] = std::move(constants);
    if (argument.aligned) one["aligned"] = true;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace tritonrl::python
