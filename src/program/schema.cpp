#include "program/schema.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <complex>
#include <initializer_list>
#include <utility>

namespace tritonrl::program {
namespace {

constexpr std::array<std::pair<std::string_view, Type>, 12> kTypes = {{
    {"Tensor", Type::kTensor},
    {"Scalar", Type::kScalar},
    {"int", Type::kInt},
    {"SymInt", Type::kSymInt},
    {"float", Type::kFloat},
    {"bool", Type::kBool},
    {"str", Type::kString},
    {"ScalarType", Type::kDType},
    {"Device", Type::kDevice},
    {"Layout", Type::kLayout},
    {"MemoryFormat", Type::kMemoryFormat},
    {"Generator", Type::kGenerator},
}};

// Reads left to right; the first failure sets `error` and every later step does nothing.
struct Reader {
  std::string_view text;
  std::size_t at = 0;
  std::string error;

  bool fail(const std::string& message) {
    if (error.empty()) error = message + " at character " + std::to_string(at);
    return false;
  }
  void skip_spaces() {
    while (at < text.size() && text[at] == ' ') ++at;
  }
  bool accept(std::string_view token) {
    skip_spaces();
    if (!text.substr(at).starts_with(token)) return false;
    at += token.size();
    return true;
  }
  bool expect(std::string_view token) { return accept(token) || fail("expected '" + std::string(token) + "'"); }

  std::string_view word(std::string_view extra = "") {
    skip_spaces();
    const std::size_t begin = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' ||
                                extra.find(text[at]) != std::string_view::npos)) {
      ++at;
    }
    return text.substr(begin, at - begin);
  }

  // A default: up to the comma or bracket that ends the argument, over quoted text and nested lists.
  void skip_default() {
    int depth = 0;
    bool quoted = false;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (depth == 0 && (c == ',' || c == ')')) return;
      if (c == '[') ++depth;
      if (c == ']') --depth;
    }
  }

  void alias(ValueType* out) {
    if (at >= text.size() || text[at] != '(') return;
    const std::size_t end = text.find(')', at);
    if (end == std::string_view::npos) {
      fail("an alias without end");
      return;
    }
    const std::string_view inside = text.substr(at + 1, end - at - 1);
    out->aliases = true;
    out->mutated = inside.find('!') != std::string_view::npos;
    at = end + 1;
  }

  bool value_type(ValueType* out) {
    const std::string_view name = word();
    bool known = false;
    for (const auto& [spelling, type] : kTypes) {
      if (spelling != name) continue;
      out->type = type;
      known = true;
    }
    if (!known) return fail("unknown type '" + std::string(name) + "'");
    alias(out);
    while (at < text.size() && (text[at] == '?' || text[at] == '[')) {
      if (text[at++] == '?') {
        out->optional = true;
        continue;
      }
      if (out->list) return fail("a list of lists");
      out->list = true;
      out->optional_items = std::exchange(out->optional, false);
      const std::string_view size = word();
      if (size.size() > 3 || size.find_first_not_of("0123456789") != std::string_view::npos)
        return fail("bad list size");
      if (!size.empty()) out->list_size = std::stoi(std::string(size));
      if (!expect("]")) return false;
    }
    return error.empty();
  }

  bool argument(bool keyword_only, Argument* out) {
    if (!value_type(out)) return false;
    out->keyword_only = keyword_only;
    out->name = word();
    if (out->name.empty()) return fail("an argument without a name");
    if (accept("=")) {
      out->has_default = true;
      skip_default();
    }
    return true;
  }

  bool arguments(std::vector<Argument>* out) {
    bool keyword_only = false;
    if (accept(")")) return true;
    do {
      if (accept("*")) {
        keyword_only = true;
        continue;
      }
      if (!argument(keyword_only, &out->emplace_back())) return false;
    } while (accept(","));
    return expect(")");
  }

  bool result(ResultSpec* out) {
    if (!value_type(out)) return false;
    out->name = word();
    return true;
  }

  bool results(std::vector<ResultSpec>* out) {
    if (!accept("(")) return result(&out->emplace_back());
    if (accept(")")) return true;
    do {
      if (!result(&out->emplace_back())) return false;
    } while (accept(","));
    return expect(")");
  }
};

bool is_number(const Value& value) {
  return value.get_if<bool>() != nullptr || value.get_if<std::int64_t>() != nullptr ||
         value.get_if<double>() != nullptr || value.get_if<std::complex<double>>() != nullptr;
}

bool item_fits(const Value& value, const ValueType& type) {
  const auto keyword_in = [&](std::initializer_list<std::string_view> names) {
    const auto* keyword = value.get_if<Keyword>();
    return keyword != nullptr && std::find(names.begin(), names.end(), keyword->name) != names.end();
  };
  switch (type.type) {
    case Type::kTensor:
      return value.get_if<TensorRef>() != nullptr || (is_number(value) && !type.mutated && !type.list);
    case Type::kScalar:
      return is_number(value);
    case Type::kInt:
    case Type::kSymInt:
      return value.get_if<std::int64_t>() != nullptr;
    case Type::kFloat:
      return value.get_if<double>() != nullptr || value.get_if<std::int64_t>() != nullptr;
    case Type::kBool:
      return value.get_if<bool>() != nullptr;
    case Type::kString:
      return value.get_if<std::string>() != nullptr;
    case Type::kDType:
      return value.get_if<DType>() != nullptr;
    case Type::kDevice:
      return value.get_if<Device>() != nullptr;
    case Type::kLayout:
      return keyword_in({"strided"});
    case Type::kMemoryFormat:
      return keyword_in({"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"});
    case Type::kGenerator:
      return false;
  }
  return false;
}

