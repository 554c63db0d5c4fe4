#include "runner/request_wire.h"

#include <algorithm>
#include <memory>

#include "base/fields.h"
#include "program/program_json.h"
#include "runner/structure_tensors.h"

namespace tritonrl::runner {
namespace {

using base::Json;
using program::Program;

// What of a question is sent; its answer is asked for.
struct AskedQuestion {
  int kind = 0;
  std::vector<int> about;
  std::string op;
  void fields(base::FieldVisitor& field) {
    field("kind", kind, {.least = 0, .most = static_cast<double>(program::Question::Kind::kEqual)});
    TRL_FIELDS(field, about, op);
  }
};

AskedQuestion asked(const program::Question& question) {
  AskedQuestion out{.kind = static_cast<int>(question.kind), .about = {}, .op = question.op};
  for (const program::TensorRef tensor : question.about) out.about.push_back(tensor.index);
  return out;
}

program::Question question_from_json(const Json& json) {
  AskedQuestion asked;
  base::read_fields(json, asked, "question");
  program::Question out;
  out.kind = static_cast<program::Question::Kind>(asked.kind);
  for (const int index : asked.about) out.about.push_back({index});
  out.op = std::move(asked.op);
  return out;
}

// Takes the blobs one after the other.
class Blobs {
 public:
  explicit Blobs(std::vector<std::string> blobs) : blobs_(std::move(blobs)) {}
  std::string next() {
    if (taken_ == blobs_.size()) throw base::JsonError("too few blobs");
    return std::move(blobs_[taken_++]);
  }

 private:
  std::vector<std::string> blobs_;
  std::size_t taken_ = 0;
};

std::vector<KernelImage> read_images(const Json& images, Blobs& blobs) {
  std::vector<KernelImage> out;
  for (const Json& one : images.elements()) {
    KernelImage& image = out.emplace_back();
    base::read_fields(one, image, "image");
    image.ir = blobs.next();
    if (image.code) image.code->cubin = blobs.next();
  }
  return out;
}

// All but program and images.
void read_into(RunRequest& request, const Json& header, Blobs& blobs) {
  base::read_fields(header, request);
  for (DrawnTensor& drawn : request.drawn) drawn.given.bytes = blobs.next();
  for (GivenTensor& given : request.state) given.bytes = blobs.next();
  for (GivenInputs& inputs : request.inputs) {
    for (std::string& bytes : inputs.tensors) bytes = blobs.next();
  }
  if (const Json* question = header.find("question")) request.question = question_from_json(*question);
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

std::optional<std::string> fault_of_rows(const Program& program, const RunRequest& request) {
  const SampledRows& rows = *request.rows;
  if (request.sample <= 0 || request.forwards.empty()) return "rows of a run that is not sampled";
  if (rows.count < 1 || rows.most < 1 || rows.most > rows.count) return "a number of rows that the task does not have";
  const program::Forward& last = program.forwards[static_cast<std::size_t>(request.forwards.back())];
  const auto fits = [&](const program::Structure& structure, const std::vector<int>& dimensions) {
    const auto refs = tensors_of(structure);
    bool out = refs.size() == dimensions.size();
    for (std::size_t i = 0; out && i < refs.size(); ++i) {
      const std::vector<std::int64_t>& sizes = program.tensors[static_cast<std::size_t>(refs[i].index)].sizes;
      out = dimensions[i] == -1 ||
            (inside(dimensions[i], sizes) && sizes[static_cast<std::size_t>(dimensions[i])] % rows.count == 0);
    }
    return out;
  };
  if (!fits(last.inputs, rows.inputs) || !fits(last.outputs, rows.outputs)) return "rows of tensors that have none";
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
  if (request.rows) {
    if (auto fault = fault_of_rows(program, request)) return fault;
  }
  if (request.threads < 1 || request.threads > 1024) return "a number of threads outside 1 to 1024";
  return std::nullopt;
}

MessageView to_message(const RunRequest& request, const RunRequest* previous, std::string* text) {
  const bool same_program =
      previous != nullptr && previous->program == request.program && previous->partial == request.partial;
  const bool same_images = same_program && previous->images == request.images;
  MessageView out;
  out.header = base::to_json(request);
  out.header["same_program"] = same_program;
  if (!same_program) {
    *text = program::to_json(*request.program);
    out.blobs.emplace_back(*text);
  }
  if (!same_images) {
    Json& images = out.header["images"] = Json::array();
    for (const KernelImage& image : request.images) {
      images.push_back(base::to_json(image));
      out.blobs.emplace_back(image.ir);
      if (image.code) out.blobs.emplace_back(image.code->cubin);
    }
  }
  for (const DrawnTensor& drawn : request.drawn) out.blobs.emplace_back(drawn.given.bytes);
  for (const GivenTensor& given : request.state) out.blobs.emplace_back(given.bytes);
  for (const GivenInputs& inputs : request.inputs) {
    for (const std::string& bytes : inputs.tensors) out.blobs.emplace_back(bytes);
  }
  if (request.question) out.header["question"] = base::to_json(asked(*request.question));
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
    if (const Json* given = header.find("images")) images = read_images(*given, blobs);
    read_into(request_, header, blobs);
  } catch (const base::JsonError& error) {
    return base::Failure{std::string("the request is malformed: ") + error.what()};
  }
  request_.program = program.get();
  request_.images = std::move(images);
  if (const auto fault = find_fault(request_)) return base::Failure{*fault};
  program_ = std::move(program);
  return &request_;
}

}  // namespace tritonrl::runner
