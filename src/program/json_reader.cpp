#include "program/json_reader.h"

#include <algorithm>
#include <limits>

#include "base/base64.h"

namespace tritonrl::program {
namespace {

using base::Json;
constexpr int kMaxDepth = 32;                 // of lists in lists
constexpr std::size_t kMostText = 256 << 10;  // of an argument: recorder/program.py

// Thrown and caught in this file: the first thing of the wrong form.
struct Malformed {
  std::string message;
};

[[noreturn]] void malformed(const std::string& what) {
  throw Malformed{what};
}

const Json& field(const Json& object, const char* name) {
  if (!object.is_object()) malformed(std::string("expected an object with field \"") + name + "\"");
  const Json* found = object.find(name);
  if (found == nullptr) malformed(std::string("field \"") + name + "\" is missing");
  return *found;
}

const Json& array(const Json& value, const char* what) {
  if (!value.is_array()) malformed(std::string(what) + " is no array");
  return value;
}

std::string text(const Json& value, const char* what) {
  if (!value.is_string()) malformed(std::string(what) + " is no text");
  return value.get<std::string>();
}

std::int64_t integer(const Json& value, const char* what) {
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    malformed(std::string(what) + " is too large");
  }
  if (!value.is_number_integer()) malformed(std::string(what) + " is no integer");
  return value.get<std::int64_t>();
}

int index(const Json& value, const char* what) {
  const std::int64_t number = integer(value, what);
  if (number < 0 || number > std::numeric_limits<int>::max()) malformed(std::string(what) + " is no index");
  return static_cast<int>(number);
}

bool boolean(const Json& value, const char* what) {
  if (!value.is_boolean()) malformed(std::string(what) + " is neither true nor false");
  return value.get<bool>();
}

std::vector<std::int64_t> integers(const Json& value, const char* what) {
  std::vector<std::int64_t> out;
  for (const Json& item : array(value, what)) out.push_back(integer(item, what));
  return out;
}

DType dtype(const Json& value) {
  const std::string name = text(value, "dtype");
  const std::optional<DType> found = dtype_from_string(name);
  if (!found) malformed("unknown dtype \"" + name + "\"");
  return *found;
}

Device device(const Json& value) {
  const std::string name = text(value, "device");
  if (name != "target" && name != "host") malformed("unknown device \"" + name + "\"");
  return name == "target" ? Device::kTarget : Device::kHost;
}

double special_float(const Json& value) {
  const std::string name = text(value, "float");
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  malformed("unknown float \"" + name + "\"");
}

double real(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_object() || value.size() != 1) malformed("a part of a complex number is no number");
  return special_float(field(value, "float"));
}

// Programs of before padding was recorded have none.
bool is_nan_padding(const Json& descriptor) {
  if (!descriptor.contains("padding")) return false;
  const std::string padding = text(descriptor["padding"], "padding");
  if (padding != "zero" && padding != "nan") malformed("there is no padding \"" + padding + "\"");
  return padding == "nan";
}

Value tagged_value(const Json& json) {
  if (json.size() != 1) malformed("a value is an object of one field");
  const auto& [tag, body] = json.items().front();
  if (tag == "tensor") return {TensorRef{index(body, "tensor")}};
  if (tag == "dtype") return {dtype(body)};
  if (tag == "device") return {device(body)};
  if (tag == "keyword") return {Keyword{text(body, "keyword")}};
  if (tag == "symbol") return {Symbol{text(body, "symbol")}};
  if (tag == "float") return {special_float(body)};
  if (tag == "complex") {
    if (!body.is_array() || body.size() != 2) malformed("complex is no pair");
    return {std::complex<double>(real(body[0]), real(body[1]))};
  }
  if (tag == "descriptor") {
    return {Descriptor{{index(field(body, "tensor"), "tensor")},
                       integers(field(body, "shape"), "shape"),
                       integers(field(body, "strides"), "strides"),
                       integers(field(body, "block"), "block"),
                       is_nan_padding(body),
                       body.contains("round_f32_to_tf32") && boolean(body["round_f32_to_tf32"], "round_f32_to_tf32")}};
  }
  malformed("unknown value \"" + tag + "\"");
}

