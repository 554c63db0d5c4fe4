#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "teacher/typing/layer_classes.h"
#include "teacher/typing/value_facts.h"

// What fact_rules.cpp asks, each answered in the file that is named.
namespace tritonrl::teacher {

// layer_attributes.cpp: what `layer` has after its constructor was called with these arguments: the attributes,
// parameters and buffers that torch gives it, under torch's names. What depends on an unknown argument is an unknown
// value.
void set_layer_attributes(abstract::Object* object, const LayerClass& layer, const abstract::Arguments& arguments,
                          ValueFacts* values);

// layer_results.cpp: what calling a module of torch.nn gives that no operator of the table stands for: recurrent layers
// and cells, attention, whole transformer layers. None: not known.
std::optional<abstract::Value> layer_result(const abstract::Object& object, const abstract::Arguments& arguments,
                                            ValueFacts* values);

// made_tensors.cpp: tensors that old spellings make, which the operator table does not describe: torch.Tensor(3, 4),
// torch.FloatTensor([1.0]), torch.normal(0, 1, size=(2, 3)). None: it is another function.
std::optional<abstract::Value> made_tensor(std::string_view path, const abstract::Arguments& arguments,
                                           ValueFacts* values);

// tensor_questions.cpp: x.shape, x.ndim, x.dtype, x.T: what a tensor of known type says of itself. None: not known.
std::optional<abstract::Value> tensor_attribute(const abstract::TensorType& type, std::string_view name,
                                                ValueFacts* values);

// x.size(0), x.numel(), x.item(), and methods that leave the type as it is (x.contiguous(), x.normal_()). None: it is
// for the operator table to say.
std::optional<abstract::Value> tensor_question(const abstract::Value& tensor, std::string_view name,
                                               const abstract::Arguments& arguments, ValueFacts* values);

// number_functions.cpp: math.sqrt(2), numpy.prod([2, 3]): functions of numbers, exactly. None: another function, or
// arguments that are not known.
std::optional<abstract::Value> number_function(std::string_view path, const abstract::Arguments& arguments);

// What a name stands for: "math.pi", "torch.finfo(float32).min" (what `finfo_of` gives, and an attribute).
std::optional<abstract::Value> number_name(std::string_view path);
// The name of torch.finfo(dtype) and torch.iinfo(dtype).
std::optional<std::string> limits_of(std::string_view path, const abstract::Arguments& arguments);

// index_type.cpp: the type of x[index]: numbers, slices, None, `...`, lists and tensors of numbers, one or several.
// None: not known, or as many elements as a mask has (abstract/tensor_rules.h says how slices are given).
std::optional<abstract::TensorType> index_type(const abstract::TensorType& tensor, const abstract::Value& index);

}  // namespace tritonrl::teacher
