#pragma once

#include <string_view>

#include "abstract/abstract_value.h"

namespace tritonrl::abstract {

// Of "torch.nn.modules.conv.Conv2d": "Conv2d".
inline std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

// A class of torch.nn, wherever torch keeps it.
bool is_torch_layer(std::string_view path);
// What calling an instance of this class computes; null: the table does not know.
const OperatorName* layer_of(std::string_view path);
Container container_of(std::string_view path);

}  // namespace tritonrl::abstract
