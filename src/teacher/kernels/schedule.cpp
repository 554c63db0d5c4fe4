#include "teacher/kernels/schedule.h"

#include <charconv>
#include <set>

namespace tritonrl::teacher {
namespace {

using base::Json;

Json value_of(std::string_view word) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size()) return number;
  if (word == "true" || word == "false") return word == "true";
  return std::string(word);
}

std::string word_of(const Json::Member& member) {
  return member.name + "=" + (member.value.is_string() ? member.value.text() : member.value.dump());
}

bool is_power_of_two(std::int64_t number) {
  return number > 0 && (number & (number - 1)) == 0;
}

}  // namespace

std::span<const char* const> enum_names(RowForm) {
  static constexpr const char* kNames[] = {"loop", "whole", "several", "columns", "split"};
  return kNames;
}

std::span<const char* const> enum_names(DotPrecision) {
  static constexpr const char* kNames[] = {"ieee", "tf32x3"};
  return kNames;
}

void Schedule::fields(base::FieldVisitor& field) {
  const auto within = [](double least, double most) {
    return base::FieldNotes{.presence = base::Presence::kWhereSet, .least = least, .most = most};
  };
  field("form", form, base::kWhereSet);
  field("rows", rows, within(1, 1024));
  field("parts", parts, within(2, 1024));
  field("block", block, within(16, kMostAtOnce));
  field("m", m, within(1, 256));
  field("n", n, within(16, 256));
  field("k", k, within(16, 4096));
  field("dot", dot, base::kWhereSet);
  field("grouped", grouped, base::kWhereSet);
  field("unrolled", unrolled, base::kWhereSet);
  field("warps", warps, within(1, 16));
  field("stages", stages, within(1, 8));
}

std::string Schedule::launch_options() const {
  std::string out;
  if (warps) out += "num_warps=" + std::to_string(*warps);
  if (stages) out += (out.empty() ? "" : ", ") + ("num_stages=" + std::to_string(*stages));
  return out;
}

std::string to_text(const Schedule& schedule) {
  std::string out;
  const Json json = base::to_json(schedule);
  for (const Json::Member& member : json.items()) out += (out.empty() ? "" : " ") + word_of(member);
  return out;
}

base::Result<Schedule> read_schedule(std::string_view words) {
  Json json = Json::object();
  for (std::size_t at = 0; (at = words.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::string_view word = words.substr(at, words.find(' ', at) - at);
    at += word.size();
    const std::size_t sign = word.find('=');
    if (sign == std::string_view::npos || sign == 0 || sign + 1 == word.size())
      return base::Failure{"'" + std::string(word.substr(0, 40)) + "' is no word of a schedule; write name=value"};
    const std::string name(word.substr(0, sign));
    if (json.find(name) != nullptr) return base::Failure{name + " is said twice"};
    json[name] = value_of(word.substr(sign + 1));
    const bool sized = name != "stages" && json.at(name).is_number();
    if (sized && !is_power_of_two(json.at(name).integer())) return base::Failure{name + " is no power of two"};
  }
  Schedule out;
  try {
    base::read_fields(json, out, "", base::Unknown::kRefuse);
  } catch (const base::FieldError& error) {
    return base::Failure{error.what()};
  }
  return out;
}

std::string not_taken(const Schedule& asked, const Schedule& taken) {
  const Json wanted = base::to_json(asked), there = base::to_json(taken);
  for (const Json::Member& member : wanted.items()) {
    const Json* found = there.find(member.name);
    if (found == nullptr || word_of({member.name, *found}) != word_of(member)) return word_of(member);
  }
  return "";
}

}  // namespace tritonrl::teacher
