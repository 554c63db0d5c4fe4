#include "optimize/subject.h"

#include <algorithm>
#include <array>

#include "abstract/forward_operators.h"
#include "base/error.h"
#include "base/files.h"
#include "data/prepare/module_cutter.h"
#include "optimize/eval_mode.h"
#include "optimize/module_place.h"
#include "python/input_trials.h"
#include "syntax/parse.h"
#include "syntax/unparse.h"
#include "text/chars.h"
#include "text/tokenizer/utf8.h"

namespace tritonrl::optimize {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr const char* kImports = "\nimport torch\nimport torch.nn as nn\n";

// A Python text that was read, with its tree.
struct ReadText {
  python::ParsedSource parsed;
  const syntax::SyntaxNode& root() const { return parsed.tree->root(); }
};

ReadText read_text(const std::string& text, const std::string& name, python::SyntaxReader& reader) {
  const std::array<std::string_view, 1> texts = {text};
  ReadText out{std::move(reader.parse(texts)[0])};
  if (!out.parsed.tree) {
    throw base::UserError("optimize", name + (out.parsed.line > 0 ? ":" + std::to_string(out.parsed.line) : "") +
                                          ": is no Python that can be read: " + out.parsed.error);
  }
  return out;
}

// The text without functions of these names at its top.
std::string without_functions(const syntax::SyntaxNode& module, const std::vector<std::string_view>& names) {
  syntax::SyntaxArena arena;
  std::vector<const syntax::SyntaxNode*> kept;
  for (const syntax::SyntaxNode* statement : module.nodes("body")) {
    const bool dropped =
        statement->is("FunctionDef") && std::find(names.begin(), names.end(), statement->text("name")) != names.end();
    if (!dropped) kept.push_back(statement);
  }
  return syntax::unparse(*arena.module(std::move(kept)));
}

// Constructor arguments as get_init_inputs() gives them: [[positional], {named}].
std::string init_text_of(const std::string& init) {
  const auto refuse = [&](const std::string& problem) {
    throw base::UserError("optimize", "--init '" + init + "': " + problem +
                                          "; write constructor arguments as in a call: --init '64, heads=4'");
  };
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse("f(" + init + ")\n", arena);
  if (parsed.module == nullptr) refuse(parsed.error);
  const auto& body = parsed.module->nodes("body");
  const syntax::SyntaxNode* call = body.size() == 1 && body[0]->is("Expr") ? body[0]->node("value") : nullptr;
  if (call == nullptr || !call->is("Call") || !call->node("func")->is("Name")) refuse("is no list of arguments");
  std::string positional, named;
  for (const syntax::SyntaxNode* argument : call->nodes("args"))
    positional += (positional.empty() ? "" : ", ") + syntax::unparse(*argument);
  for (const syntax::SyntaxNode* keyword : call->nodes("keywords")) {
    if (keyword->text("arg").empty()) refuse("** has no place here");
    named += (named.empty() ? "" : ", ") + ("'" + std::string(keyword->text("arg"))) +
             "': " + syntax::unparse(*keyword->node("value"));
  }
  return "\n\ndef get_init_inputs():\n    return [[" + positional + "], {" + named + "}]\n";
}

std::string names_of(const std::vector<data::CutClass>& classes) {
  std::string out;
  for (const data::CutClass& one : classes) out += (out.empty() ? "" : ", ") + one.name;
  return out;
}

// The class alone where it can be cut out, else the whole file.
void take_class(const data::CutFile& cut, const ModulePlace& place, const std::string& text, Subject& out,
                std::string& doubt) {
  const std::string file = place.file.string();
  if (cut.classes.empty())
    throw base::UserError("optimize", file +
                                          ": defines no class that derives from nn.Module and has a forward; name "
                                          "the file that does");
  const data::CutClass* chosen = &cut.classes.back();
  for (const data::CutClass& one : cut.classes) {
    if (place.cls.empty() ? one.name == "Model" : one.name == place.cls) chosen = &one;
  }
  if (!place.cls.empty() && chosen->name != place.cls)
    throw base::UserError("optimize",
                          file + ": defines no module class " + place.cls + "; it has " + names_of(cut.classes));
  out.entry_point = chosen->name;
  out.source = chosen->code.empty() ? text : chosen->code;
  if (chosen->code.empty()) doubt = chosen->problem;
}

struct Found {
  bool inputs = false, init = false;  // the source has them
};

// Those that the options speak of: what the file defines by them comes along, such as the class of a configuration.
std::vector<std::string> names_in(const SubjectRequest& request) {
  std::vector<std::string> out;
  std::vector<std::string> texts = {request.init};
  for (const std::string& input : request.inputs) {
    if (input.starts_with('=')) texts.push_back(input);
  }
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view word = text::leading_word(std::string_view(text).substr(at));
      if (!word.empty()) out.emplace_back(word);
      at += std::max<std::size_t>(word.size(), 1);
    }
  }
  return out;
}

