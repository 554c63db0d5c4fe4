#include "program/program_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "program/json_reader.h"
#include "program/validate.h"

namespace tritonrl::program {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Value& value, const Program& program);

struct ValueWriter {
  const Program& program;

  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool v) const { return v; }
  Json operator()(std::int64_t v) const { return v; }
  Json operator()(double v) const {
    if (std::isfinite(v)) return v;
    return {{"float", std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf"}};
  }
  Json operator()(std::complex<double> v) const { return {{"complex", {v.real(), v.imag()}}}; }
  Json operator()(const std::string& v) const { return v; }
  Json operator()(TensorRef v) const { return {{"tensor", v.index}}; }
  Json operator()(DType v) const { return {{"dtype", to_string(v)}}; }
  Json operator()(Device v) const { return {{"device", v == Device::kTarget ? "target" : "host"}}; }
  Json operator()(const Keyword& v) const { return {{"keyword", v.name}}; }
  Json operator()(const Symbol& v) const { return {{"symbol", v.name}}; }
  Json operator()(const Descriptor& v) const {
    return {{"descriptor", {{"tensor", v.base.index}, {"shape", v.shape}, {"strides", v.strides}, {"block", v.block}}}};
  }
  Json operator()(const Value::List& list) const {
    Json out = Json::array();
    for (const Value& item : list) out.push_back(to_json(item, program));
    return out;
  }
};

Json to_json(const Value& value, const Program& program) { return std::visit(ValueWriter{program}, value.data); }

Json to_json(const SourceLine& at) { return at.file < 0 ? Json(nullptr) : Json{at.file, at.line}; }

template <class Pairs, class Write>
Json object_of(const Pairs& pairs, Write&& write) {
  Json out = Json::object();
  for (const auto& [name, value] : pairs) out[name] = write(value);
  return out;
}

Json to_json(const LaunchVariant& variant, const Program& program) {
  Json arguments = Json::array();
  for (const LaunchArgument& argument : variant.arguments) {
    Json one = {{"name", argument.name}, {"type", argument.type}, {"value", to_json(argument.value, program)}};
    if (argument.aligned) one["aligned"] = true;
    arguments.push_back(std::move(one));
  }
  return {{"grid", variant.grid},
          {"arguments", std::move(arguments)},
          {"options", object_of(variant.options, [&](const Value& v) { return to_json(v, program); })}};
}

std::string_view to_string(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::kItem: return "item";
    case Question::Kind::kList: return "list";
    case Question::Kind::kShape: return "shape";
    case Question::Kind::kEqual: return "equal";
  }
  return "";
}

struct StepWriter {
  const Program& program;

  Json operator()(const AtenCall& call) const {
    Json args = Json::array();
    for (const Value& value : call.args) args.push_back(to_json(value, program));
    return {{"op", call.op},
            {"args", std::move(args)},
            {"kwargs", object_of(call.kwargs, [&](const Value& v) { return to_json(v, program); })},
            {"result", to_json(call.result, program)},
            {"at", to_json(call.at)}};
  }
  Json operator()(const Launch& launch) const {
    Json variants = Json::array();
    for (const LaunchVariant& variant : launch.variants) variants.push_back(to_json(variant, program));
    return {{"launch", launch.kernel}, {"variants", std::move(variants)}, {"at", to_json(launch.at)}};
  }
  Json operator()(const Question& question) const {
    Json about = Json::array();
    for (const TensorRef tensor : question.about) about.push_back(tensor.index);
    return {{"question", to_string(question.kind)},   {"about", std::move(about)},
            {"op", question.op},                      {"answer", to_json(question.answer, program)},
            {"assumed", question.assumed},            {"at", to_json(question.at)}};
  }
};

Json to_json(const std::vector<Step>& steps, const Program& program) {
  Json out = Json::array();
  for (const Step& step : steps) out.push_back(std::visit(StepWriter{program}, step));
  return out;
}

Json to_json(const Structure& structure, const Program& program) {
  if (structure.kind == Structure::Kind::kLeaf) {
    Json out = {{"leaf", to_json(structure.leaf, program)}};
    if (!structure.type.empty()) out["type"] = structure.type;
    return out;
  }
  Json items = Json::array();
  const bool named = structure.kind == Structure::Kind::kDict || structure.kind == Structure::Kind::kObject;
  for (const auto& [name, item] : structure.items) {
    Json one = to_json(item, program);
    items.push_back(named ? Json::array({name, std::move(one)}) : std::move(one));
  }
  switch (structure.kind) {
    case Structure::Kind::kTuple: return {{"tuple", std::move(items)}};
    case Structure::Kind::kList: return {{"list", std::move(items)}};
    case Structure::Kind::kDict: return {{"dict", std::move(items)}};
    default: return {{"object", structure.type}, {"items", std::move(items)}};
  }
}

Json pairs_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json out = Json::array();
  for (const auto& [name, text] : pairs) out.push_back(Json::array({name, text}));
  return out;
}

Json to_json(const Kernel& kernel) {
  Json functions = Json::array();
  for (const KernelFunction& function : kernel.functions) {
    functions.push_back({{"name", function.name}, {"source", function.source}, {"at", to_json(function.at)}});
  }
  return {{"name", kernel.name},
          {"functions", std::move(functions)},
          {"constants", pairs_of(kernel.constants)},
          {"imports", pairs_of(kernel.imports)}};
}

}  // namespace

std::string to_json(const Program& program) {
  Json out = {{"format", kProgramFormat},          {"torch", program.torch_version}, {"triton", program.triton_version},
              {"target", program.target},          {"subject", program.subject},     {"files", program.files}};
  out["storages"] = Json::array();
  for (const Storage& storage : program.storages) out["storages"].push_back(storage_to_json(storage));
  out["tensors"] = Json::array();
  for (const Tensor& t : program.tensors) {
    out["tensors"].push_back(Json::array({t.storage, to_string(t.dtype), t.offset, t.sizes, t.strides}));
  }
  out["kernels"] = Json::array();
  for (const Kernel& kernel : program.kernels) out["kernels"].push_back(to_json(kernel));
  out["initialise"] = to_json(program.initialise, program);
  out["state"] = Json::array();
  for (const NamedTensor& one : program.state) {
    out["state"].push_back({{"name", one.name}, {"tensor", one.tensor.index}, {"buffer", one.buffer}});
  }
  out["forwards"] = Json::array();
  for (const Forward& forward : program.forwards) {
    out["forwards"].push_back({{"make_inputs", to_json(forward.make_inputs, program)},
                               {"inputs", to_json(forward.inputs, program)},
                               {"steps", to_json(forward.steps, program)},
                               {"outputs", to_json(forward.outputs, program)}});
  }
  // names and sources come from anywhere; replace what is no UTF-8 rather than refuse to print
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

base::Result<Program> read_program(std::string_view json) {
  base::Result<Program> program = parse_program(json);
  if (!program.ok()) return program;
  if (std::optional<std::string> fault = find_fault(program.value())) return base::Failure{*std::move(fault)};
  return program;
}

}  // namespace tritonrl::program
