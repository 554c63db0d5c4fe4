// Writes the kernels of operators that a Python script describes: one line of JSON in, one out.
//   {"op": "conv2d", "variant": "canonical", "arguments": [{"parameter": "input", "name": "x", "fact": {"shape": [1, 3,
//   8, 8], "dtype": "float32"}}, {"parameter": "stride", "name": "stride", "fact": [1, 1]}, ...]}
#include <iostream>
#include <string>

#include "base/json.h"
#include "teacher/kernels/source_kernel.h"

namespace tritonrl::teacher {
namespace {

using json = base::Json;

Fact read_fact(const json& value) {
  if (value.is_null()) return Fact::none();
  if (value.is_boolean()) return Fact::truth(value.get<bool>());
  if (value.is_number_integer()) return Fact::whole(value.get<std::int64_t>());
  if (value.is_number()) return Fact::real(value.get<double>());
  if (value.is_string()) return Fact::words(value.get<std::string>());
  if (value.is_object()) {
    return Fact::tensor(program::dtype_from_string(value.at("dtype").get<std::string>()).value(),
                        value.at("shape").get<Shape>());
  }
  std::vector<Fact> items;
  for (const json& item : value) items.push_back(read_fact(item));
  return Fact::list(std::move(items));
}

json pairs_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  json out = json::array();
  for (const auto& [name, text] : pairs) out.push_back(json::array({name, text}));
  return out;
}

json answer(const json& request) {
  const auto name = request.at("op").get<std::string>();
  Operator op;
  op.name = name;
  Bound bound;
  bound.op = &op;
  std::vector<NamedArgument> named;
  for (const json& argument : request.at("arguments")) {
    const std::string_view parameter = argument.at("parameter").text();
    Bound::Argument& bound_to = bound.arguments.emplace_back();
    bound_to.parameter = parameter;
    bound_to.fact = read_fact(argument.at("fact"));
    const json& names = argument.at("name");  // of "*operands" a list
    if (names.is_string()) named.push_back({parameter, names.get<std::string>()});
    for (const json& one : names.is_array() ? names : json::array())
      named.push_back({parameter, one.get<std::string>()});
  }
  const Variant variant = request.at("variant") == "fast" ? Variant::kFast : Variant::kCanonical;
  const std::optional<SourceKernel> kernel = source_kernel(bound, named, variant);
  if (!kernel) return nullptr;
  json parameters = json::array();
  for (const std::string_view parameter : source_parameters(bound)) parameters.push_back(std::string(parameter));
  return {{"parameters", parameters},
          {"operands", kernel->operands},
          {"arguments", pairs_of(kernel->arguments)},
          {"constants", pairs_of(kernel->constants)},
          {"kernel", kernel->kernel},
          {"host", kernel->host},
          {"shape", kernel->shape},
          {"grid", kernel->grid},
          {"options", kernel->taken.launch_options()}};
}

}  // namespace
}  // namespace tritonrl::teacher

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << tritonrl::teacher::answer(tritonrl::base::Json::parse(line)).dump() << std::endl;
  }
}
