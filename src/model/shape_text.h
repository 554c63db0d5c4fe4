#pragma once

#include <c10/util/ArrayRef.h>

#include <string>

namespace tritonrl::model {

// "[2, 3]", for messages.
inline std::string shape_text(c10::IntArrayRef shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

}  // namespace tritonrl::model
