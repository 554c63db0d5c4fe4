#pragma once

#include <string>
#include <vector>

namespace tritonrl::teacher {

// Modules that together construct and call the layers of torch.nn that inference describes, with arguments of their
// own.
std::vector<std::string> every_layer_modules();

}  // namespace tritonrl::teacher