Value value(const Json& json, int depth = 0) {
  if (depth > kMaxDepth) malformed("lists nested too deeply");
  if (json.is_null()) return {};
  if (json.is_boolean()) return {json.get<bool>()};
  if (json.is_number_float()) return {json.get<double>()};
  if (json.is_number()) return {integer(json, "value")};
  if (json.is_string()) {
    std::string out = json.get<std::string>();
    if (out.size() > kMostText) malformed("a text of " + std::to_string(out.size()) + " bytes is an argument");
    return {std::move(out)};
  }
  if (json.is_object()) return tagged_value(json);
  Value::List list;
  list.reserve(json.size());
  for (const Json& item : json) list.push_back(value(item, depth + 1));
  return {std::move(list)};
}

SourceLine source_line(const Json& json) {
  if (json.is_null()) return {};
  if (!json.is_array() || json.size() != 2) malformed("\"at\" is neither null nor [file, line]");
  return {index(json[0], "file"), index(json[1], "line")};
}

template <class T, class Read>
std::vector<std::pair<std::string, T>> fields_of(const Json& json, const char* what, Read&& read) {
  if (!json.is_object()) malformed(std::string(what) + " is no object");
  std::vector<std::pair<std::string, T>> out;
  for (const auto& [name, item] : json.items()) out.emplace_back(name, read(item));
  // One order whatever the text has: programs that do the same are the same text.
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

std::vector<std::pair<std::string, std::string>> text_pairs(const Json& json, const char* what) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Json& pair : array(json, what)) {
    if (!pair.is_array() || pair.size() != 2) malformed(std::string(what) + " holds something that is no pair");
    out.emplace_back(text(pair[0], what), text(pair[1], what));
  }
  return out;
}

LaunchVariant launch_variant(const Json& json) {
  LaunchVariant out;
  const std::vector<std::int64_t> grid = integers(field(json, "grid"), "grid");
  if (grid.size() != 3) malformed("a grid has three sizes");
  std::copy(grid.begin(), grid.end(), out.grid.begin());
  for (const Json& one : array(field(json, "arguments"), "arguments")) {
    out.arguments.push_back({text(field(one, "name"), "name"), text(field(one, "type"), "type"),
                             value(field(one, "value")),
                             one.contains("aligned") && boolean(one["aligned"], "aligned")});
  }
  out.options = fields_of<Value>(field(json, "options"), "options", [](const Json& v) { return value(v); });
  return out;
}

Question::Kind question_kind(const Json& json) {
  const std::string name = text(json, "question");
  if (name == "item") return Question::Kind::kItem;
  if (name == "list") return Question::Kind::kList;
  if (name == "shape") return Question::Kind::kShape;
  if (name == "equal") return Question::Kind::kEqual;
  malformed("unknown question \"" + name + "\"");
}

Question question(const Json& json, const SourceLine& at) {
  Question out{.kind = question_kind(field(json, "question")),
               .about = {},
               .op = text(field(json, "op"), "op"),
               .answer = value(field(json, "answer")),
               .assumed = boolean(field(json, "assumed"), "assumed"),
               .at = at};
  for (const Json& tensor : array(field(json, "about"), "about")) out.about.push_back({index(tensor, "about")});
  return out;
}

Step step(const Json& json) {
  const SourceLine at = source_line(field(json, "at"));
  if (json.contains("question")) return question(json, at);
  if (json.contains("launch")) {
    Launch out{.kernel = index(json["launch"], "launch"), .variants = {}, .at = at};
    for (const Json& one : array(field(json, "variants"), "variants")) out.variants.push_back(launch_variant(one));
    return out;
  }
  AtenCall out;
  out.op = text(field(json, "op"), "op");
  for (const Json& argument : array(field(json, "args"), "args")) out.args.push_back(value(argument));
  if (json.contains("kwargs")) {
    out.kwargs = fields_of<Value>(json["kwargs"], "kwargs", [](const Json& v) { return value(v); });
  }
  out.result = value(field(json, "result"));
  out.at = at;
  return out;
}

std::vector<Step> steps(const Json& json, const char* what) {
  std::vector<Step> out;
  out.reserve(json.size());
  for (const Json& one : array(json, what)) out.push_back(step(one));
  return out;
}

