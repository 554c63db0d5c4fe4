#include "cli/field_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

namespace tritonrl::cli {
namespace {

using base::FieldNotes;
using base::FieldType;
using base::Json;
using Form = base::FieldType::Form;

// "--timing-num-warmup,--timing_num_warmup"
std::string both_spellings(const std::string& name) {
  std::string dashes = name;
  std::replace(dashes.begin(), dashes.end(), '_', '-');
  return dashes == name ? "--" + name : "--" + dashes + ",--" + name;
}

const char* type_name(Form form) {
  switch (form) {
    case Form::kTruth:
      return "BOOLEAN";
    case Form::kWhole:
      return "INT";
    case Form::kReal:
      return "FLOAT";
    default:
      return "TEXT";
  }
}

// A word of the command line as the value that it means for a field of this form.
Json value_of(const std::string& text, Form form) {
  if (form == Form::kText || form == Form::kTexts) return text;
  if (form == Form::kTruth) {
    try {
      return CLI::detail::to_flag_value(text) > 0;
    } catch (const std::logic_error&) {  // neither a word for yes or no nor a number
      return text;
    }
  }
  // JSON knows no "+1", "1_000" or "0x10", and neither do we
  const std::optional<Json> number = Json::try_parse(text);
  return number && number->is_number() ? *number : Json(text);
}

std::string default_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.text();
  if (value.is_boolean()) return value.boolean() ? "true" : "false";
  if (!value.is_array()) return value.is_number_float() ? CLI::detail::to_string(value.real()) : value.dump();
  std::string out;
  for (const Json& item : value) out += (out.empty() ? "" : ",") + default_text(item);
  return out;
}

// CLI11 shows "TEXT:{a,b}" for what may be chosen and "FLOAT:FLOAT in [0 - 1]" for a range.
std::string shown_type(const FieldType& type, const FieldNotes& notes) {
  const std::span<const char* const> choices = type.names != nullptr ? type.names() : notes.choices;
  std::string out = type_name(type.form);
  for (std::size_t i = 0; i < choices.size(); ++i) out += (i == 0 ? ":{" : ",") + std::string(choices[i]);
  if (!choices.empty()) out += "}";
  return out;
}

class Declarer : public base::FieldVisitor {
 public:
  Declarer(CLI::App& command, const std::string& group) : command_(command), group_(group) {}
  bool writes() const override { return false; }

 protected:
  void visit(const char* name, void* value, const FieldType& type, const FieldNotes& notes) override {
    if (!notes.settable) return;
    if (type.visit != nullptr) return type.visit(value, *this);
    const std::string field = notes.option != nullptr ? notes.option : name;
    const std::string shown = both_spellings(field).substr(0, both_spellings(field).find(','));
    const auto put = [shown, value, &type, notes](const Json& json) {
      try {
        base::put_field(json, value, type, notes, shown);
      } catch (const base::FieldError& error) {
        throw CLI::ValidationError(error.what());
      }
      return true;
    };
    if (type.form == Form::kTruth && (notes.inverse || type.empty(value))) {
      command_
          .add_flag_function(
              both_spellings(field),
              [put, inverse = notes.inverse](std::int64_t count) { put((count > 0) != inverse); }, notes.help)
          ->group(group_);
      return;
    }
    const bool list = type.form == Form::kTexts;
    const auto read = [put, list, form = type.form](const CLI::results_t& words) {
      if (!list) return put(value_of(words.back(), form));
      Json::Array items;
      for (const std::string& word : words) items.push_back(word);
      return put(items);
    };
    CLI::Option* option = command_.add_option(both_spellings(field), read, notes.help, /*defaulted=*/false);
    option->group(group_)->type_name(shown_type(type, notes));
    option->default_str(default_text(type.write(value)));
    option->run_callback_for_default(false);
    // one word a time: a list must not take the file that stands behind it
    if (list) option->delimiter(',')->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  }

 private:
  CLI::App& command_;
  const std::string& group_;
};

}  // namespace

void declare_visited(CLI::App& command, void* options, void (*visit)(void*, base::FieldVisitor&),
                     const std::string& group) {
  Declarer declarer(command, group);
  visit(options, declarer);
}

}  // namespace tritonrl::cli
