#include "runner/request_wire.h"

#include <algorithm>
#include <memory>

#include "program/program_json.h"
#include "runner/structure_tensors.h"
#include "runner/wire_parts.h"

namespace tritonrl::runner {
namespace {

using Json = nlohmann::json;
using program::Program;

// One list of plain fields for both directions.
template <class Object, class Visit>
void visit_fields(Object& request, Visit&& visit) {
  visit("partial", request.partial);
  visit("seed", request.seed);
  visit("garbage_seed", request.garbage_seed);
  visit("forwards", request.forwards);
  visit("keep_state", request.keep_state);
  visit("check_answers", request.check_answers);
  visit("want_inputs", request.want_inputs);
  visit("want_outputs", request.want_outputs);
  visit("want_state", request.want_state);
  visit("oracle", request.oracle);
  visit("sample", request.sample);
  visit("threads", request.threads);
  visit("wall_ms", request.wall_ms);
  visit("memory_bytes", request.memory_bytes);
}

Json to_json(const Alone& alone) {
  return {
      {"at", to_json(alone.at)}, {"fill", static_cast<int>(alone.fill)}, {"scale", alone.scale}, {"seed", alone.seed}};
}

Alone alone_from_json(const Json& json) {
  const int fill = std::clamp(json.at("fill").get<int>(), 0, static_cast<int>(Alone::Fill::kNan));
  return {.at = place_from_json(json.at("at")),
          .fill = static_cast<Alone::Fill>(fill),
          .scale = json.at("scale").get<double>(),
          .seed = json.at("seed").get<std::uint64_t>()};
}

Json to_json(const program::Question& question) {
  Json about = Json::array();
  for (const program::TensorRef tensor : question.about) about.push_back(tensor.index);
  return {{"kind", static_cast<int>(question.kind)}, {"about", std::move(about)}, {"op", question.op}};
}

program::Question question_from_json(const Json& json) {
  program::Question out;
  const int kind = std::clamp(json.at("kind").get<int>(), 0, static_cast<int>(program::Question::Kind::kEqual));
  out.kind = static_cast<program::Question::Kind>(kind);
  for (const Json& index : json.at("about")) out.about.push_back({index.get<int>()});
  json.at("op").get_to(out.op);
  return out;
}

// Takes the blobs one after the other.
class Blobs {
 public:
  explicit Blobs(std::vector<std::string> blobs) : blobs_(std::move(blobs)) {}
  std::string next() {
    if (taken_ == blobs_.size()) throw Json::other_error::create(501, "too few blobs", nullptr);
    return std::move(blobs_[taken_++]);
  }

