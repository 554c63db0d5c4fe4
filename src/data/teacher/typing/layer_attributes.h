#pragma once

#include "data/teacher/typing/layer_classes.h"
#include "data/teacher/typing/value_facts.h"

namespace tritonrl::data::teacher {

// What `layer` has after its constructor was called with these arguments: the attributes, parameters and buffers that
// torch gives it, under torch's names. What depends on an unknown argument is an unknown value.
void set_layer_attributes(Object* object, const LayerClass& layer, const Arguments& arguments, ValueFacts* values);

}  // namespace tritonrl::data::teacher
