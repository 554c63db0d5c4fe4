#include "optimize/input_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/error.h"
#include "syntax/parse.h"
#include "text/chars.h"

namespace tritonrl::optimize {
namespace {

struct ElementType {
  std::string_view name, torch;
  enum class Kind : std::uint8_t { kFloat, kWhole, kTruth } kind = Kind::kFloat;
};
constexpr std::array kTypes = {
    ElementType{"f32", "float32"},
    ElementType{"f16", "float16"},
    ElementType{"bf16", "bfloat16"},
    ElementType{"f64", "float64"},
    ElementType{"i64", "int64", ElementType::Kind::kWhole},
    ElementType{"i32", "int32", ElementType::Kind::kWhole},
    ElementType{"i16", "int16", ElementType::Kind::kWhole},
    ElementType{"i8", "int8", ElementType::Kind::kWhole},
    ElementType{"u8", "uint8", ElementType::Kind::kWhole},
    ElementType{"bool", "bool", ElementType::Kind::kTruth},
};
constexpr std::int64_t kLargestSize = std::int64_t{1} << 31;
constexpr std::int64_t kUsualBound = 10;  // of whole numbers about which nothing is known
constexpr std::string_view kForm =
    "write TYPE[SIZE,...] with TYPE one of f32, f16, bf16, f64, i64, i32, i16, i8, u8, bool and SIZE a number, a range "
    "1..64 or a named one B=1..64, such as f32[8,1024] or i64[8,16]<1000; or a number, True, False, None; or =EXPR for "
    "any Python expression";

const ElementType* type_named(std::string_view name) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const ElementType& one) { return one.name == name || one.torch == name; });
  return found == kTypes.end() ? nullptr : &*found;
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_name(std::string_view text) {
  return !text.empty() && text::leading_word(text) == text;
}

[[noreturn]] void refuse(std::string_view text, const std::string& problem) {
  throw base::UserError("input", "--input '" + std::string(text) + "': " + problem);
}

std::int64_t parse_size(std::string_view whole_text, std::string_view text) {
  const std::optional<std::int64_t> size = whole(text::trim(text));
  if (!size) refuse(whole_text, "'" + std::string(text) + "' is no size; " + std::string(kForm));
  if (*size < 1 || *size > kLargestSize)
    refuse(whole_text, "the size " + std::to_string(*size) + " is not between 1 and " + std::to_string(kLargestSize));
  return *size;
}

Extent parse_extent(std::string_view whole_text, std::string_view text) {
  Extent out;
  text = text::trim(text);
  if (is_name(text)) return {.low = 0, .high = 0, .name = std::string(text)};  // of a range that another input defines
  if (const std::size_t equal = text.find('='); equal != std::string_view::npos) {
    out.name = text::trim(text.substr(0, equal));
    if (!is_name(out.name)) refuse(whole_text, "'" + out.name + "' is no name of a range; " + std::string(kForm));
    text = text::trim(text.substr(equal + 1));
  }
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    out.low = out.high = parse_size(whole_text, text);
    return out;
  }
  out.low = parse_size(whole_text, text.substr(0, dots));
  out.high = parse_size(whole_text, text.substr(dots + 2));
  if (out.low > out.high) refuse(whole_text, "the range " + std::string(text) + " ends before it begins");
  if (out.name.empty()) out.name = std::to_string(out.low) + ".." + std::to_string(out.high);
  return out;
}

bool is_literal(std::string_view text) {
  if (text == "True" || text == "False" || text == "None") return true;
  if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return false;  // no inf, no nan
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

InputSpec parse_one(std::string_view given) {
  const std::string_view text = text::trim(given);
  InputSpec out;
  if (text.starts_with('=')) {
    out.expression = text::trim(text.substr(1));
    if (out.expression.empty()) refuse(given, "there is no expression behind the =");
    syntax::SyntaxArena arena;
    const syntax::Parsed parsed = syntax::parse("f(" + out.expression + ")\n", arena);
    const bool one = parsed.module != nullptr && parsed.module->nodes("body").size() == 1 &&
                     parsed.module->nodes("body")[0]->is("Expr") &&
                     parsed.module->nodes("body")[0]->node("value")->is("Call") &&
                     parsed.module->nodes("body")[0]->node("value")->nodes("args").size() == 1;
    if (!one) refuse(given, "is no expression of Python" + (parsed.error.empty() ? "" : " (" + parsed.error + ")"));
    return out;
  }
  if (is_literal(text)) {
    out.expression = text;
    return out;
  }
  if (text == "true" || text == "false") {
    out.expression = text == "true" ? "True" : "False";
    return out;
  }
  const std::size_t open = text.find('['), close = text.rfind(']');
  const ElementType* type = open == std::string_view::npos ? nullptr : type_named(text::trim(text.substr(0, open)));
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    refuse(given, "is no input; " + std::string(kForm));
  if (type == nullptr)
    refuse(given,
           "'" + std::string(text::trim(text.substr(0, open))) + "' is no type of tensors; " + std::string(kForm));
  out.type = type->name;
  const std::string_view sizes = text.substr(open + 1, close - open - 1);
  for (std::size_t at = 0; !text::trim(sizes).empty() && at <= sizes.size();) {
    const std::size_t comma = std::min(sizes.find(',', at), sizes.size());
    out.extents.push_back(parse_extent(given, sizes.substr(at, comma - at)));
    at = comma + 1;
  }
  const std::string_view rest = text::trim(text.substr(close + 1));
  if (rest.empty()) return out;
  const std::optional<std::int64_t> below = rest.starts_with('<') ? whole(text::trim(rest.substr(1))) : std::nullopt;
  if (!below || *below < 1) refuse(given, "'" + std::string(rest) + "' behind the sizes is no bound; write <1000");
  if (type->kind != ElementType::Kind::kWhole) refuse(given, "only whole numbers have a bound");
  out.below = *below;
  return out;
}

// Every use of a name has the bounds of its one definition.
void join_ranges(std::span<const std::string> texts, std::vector<InputSpec>& inputs) {
  std::map<std::string, Extent> defined;
  const auto each = [&](auto&& visit) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (Extent& extent : inputs[i].extents) {
        if (!extent.name.empty()) visit(texts[i], extent);
      }
    }
  };
  each([&](const std::string& text, const Extent& extent) {
    if (extent.low == 0) return;
    const auto [known, fresh] = defined.emplace(extent.name, extent);
    if (!fresh && (known->second.low != extent.low || known->second.high != extent.high))
      refuse(text, "the range " + extent.name + " has other bounds in another input; define it once");
  });
  each([&](const std::string& text, Extent& extent) {
    const auto found = defined.find(extent.name);
    if (found == defined.end())
      refuse(text, "nothing says what the range " + extent.name + " is; write " + extent.name +
                       "=1..64 where it is first used");
    extent = found->second;
  });
}