// Definitions that the user gave take the place of the file's own.
Found take_file(const syntax::SyntaxNode& module, const ModulePlace& place, const std::string& text,
                const SubjectRequest& request, Subject& out) {
  const abstract::ForwardOperators told = abstract::forward_operators(module, place.cls);
  out.entry_point = place.cls.empty() ? told.entry_point : place.cls;
  if (out.entry_point.empty())
    throw base::UserError("optimize", place.file.string() + ": defines no class Model(nn.Module); name the class: " +
                                          place.file.string() + ":Class");
  std::vector<std::string_view> given;
  if (!request.inputs.empty()) given.push_back("get_inputs");
  if (!request.init.empty()) given.push_back("get_init_inputs");
  out.source = given.empty() ? text : without_functions(module, given);
  return {.inputs = request.inputs.empty(), .init = told.has_init_inputs && request.init.empty()};
}

// One line of what a run of its own said, with what the user can do.
std::string trial_advice(const SubjectRequest& request, const std::string& doubt) {
  std::string out = request.inputs.empty()
                        ? "say what it is called with: --input 'f32[8,1024]' (one for each argument of forward)"
                        : "check --input";
  if (request.init.empty()) out += ", and what it is made with: --init '64, heads=4'";
  if (!doubt.empty()) out += "; its class could not be taken alone, since it " + doubt;
  return out;
}

// "return [torch.rand([4, 64])]" of get_inputs
std::string shown_inputs_of(const std::string& text) {
  const std::size_t begin = text.find("def get_inputs():\n    return ");
  if (begin == std::string::npos) return "";
  const std::size_t from = text.find("return ", begin) + 7;
  return text.substr(from, text.find('\n', from) - from);
}

}  // namespace

record::Task Subject::task(const Sizes& sizes) const {
  std::string text = source;
  if (!text.ends_with('\n')) text += '\n';
  text += init_text;
  if (!inputs.empty()) text += "\n\n" + inputs_text(inputs, sizes);
  return {.id = entry_point, .source = std::move(text), .entry_point = entry_point};
}

Subject find_subject(const SubjectRequest& request, SubjectTools& tools) {
  Subject out;
  out.place = request.place;
  out.inputs = parse_inputs(request.inputs);
  const std::string init = request.init.empty() ? "" : init_text_of(request.init);
  const ModulePlace place = find_place(request.place, tools.python_paths);
  const std::string text = base::read_file(place.file, kMostBytes), name = place.file.string();
  if (!text::is_valid_utf8(text)) throw base::UserError("optimize", name + ": is no UTF-8 text");
  const ReadText read = read_text(text, name, *tools.reader);

  Found found;
  std::string doubt;
  const bool is_task = abstract::forward_operators(read.root(), place.cls).has_inputs;
  if (is_task) {
    found = take_file(read.root(), place, text, request, out);
  } else {
    data::ModuleCutter cutter(std::move(tools.reader), place.root, place.package, {}, kMostBytes);
    const data::CutFile cut = cutter.cut(place.file, names_in(request));
    for (const data::CutClass& one : cut.classes) out.classes.push_back(one.name);
    take_class(cut, place, text, out, doubt);
  }
  if (request.eval) out.source = in_eval_mode(out.source, out.entry_point);
  out.mode = request.eval ? "evaluation" : "training";
  // What was cut out has the imports of get_inputs already.
  if (is_task || !doubt.empty()) out.init_text = kImports;
  out.init_text += init;
  out.inputs_from = found.inputs ? kOfTheFile : kGiven;
  if (found.inputs && init.empty()) out.init_text.clear();
  const bool has_inputs = found.inputs || !out.inputs.empty(), has_init = found.init || !init.empty();
  // A file that is a task needs no get_init_inputs where its constructor takes nothing.
  if (has_inputs && (has_init || found.inputs)) return out;

  python::InputTrials trials(tools.recorder(), *tools.target);
  const python::TriedInputs tried = trials.find(out.task({}), /*larger=*/true);
  if (tried.text.empty()) {
    throw base::UserError("optimize", name + ":" + out.entry_point + ": no " +
                                          (has_inputs ? "constructor arguments" : "inputs") + " were found by trial (" +
                                          tried.message + "); " + trial_advice(request, doubt));
  }
  out.init_text += tried.text;
  if (!has_inputs) out.inputs_from = kFoundByTrial;
  out.shown_inputs = shown_inputs_of(tried.text);
  return out;
}

}  // namespace tritonrl::optimize