std::string spelling(const ValueType& type) {
  std::string text(to_string(type.type));
  if (type.list) {
    text += type.optional_items ? "?[" : "[";
    text += (type.list_size >= 0 ? std::to_string(type.list_size) : "") + "]";
  }
  return text + (type.optional ? "?" : "");
}

bool type_fits(const Value& value, const ValueType& type, std::string* why) {
  const auto refuse = [&](const std::string& reason) {
    if (why != nullptr) *why = spelling(type) + " wanted" + reason;
    return false;
  };
  if (value.is_none()) return type.optional || refuse(", got none");
  if (!type.list) return item_fits(value, type) || refuse("");
  const auto* list = value.get_if<Value::List>();
  if (list == nullptr) {
    const bool repeats = type.list_size > 0 && (type.type == Type::kInt || type.type == Type::kSymInt);
    return (repeats && item_fits(value, type)) || refuse(", got no list");
  }
  // torch reads bool[N] into an array of N; the other sizes only allow a single number in place of a list.
  if (type.type == Type::kBool && type.list_size >= 0 && static_cast<int>(list->size()) != type.list_size) {
    return refuse(", got " + std::to_string(list->size()) + " items");
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Value& item = (*list)[i];
    if (item.is_none() ? !type.optional_items : !item_fits(item, type))
      return refuse(", item " + std::to_string(i) + " is not");
  }
  return true;
}

bool result_fits(const Value& result, const Schema& schema, std::string* why) {
  const auto fits = [&](const Value& value, ResultSpec spec) {
    if (is_number(value) && spec.type == Type::kTensor) {
      if (why != nullptr) *why = "a number in place of a tensor";
      return false;
    }
    if (schema.results.size() > 1 && spec.type == Type::kTensor)
      (spec.list ? spec.optional_items : spec.optional) = true;
    return type_fits(value, spec, why);
  };
  if (schema.results.empty()) {
    if (!result.is_none() && why != nullptr) *why = "none wanted";
    return result.is_none();
  }
  if (schema.results.size() == 1) return fits(result, schema.results.front());
  const auto* list = result.get_if<Value::List>();
  if (list == nullptr || list->size() != schema.results.size()) {
    if (why != nullptr) *why = std::to_string(schema.results.size()) + " values wanted";
    return false;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (!fits((*list)[i], schema.results[i])) return false;
  }
  return true;
}

}  // namespace

std::string_view to_string(Type type) {
  for (const auto& [spelling, known] : kTypes) {
    if (known == type) return spelling;
  }
  return "?";
}

std::optional<Schema> parse_schema(std::string_view text, std::string* why) {
  Reader reader{.text = text, .error = {}};
  Schema schema;
  schema.name = reader.word(":.");
  if (schema.name.find("::") == std::string::npos) reader.fail("expected namespace::name");
  if (reader.error.empty() && reader.expect("(") && reader.arguments(&schema.arguments) && reader.expect("->") &&
      reader.results(&schema.results)) {
    reader.skip_spaces();
    if (reader.at != text.size()) reader.fail("text after the schema");
  }
  if (reader.error.empty()) return schema;
  if (why != nullptr) *why = reader.error;
  return std::nullopt;
}

bool value_fits(const Value& value, const Argument& argument, std::string* why) {
  if (type_fits(value, argument, why)) return true;
  if (why != nullptr) *why = argument.name + ": " + *why;
  return false;
}

std::optional<std::vector<const Value*>> bind_arguments(const AtenCall& call, const Schema& schema, std::string* why) {
  const auto refuse = [&](const std::string& reason) {
    if (why != nullptr) *why = reason;
    return std::nullopt;
  };
  std::vector<const Value*> bound(schema.arguments.size(), nullptr);
  if (call.args.size() > bound.size()) return refuse("too many arguments: " + std::to_string(call.args.size()));
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (schema.arguments[i].keyword_only) return refuse(schema.arguments[i].name + ": only by keyword");
    bound[i] = &call.args[i];
  }
  for (const auto& [name, value] : call.kwargs) {
    std::size_t i = 0;
    while (i < bound.size() && schema.arguments[i].name != name) ++i;
    if (i == bound.size()) return refuse(name + ": no such argument");
    if (bound[i] != nullptr) return refuse(name + ": given twice");
    bound[i] = &value;
  }
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (bound[i] == nullptr && !schema.arguments[i].has_default) return refuse(schema.arguments[i].name + ": missing");
  }
  return bound;
}

bool call_fits(const AtenCall& call, const Schema& schema, std::string* why) {
  const auto bound = bind_arguments(call, schema, why);
  if (!bound) return false;
  for (std::size_t i = 0; i < bound->size(); ++i) {
    if ((*bound)[i] != nullptr && !value_fits(*(*bound)[i], schema.arguments[i], why)) return false;
  }
  if (result_fits(call.result, schema, why)) return true;
  if (why != nullptr) *why = "result: " + *why;
  return false;
}

}  // namespace tritonrl::program