 private:
  std::vector<std::string> blobs_;
  std::size_t taken_ = 0;
};

template <class Object, class Visit>
void visit_code(Object& code, Visit&& visit) {
  visit("entry", code.entry);
  visit("types", code.types);
  visit("num_warps", code.num_warps);
  visit("num_ctas", code.num_ctas);
  visit("shared_bytes", code.shared_bytes);
  visit("scratch_bytes", code.scratch_bytes);
  visit("scratch_align", code.scratch_align);
  visit("cooperative", code.cooperative);
}

std::vector<KernelImage> read_images(const Json& images, Blobs& blobs) {
  std::vector<KernelImage> out;
  for (const Json& image : images) {
    out.push_back({.ir = blobs.next(),
                   .parameters = image.at("parameters").get<std::vector<int>>(),
                   .source_file = image.at("source_file").get<std::string>()});
    if (!image.contains("code")) continue;
    MachineCode& code = out.back().code.emplace();
    code.cubin = blobs.next();
    visit_code(code, [&](const char* name, auto& value) { image["code"].at(name).get_to(value); });
  }
  return out;
}

// All but program and images.
void read_into(RunRequest& request, const Json& header, Blobs& blobs) {
  visit_fields(request, [&](const char* name, auto& value) { header.at(name).get_to(value); });
  request.machine = machine_options_from_json(header.at("machine"));
  for (const Json& one : header.at("launches")) {
    request.launches.push_back({place_from_json(one.at(0)), one.at(1).get<int>(), one.at(2).get<int>()});
  }
  for (const Json& one : header.at("drawn")) {
    request.drawn.push_back({one.at(0).get<int>(), {.tensor = {one.at(1).get<int>()}, .bytes = blobs.next()}});
  }
  for (const Json& index : header.at("state")) {
    request.state.push_back({.tensor = {index.get<int>()}, .bytes = blobs.next()});
  }
  for (const Json& one : header.at("inputs")) {
    GivenInputs& inputs = request.inputs.emplace_back();
    inputs.forward = one.at(0).get<int>();
    for (std::size_t left = one.at(1).get<std::size_t>(); left > 0; --left) inputs.tensors.push_back(blobs.next());
  }
  for (const Json& place : header.at("silenced")) request.silenced.push_back(place_from_json(place));
  if (header.contains("alone")) request.alone = alone_from_json(header["alone"]);
  if (header.contains("question")) request.question = question_from_json(header["question"]);
}

const program::Step* step_at(const Program& program, const StepPlace& at) {
  const auto* steps = steps_of(program, at.section, at.forward);
  if (steps == nullptr || at.step < 0 || static_cast<std::size_t>(at.step) >= steps->size()) return nullptr;
  return &(*steps)[static_cast<std::size_t>(at.step)];
}

template <class T>
bool inside(int index, const std::vector<T>& items) {
  return index >= 0 && static_cast<std::size_t>(index) < items.size();
}

bool is_launch(const program::Step* step) {
  return step != nullptr && std::holds_alternative<program::Launch>(*step);
}

bool has_length_of(const std::string& bytes, const program::Tensor& tensor) {
  return static_cast<std::int64_t>(bytes.size()) == tensor.numel() * program::size_of(tensor.dtype);
}

std::optional<std::string> fault_of_contents(const Program& program, const GivenTensor& given) {
  if (!inside(given.tensor.index, program.tensors)) return "contents are given for a tensor that does not exist";
  if (!has_length_of(given.bytes, program.tensors[static_cast<std::size_t>(given.tensor.index)])) {
    return "contents are given in another length than their tensor has";
  }
  return std::nullopt;
}

std::optional<std::string> fault_of_inputs(const Program& program, const GivenInputs& inputs) {
  if (!inside(inputs.forward, program.forwards)) return "inputs are given for a forward that does not exist";
  const auto refs = tensors_of(program.forwards[static_cast<std::size_t>(inputs.forward)].inputs);
  if (refs.size() != inputs.tensors.size()) return "another number of inputs is given than the forward has";
  for (std::size_t i = 0; i < refs.size(); ++i) {
    if (!has_length_of(inputs.tensors[i], program.tensors[static_cast<std::size_t>(refs[i].index)])) {
      return "input " + std::to_string(i) + " is given in another length";
    }
  }
  return std::nullopt;
}

}  // namespace

const std::vector<program::Step>* steps_of(const Program& program, Section section, int forward) {
  if (section == Section::kInitialise) return &program.initialise;
  if (!inside(forward, program.forwards)) return nullptr;
  const program::Forward& one = program.forwards[static_cast<std::size_t>(forward)];
  return section == Section::kInputs ? &one.make_inputs : &one.steps;
}

std::optional<std::string> find_fault(const RunRequest& request) {
  const Program& program = *request.program;
  for (const LaunchChoice& choice : request.launches) {
    const program::Step* step = step_at(program, choice.at);
    if (!is_launch(step)) return "an image is given for a step that is no launch";
    if (!inside(choice.variant, std::get<program::Launch>(*step).variants)) return "a launch has no such variant";
    if (!inside(choice.image, request.images)) return "a launch names an image that is not given";
  }
  for (const int forward : request.forwards) {
    if (!inside(forward, program.forwards)) return "there is no forward " + std::to_string(forward);
  }
  for (const DrawnTensor& drawn : request.drawn) {
    if (!inside(drawn.step, program.initialise)) return "contents are given after a step that initialise does not have";
    if (auto fault = fault_of_contents(program, drawn.given)) return fault;
  }
  for (const GivenTensor& given : request.state) {
    if (auto fault = fault_of_contents(program, given)) return fault;
  }
  for (const GivenInputs& inputs : request.inputs) {
    if (auto fault = fault_of_inputs(program, inputs)) return fault;
  }
  if (request.alone && !is_launch(step_at(program, request.alone->at))) return "the step to run alone is no launch";
  if (request.question) {
    if (request.question->about.empty()) return "a question about nothing";
    for (const program::TensorRef ref : request.question->about) {
      if (!inside(ref.index, program.tensors)) return "a question about a tensor that does not exist";
    }
    if (request.question->kind == program::Question::Kind::kEqual && request.question->about.size() < 2) {
      return "a comparison of one tensor";
    }
  }
  if (request.oracle) {
    if (request.sample > 0 || request.alone || request.question) return "an oracle that is asked for something else";
    if (request.keep_state && request.forwards.size() > 1) return "an oracle that is to keep its state";
  }
  if (request.threads < 1 || request.threads > 1024) return "a number of threads outside 1 to 1024";
  return std::nullopt;
}

MessageView to_message(const RunRequest& request, const RunRequest* previous, std::string* text) {
  const bool same_program =
      previous != nullptr && previous->program == request.program && previous->partial == request.partial;
  const bool same_images = same_program && previous->images == request.images;
  MessageView out;
  Json& header = out.header;
  visit_fields(request, [&](const char* name, const auto& value) { header[name] = value; });
  header["machine"] = to_json(request.machine);
  for (const char* list : {"launches", "drawn", "state", "inputs", "silenced"}) header[list] = Json::array();
  header["same_program"] = same_program;
  if (!same_program) {
    *text = program::to_json(*request.program);
    out.blobs.emplace_back(*text);
  }
  if (!same_images) {
    header["images"] = Json::array();
    for (const KernelImage& image : request.images) {
      header["images"].push_back({{"parameters", image.parameters}, {"source_file", image.source_file}});
      out.blobs.emplace_back(image.ir);
      if (!image.code) continue;
      Json& code = header["images"].back()["code"];
      visit_code(*image.code, [&](const char* name, const auto& value) { code[name] = value; });
      out.blobs.emplace_back(image.code->cubin);
    }
  }
  for (const LaunchChoice& choice : request.launches) {
    header["launches"].push_back({to_json(choice.at), choice.variant, choice.image});
  }
  for (const DrawnTensor& drawn : request.drawn) {
    header["drawn"].push_back({drawn.step, drawn.given.tensor.index});
    out.blobs.emplace_back(drawn.given.bytes);
  }
  for (const GivenTensor& given : request.state) {
    header["state"].push_back(given.tensor.index);
    out.blobs.emplace_back(given.bytes);
  }
  for (const GivenInputs& inputs : request.inputs) {
    header["inputs"].push_back({inputs.forward, inputs.tensors.size()});
    for (const std::string& bytes : inputs.tensors) out.blobs.emplace_back(bytes);
  }
  for (const StepPlace& place : request.silenced) header["silenced"].push_back(to_json(place));
  if (request.alone) header["alone"] = to_json(*request.alone);
  if (request.question) header["question"] = to_json(*request.question);
  return out;
}

base::Result<const RunRequest*> RequestReader::next(Message message) {
  std::unique_ptr<Program> program = std::move(program_);  // back in its place once all is read
  std::vector<KernelImage> images = std::move(request_.images);
  request_ = {};
  try {
    Blobs blobs(std::move(message.blobs));
    const Json& header = message.header;
    if (!header.at("same_program").get<bool>()) {
      base::Result<Program> read = program::read_program(blobs.next(), {.partial = header.at("partial").get<bool>()});
      if (!read.ok()) return base::Failure{"the program is not valid: " + read.error()};
      program = std::make_unique<Program>(std::move(read).value());
    }
    if (!program) return base::Failure{"there is no program before this one"};
    if (header.contains("images")) images = read_images(header["images"], blobs);
    read_into(request_, header, blobs);
  } catch (const Json::exception& error) {
    return base::Failure{std::string("the request is malformed: ") + error.what()};
  }
  request_.program = program.get();
  request_.images = std::move(images);
  if (const auto fault = find_fault(request_)) return base::Failure{*fault};
  program_ = std::move(program);
  return &request_;
}

}  // namespace tritonrl::runner
