#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/fields.h"

namespace tritonrl::text {

// How a model is asked for a kernel.
enum class PromptForm {
  kFull,   // an instruction in words, the module, what the answer must be: for models that were trained on chats
  kShort,  // the normalised module and nothing else: for small models that know one task
  kPlan,   // kFull, and the answer begins with a plan in comments: its tokens can be rewarded apart
};
std::span<const char* const> enum_names(PromptForm);
std::string to_string(PromptForm form);  // "full"

struct PromptOptions {
  PromptForm form = PromptForm::kFull;
  bool one_shot = false;  // an example of a module and its answer goes before; not in kShort

  void fields(base::FieldVisitor& field) {
    field("form", form,
          {.help = "full: an instruction; short: the normalised module alone; plan: a plan before the code",
           .option = "prompt"});
    field("one_shot", one_shot, {.help = "an example goes before the module (not with short)"});
  }
};

// A module as it is shown to a model.
struct PromptModule {
  std::string_view code;         // Python as its author wrote it
  std::string_view normal;       // the same by Python's own unparse; empty where it does not parse: `code` stands in
  std::string_view entry_point;  // the class; empty: `Model`
};

// The whole user message.
std::string prompt(const PromptModule& module, const PromptOptions& options);

// The answer that a model is trained to give: `code` in a fence, or alone in kShort. `plan`: comment lines that kPlan
// puts before it, inside the fence.
std::string answer(std::string_view code, PromptForm form, std::string_view plan = {});

}  // namespace tritonrl::text
