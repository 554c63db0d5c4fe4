#include "program/program_json.h"

#include <cmath>

#include "program/json_reader.h"
#include "program/operator_table.h"
#include "program/validate.h"

namespace tritonrl::program {
namespace {

using base::Json;

Json json_of(const Value& value);

struct ValueWriter {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool v) const { return v; }
  Json operator()(std::int64_t v) const { return v; }
  Json operator()(double v) const {
    if (std::isfinite(v)) return v;
    return {{"float", std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf"}};
  }
  Json operator()(std::complex<double> v) const {
    return {{"complex", Json::array({(*this)(v.real()), (*this)(v.imag())})}};
  }
  Json operator()(const std::string& v) const { return v; }
  Json operator()(TensorRef v) const { return {{"tensor", v.index}}; }
  Json operator()(DType v) const { return {{"dtype", to_string(v)}}; }
  Json operator()(Device v) const { return {{"device", v == Device::kTarget ? "target" : "host"}}; }
  Json operator()(const Keyword& v) const { return {{"keyword", v.name}}; }
  Json operator()(const Symbol& v) const { return {{"symbol", v.name}}; }
  Json operator()(const Descriptor& v) const {
    Json body = {{"tensor", v.base.index}, {"shape", v.shape}, {"strides", v.strides}, {"block", v.block}};
    if (v.nan_outside) body["padding"] = "nan";
    if (v.rounds_to_tf32) body["round_f32_to_tf32"] = true;
    return {{"descriptor", std::move(body)}};
  }
  Json operator()(const Value::List& list) const {
    Json out = Json::array();
    for (const Value& item : list) out.push_back(json_of(item));
    return out;
  }
};

Json json_of(const Value& value) {
  return std::visit(ValueWriter{}, value.data);
}

Json json_of(const SourceLine& at) {
  return at.file < 0 ? Json(nullptr) : Json{at.file, at.line};
}

Json json_of(const std::vector<std::pair<std::string, Value>>& named) {
  Json out = Json::object();
  for (const auto& [name, value] : named) out[name] = json_of(value);
  return out;
}

Json json_of(const LaunchVariant& variant) {
  Json arguments = Json::array();
  for (const LaunchArgument& argument : variant.arguments) {
    Json one = {{"name", argument.name}, {"type", argument.type}, {"value", json_of(argument.value)}};
    if (argument.aligned) one["aligned"] = true;
    arguments.push_back(std::move(one));
  }
  return {{"grid", variant.grid}, {"arguments", std::move(arguments)}, {"options", json_of(variant.options)}};
}

std::string_view to_string(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::kItem:
      return "item";
    case Question::Kind::kList:
      return "list";
    case Question::Kind::kShape:
      return "shape";
    case Question::Kind::kEqual:
      return "equal";
  }
  return "";
}

struct StepWriter {
  Json operator()(const AtenCall& call) const {
    Json args = Json::array();
    for (const Value& value : call.args) args.push_back(json_of(value));
    Json out = {{"op", call.op}, {"args", std::move(args)}, {"result", json_of(call.result)}};
    if (!call.kwargs.empty()) out["kwargs"] = json_of(call.kwargs);
    out["at"] = json_of(call.at);
    return out;
  }
  Json operator()(const Launch& launch) const {
    Json variants = Json::array();
    for (const LaunchVariant& variant : launch.variants) variants.push_back(json_of(variant));
    return {{"launch", launch.kernel}, {"variants", std::move(variants)}, {"at", json_of(launch.at)}};
  }
  Json operator()(const Question& question) const {
    Json about = Json::array();
    for (const TensorRef tensor : question.about) about.push_back(tensor.index);
    return {{"question", to_string(question.kind)}, {"about", std::move(about)},   {"op", question.op},
            {"answer", json_of(question.answer)},   {"assumed", question.assumed}, {"at", json_of(question.at)}};
  }
};

Json json_of(const std::vector<Step>& steps) {
  Json out = Json::array();
  for (const Step& step : steps) out.push_back(std::visit(StepWriter{}, step));
  return out;
}

Json json_of(const Structure& structure) {
  if (structure.kind == Structure::Kind::kLeaf) {
    Json out = {{"leaf", json_of(structure.leaf)}};
    if (!structure.type.empty()) out["type"] = structure.type;
    return out;
  }
  Json items = Json::array();
  const bool named = structure.kind == Structure::Kind::kDict || structure.kind == Structure::Kind::kObject;
  for (const auto& [name, item] : structure.items) {
    Json one = json_of(item);
    items.push_back(named ? Json::array({name, std::move(one)}) : std::move(one));
  }
  switch (structure.kind) {
    case Structure::Kind::kTuple:
      return {{"tuple", std::move(items)}};
    case Structure::Kind::kList:
      return {{"list", std::move(items)}};
    case Structure::Kind::kDict:
      return {{"dict", std::move(items)}};
    default:
      return {{"object", structure.type}, {"items", std::move(items)}};
  }
}

Json pairs_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json out = Json::array();
  for (const auto& [name, text] : pairs) out.push_back(Json::array({name, text}));
  return out;
}

Json json_of(const Kernel& kernel) {
  Json functions = Json::array();
  for (const KernelFunction& function : kernel.functions) {
    functions.push_back({{"name", function.name}, {"source", function.source}, {"at", json_of(function.at)}});
  }
  return {{"name", kernel.name},
          {"functions", std::move(functions)},
          {"constants", pairs_of(kernel.constants)},
          {"imports", pairs_of(kernel.imports)}};
}

}  // namespace

