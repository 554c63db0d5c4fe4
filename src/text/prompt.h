#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// What the prompt tells of the module's values, in comments behind it: what its text does not show.
enum class PromptFacts {
  kNone,
  kLeaves,  // of inputs and attributes: shape and type, or that it is a number, a flag, None
  kValues,  // and of the tensors that forward computes on the way
};
std::span<const char* const> enum_names(PromptFacts);

// Under which names the module is shown, and so answered.
enum class PromptNames {
  kSource,   // its own
  kCounted,  // attr1, var1; what an answer takes over as it is is left out of it: nothing to copy. Both are filled in
};
std::span<const char* const> enum_names(PromptNames);

// What the model's answer is.
enum class PromptAct {
  kCode,  // the file itself
  kPlan,  // which operators are one kernel and how its programs share the work (teacher/plan/plan.h): the teacher
          // writes the file
};
std::span<const char* const> enum_names(PromptAct);

struct PromptOptions {
  PromptForm form = PromptForm::kFull;
  PromptFacts facts = PromptFacts::kNone;
  PromptNames names = PromptNames::kSource;
  bool one_shot = false;  // an example of a module and its answer goes before; not in kShort, nor for plans
  PromptAct act = PromptAct::kCode;

  void fields(base::FieldVisitor& field) {
    field("form", form,
          {.help = "full: an instruction; short: the normalised module alone; plan: a plan before the code",
           .option = "prompt"});
    field("facts", facts,
          {.help = "comments behind the module: leaves: what inputs and attributes are (shape, float, None); values: "
                   "and the shapes of what is computed",
           .option = "facts"});
    field(
        "names", names,
        {.help = "source: the module's own; counted: attr1, var1, and answers leave out what they take over as it is: "
                 "a small model need not copy; both are filled in afterwards",
         .option = "names"});
    field("one_shot", one_shot, {.help = "an example goes before the module (not with short, nor for plans)"});
    field("act", act,
          {.help = "code: the model answers with the file; plan: with regions and their schedules, from which the "
                   "teacher writes it",
           .presence = base::Presence::kMayLack});
  }
};

// What is known of a value of the module.
struct LeafFact {
  std::string function;   // where it is met: "Block.forward"; empty: in the forward that is asked for
  std::string name;       // as the text has it: "x", "self.scale", "self.conv(x)"
  bool computed = false;  // of a value in between, not of an input or attribute
  enum class Kind { kTensor, kInt, kFloat, kBool, kText, kNone, kList, kModule } kind = Kind::kTensor;
  std::string type;                 // kTensor: "float32"; kModule: its class, "Conv2d"
  std::vector<std::int64_t> shape;  // kTensor
  std::string value;                // kInt, kBool, kText, kList: as Python writes it; empty: it changes
  // kModule: what its class does not tell: "bias=None", "narrow groups", "stride=tuple"
  std::vector<std::string> notes;
};

// A module as it is shown to a model.
struct PromptModule {
  std::string_view code;         // Python as its author wrote it
  std::string_view normal;       // the same by Python's own unparse; empty where it does not parse: `code` stands in
  std::string_view entry_point;  // the class; empty: `Model`
  std::span<const LeafFact> facts = {};  // in the order of the text; shown as PromptOptions::facts says
  bool strict = false;                   // all arithmetic is wanted in kernels (the judge's policy of that name)
};

// What contradicts itself, for a person; empty: nothing.
std::string contradiction(const PromptOptions& options);

// The whole user message.
std::string prompt(const PromptModule& module, const PromptOptions& options);

// The answer that a model is trained to give: `code` in a fence, or alone in kShort. `plan`: comment lines that kPlan
// puts before it, inside the fence.
std::string answer(std::string_view code, PromptForm form, std::string_view plan = {});

}  // namespace tritonrl::text
