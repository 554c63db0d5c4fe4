#include "teacher/families/idioms.h"

#include <algorithm>
#include <array>

namespace tritonrl::teacher {

namespace {

// Sorted. Each has near relatives in training (logsigmoid for softplus, SiLU gates for GLU), so that they can be
// understood, not only guessed.
constexpr std::array<std::string_view, 27> kHeldOut = {
    "form:activation_in_dict",
    "form:conditional_expression",
    "form:lambda_helper",
    "form:nested_function",
    "operator:celu",
    "operator:cosh",
    "operator:erfc",
    "operator:hypot",
    "operator:log10",
    "operator:logaddexp",
    "operator:smooth_l1_loss",
    "operator:softshrink",
    "operator:tanhshrink",
    "spelling:addcmul",
    "spelling:clip",
    "spelling:input_keyword",
    "spelling:method_clamp_min",
    "spelling:nn_functional_path",
    "spelling:true_divide",
    "template:capsule_squash",
    "template:damped_oscillator",
    "template:dueling_head",
    "template:film_image",
    "template:gru_cell",
    "template:infonce",
    "template:tone_mapping",
    "template:tversky_loss",
};

}  // namespace

std::span<const std::string_view> held_out_idioms() {
  return kHeldOut;
}

bool is_held_out(std::string_view idiom) {
  return std::binary_search(kHeldOut.begin(), kHeldOut.end(), idiom);
}

int IdiomUse::weight(std::string_view idiom, int usual) const {
  if (!is_held_out(idiom)) return usual;
  return wanted_.of(idiom) ? 4 * usual : 0;
}

void IdiomUse::note(std::string_view idiom) {
  if (std::find(names_.begin(), names_.end(), idiom) != names_.end()) return;
  if (is_held_out(idiom)) (idiom.starts_with("operator:") ? used_.operators : used_.idioms) = true;
  names_.emplace_back(idiom);
}

}  // namespace tritonrl::teacher
