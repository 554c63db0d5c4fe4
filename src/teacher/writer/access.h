#pragma once

#include <string>

#include "teacher/graph/graph.h"

namespace tritonrl::teacher {

// Where an operand's element lies, told from the offset of the result's element.
struct Access {
  enum class Kind : std::uint8_t {
    kSame,    // o
    kOne,     // there is only one
    kLead,    // o // step
    kTrail,   // o % size
    kMiddle,  // o // step % size
    kExpand,  // none of these: it is copied to the full shape
  };
  Kind kind = Kind::kSame;
  int last = 0;  // the last dimension of the full shape that it has
};

// `aligned`: the operand's shape, its dimensions against the last of `full`.
Access access_of(const Shape& aligned, const Shape& full);
// The operand's shape against the full one: along dimension 1 where it is one a channel.
Shape aligned_shape(const Leaf& leaf, const Shape& full);

// "bias_ptr + o // bias_step % bias_size"
std::string place_text(const Access& access, const std::string& name, const std::string& offset);
bool has_step(const Access& access);
bool has_size(const Access& access);

}  // namespace tritonrl::teacher