Structure structure(const Json& json, int depth = 0) {
  if (depth > kMaxDepth) malformed("structures nested too deeply");
  Structure out;
  if (json.is_object() && json.contains("leaf")) {
    out.leaf = value(json["leaf"]);
    if (json.contains("type")) out.type = text(json["type"], "type");
    return out;
  }
  const auto items_of = [&](const Json& items, bool named) {
    for (const Json& item : array(items, "items")) {
      if (named && (!item.is_array() || item.size() != 2)) malformed("an item is no [name, structure]");
      out.items.emplace_back(named ? text(item[0], "name") : "", structure(named ? item[1] : item, depth + 1));
    }
  };
  if (json.is_object() && json.contains("tuple")) {
    out.kind = Structure::Kind::kTuple;
    items_of(json["tuple"], false);
  } else if (json.is_object() && json.contains("list")) {
    out.kind = Structure::Kind::kList;
    items_of(json["list"], false);
  } else if (json.is_object() && json.contains("dict")) {
    out.kind = Structure::Kind::kDict;
    items_of(json["dict"], true);
  } else {
    out.kind = Structure::Kind::kObject;
    out.type = text(field(json, "object"), "object");
    items_of(field(json, "items"), true);
  }
  return out;
}

Storage storage(const Json& json) {
  if (!json.is_array() || json.size() < 2 || json.size() > 3)
    malformed("a storage is [bytes, device] or [bytes, device, constant]");
  Storage out{.bytes = integer(json[0], "bytes"), .device = device(json[1]), .constant = {}};
  if (json.size() == 3) {
    std::optional<std::string> bytes = base::base64_decode(text(json[2], "constant"));
    if (!bytes || static_cast<std::int64_t>(bytes->size()) != out.bytes)
      malformed("a constant is not as long as its storage");
    out.constant = *std::move(bytes);
  }
  return out;
}

Tensor tensor(const Json& json) {
  if (!json.is_array() || json.size() != 5) malformed("a tensor is [storage, dtype, offset, sizes, strides]");
  return {index(json[0], "storage"), dtype(json[1]), integer(json[2], "offset"), integers(json[3], "sizes"),
          integers(json[4], "strides")};
}

Kernel kernel(const Json& json) {
  Kernel out{.name = text(field(json, "name"), "name"),
             .functions = {},
             .constants = text_pairs(field(json, "constants"), "constants"),
             .imports = text_pairs(field(json, "imports"), "imports")};
  for (const Json& one : array(field(json, "functions"), "functions")) {
    out.functions.push_back(
        {text(field(one, "name"), "name"), text(field(one, "source"), "source"), source_line(field(one, "at"))});
  }
  return out;
}

Program program(const Json& json) {
  if (integer(field(json, "format"), "format") != kProgramFormat) malformed("unknown format");
  Program out;
  out.subject = text(field(json, "subject"), "subject");
  out.torch_version = text(field(json, "torch"), "torch");
  out.triton_version = text(field(json, "triton"), "triton");
  out.target = text(field(json, "target"), "target");
  for (const Json& one : array(field(json, "files"), "files")) out.files.push_back(text(one, "files"));
  for (const Json& one : array(field(json, "storages"), "storages")) out.storages.push_back(storage(one));
  for (const Json& one : array(field(json, "tensors"), "tensors")) out.tensors.push_back(tensor(one));
  for (const Json& one : array(field(json, "kernels"), "kernels")) out.kernels.push_back(kernel(one));
  out.initialise = steps(field(json, "initialise"), "initialise");
  for (const Json& one : array(field(json, "state"), "state")) {
    out.state.push_back({text(field(one, "name"), "name"),
                         {index(field(one, "tensor"), "tensor")},
                         boolean(field(one, "buffer"), "buffer")});
  }
  for (const Json& one : array(field(json, "forwards"), "forwards")) {
    out.forwards.push_back({steps(field(one, "make_inputs"), "make_inputs"), structure(field(one, "inputs")),
                            steps(field(one, "steps"), "steps"), structure(field(one, "outputs"))});
  }
  return out;
}

template <class Parse>
auto attempt(Parse&& parse) -> base::Result<decltype(parse())> {
  try {
    return parse();
  } catch (const Malformed& fault) {
    return base::Failure{fault.message};
  } catch (const base::JsonError& fault) {
    return base::Failure{fault.what()};
  }
}

}  // namespace

Json storage_to_json(const Storage& storage) {
  Json out = {storage.bytes, storage.device == Device::kTarget ? "target" : "host"};
  if (!storage.constant.empty()) out.push_back(base::base64_encode(storage.constant));
  return out;
}

base::Result<Program> parse_program(const Json& json) {
  return attempt([&] { return program(json); });
}

base::Result<Question> parse_question(const Json& json) {
  return attempt([&] { return question(json, source_line(field(json, "at"))); });
}

}  // namespace tritonrl::program
