#pragma once

#include "teacher/typing/layer_classes.h"
#include "teacher/typing/value_facts.h"

namespace tritonrl::teacher {

// What `layer` has after its constructor was called with these arguments: the attributes, parameters and buffers that
// torch gives it, under torch's names. What depends on an unknown argument is an unknown value.
void set_layer_attributes(abstract::Object* object, const LayerClass& layer, const abstract::Arguments& arguments,
                          ValueFacts* values);

}  // namespace tritonrl::teacher