std::string to_json(const Program& program) {
  Json out = {{"format", kProgramFormat}, {"torch", program.torch_version}, {"triton", program.triton_version},
              {"target", program.target}, {"subject", program.subject},     {"files", program.files}};
  out["storages"] = Json::array();
  for (const Storage& storage : program.storages) out["storages"].push_back(storage_to_json(storage));
  out["tensors"] = Json::array();
  for (const Tensor& t : program.tensors) {
    out["tensors"].push_back(Json::array({t.storage, to_string(t.dtype), t.offset, t.sizes, t.strides}));
  }
  out["kernels"] = Json::array();
  for (const Kernel& kernel : program.kernels) out["kernels"].push_back(json_of(kernel));
  out["initialise"] = json_of(program.initialise);
  out["state"] = Json::array();
  for (const NamedTensor& one : program.state) {
    out["state"].push_back({{"name", one.name}, {"tensor", one.tensor.index}, {"buffer", one.buffer}});
  }
  out["forwards"] = Json::array();
  for (const Forward& forward : program.forwards) {
    out["forwards"].push_back({{"make_inputs", json_of(forward.make_inputs)},
                               {"inputs", json_of(forward.inputs)},
                               {"steps", json_of(forward.steps)},
                               {"outputs", json_of(forward.outputs)}});
  }
  return out.dump();
}

std::string to_json(const Value& value) {
  return json_of(value).dump();
}

base::Result<Program> read_program(std::string_view text, const ValidateOptions& options) {
  const std::optional<Json> json = Json::try_parse(text);
  if (!json) return base::Failure{"not JSON"};
  return program_from_json(*json, options);
}

base::Result<Program> program_from_json(const Json& json, const ValidateOptions& options) {
  base::Result<Program> program = parse_program(json);
  if (!program.ok()) return program;
  if (std::optional<std::string> fault = find_fault(program.value(), options)) return base::Failure{*std::move(fault)};
  return program;
}

base::Result<Question> read_question(const Json& json, const Program& so_far) {
  base::Result<Question> question = parse_question(json);
  if (!question.ok()) return question;
  if (question.value().about.empty()) return base::Failure{"a question about nothing"};
  for (const TensorRef tensor : question.value().about) {
    if (tensor.index >= static_cast<int>(so_far.tensors.size())) return base::Failure{"a question about no tensor"};
  }
  if (question.value().kind == Question::Kind::kShape && find_operator(question.value().op) == nullptr) {
    return base::Failure{"a question about operator " + question.value().op + ", which is not allowed"};
  }
  return question;
}

}  // namespace tritonrl::program