std::int64_t size_of(const Extent& extent, const Sizes& sizes) {
  const auto found = sizes.find(extent.name);
  return extent.is_range() && found != sizes.end() ? found->second : extent.high;
}

std::vector<std::int64_t> shape_of(const InputSpec& input, const Sizes& sizes) {
  std::vector<std::int64_t> out;
  for (const Extent& extent : input.extents) out.push_back(size_of(extent, sizes));
  return out;
}

std::string list_text(const std::vector<std::int64_t>& shape) {
  std::string out = "[";
  for (const std::int64_t size : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(size);
  return out + "]";
}

// Of indices or labels: the dimension of classes of a floating input with the same others, else what is usual.
std::int64_t bound_of(const InputSpec& input, std::span<const InputSpec> inputs, const Sizes& sizes) {
  if (input.below) return *input.below;
  const std::vector<std::int64_t> own = shape_of(input, sizes);
  for (const InputSpec& other : inputs) {
    if (other.type.empty() || type_named(other.type)->kind != ElementType::Kind::kFloat) continue;
    const std::vector<std::int64_t> shape = shape_of(other, sizes);
    if (shape.size() != own.size() + 1) continue;
    for (const std::size_t classes : {std::size_t{1}, shape.size() - 1}) {
      std::vector<std::int64_t> rest = shape;
      if (classes >= rest.size()) continue;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(classes));
      if (rest == own) return shape[classes];
    }
  }
  return kUsualBound;
}

std::string value_text(const InputSpec& input, std::span<const InputSpec> inputs, const Sizes& sizes, bool plain) {
  if (input.type.empty()) return input.expression;
  const ElementType& type = *type_named(input.type);
  const std::string shape = list_text(shape_of(input, sizes)), named = ", dtype=torch." + std::string(type.torch);
  switch (type.kind) {
    case ElementType::Kind::kFloat:
      return "torch.rand(" + shape + (type.name == "f32" || plain ? "" : named) + ")";
    case ElementType::Kind::kTruth:
      return "torch.rand(" + shape + ") > 0.5";
    case ElementType::Kind::kWhole:
      break;
  }
  std::int64_t bound = bound_of(input, inputs, sizes);
  if (type.name == "i8" && !input.below) bound = std::min<std::int64_t>(bound, 127);
  if (type.name == "u8" && !input.below) bound = std::min<std::int64_t>(bound, 255);
  return "torch.randint(0, " + std::to_string(bound) + ", " + shape + (type.name == "i64" ? "" : named) + ")";
}

}  // namespace

std::vector<InputSpec> parse_inputs(std::span<const std::string> texts) {
  std::vector<InputSpec> out;
  for (const std::string& text : texts) out.push_back(parse_one(text));
  join_ranges(texts, out);
  return out;
}

std::vector<Range> ranges_of(std::span<const InputSpec> inputs) {
  std::vector<Range> out;
  for (const InputSpec& input : inputs) {
    for (const Extent& extent : input.extents) {
      const Range range{extent.name, extent.low, extent.high};
      if (extent.is_range() && std::find(out.begin(), out.end(), range) == out.end()) out.push_back(range);
    }
  }
  return out;
}

std::string common_precision(std::span<const InputSpec> inputs) {
  std::set<std::string> types;
  for (const InputSpec& input : inputs) {
    if (!input.type.empty() && type_named(input.type)->kind == ElementType::Kind::kFloat) types.insert(input.type);
  }
  const bool one = types.size() == 1 && (types.contains("f16") || types.contains("bf16"));
  return !one ? "" : *types.begin() == "f16" ? "fp16" : "bf16";
}

std::string inputs_text(std::span<const InputSpec> inputs, const Sizes& sizes) {
  const bool plain = !common_precision(inputs).empty();
  std::string values;
  for (const InputSpec& input : inputs)
    values += (values.empty() ? "" : ", ") + value_text(input, inputs, sizes, plain);
  return "def get_inputs():\n    return [" + values + "]\n";
}

}  // namespace tritonrl::optimize
