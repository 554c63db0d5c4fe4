#include "data/prepare/statistics.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tritonrl::data {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kNamed = 5;  // of each reason

// One list of all fields, for both directions.
template <class S, class Visit>
void visit_fields(S& statistics, const Visit& visit) {
  visit("read", statistics.read);
  visit("left_out", statistics.left_out);
  visit("named", statistics.named);
  visit("task_only", statistics.task_only);
  visit("tasks", statistics.tasks);
  visit("pairs", statistics.pairs);
  visit("labelled_by_program", statistics.labelled_by_program);
  visit("degenerate", statistics.degenerate);
  visit("not_runnable", statistics.not_runnable);
  visit("operators", statistics.operators);
  visit("verdicts", statistics.verdicts);
  visit("confusion", statistics.confusion);
  visit("odd_confusion", statistics.odd_confusion);
  visit("token_unit", statistics.token_unit);
  visit("instruction_tokens", statistics.instruction_tokens);
  visit("output_tokens", statistics.output_tokens);
  visit("code_bytes", statistics.code_bytes);
  visit("output_bytes", statistics.output_bytes);
}

OrderedJson spread_json(const Spread& spread) {
  const Spread::State state = spread.state();
  OrderedJson steps = OrderedJson::array();
  for (const auto& [step, count] : state.steps) steps.push_back({step, count});
  return {{"count", state.count},         {"sum", state.sum},
          {"mean", spread.mean()},        {"median", spread.quantile(0.5)},
          {"p95", spread.quantile(0.95)}, {"largest", state.largest},
          {"steps", std::move(steps)}};
}

Spread spread_from(const OrderedJson& json) {
  Spread::State state{.count = json.at("count"), .sum = json.at("sum"), .largest = json.at("largest"), .steps = {}};
  for (const OrderedJson& step : json.at("steps")) state.steps[step.at(0)] = step.at(1);
  return Spread::from(state);
}

}  // namespace

std::int64_t Statistics::kept() const {
  std::int64_t sum = 0;
  for (const auto& levels : tasks) sum += levels[1] + levels[2] + levels[3];
  return sum;
}

std::int64_t Statistics::kept_pairs() const {
  std::int64_t sum = 0;
  for (const auto& levels : pairs) sum += levels[1] + levels[2] + levels[3];
  return sum;
}

void Statistics::leave_out(const std::string& reason, const std::string& place, const std::string& message) {
  ++left_out[reason];
  std::vector<std::string>& names = named[reason];
  if (names.size() < kNamed) names.push_back(place + ": " + message);
}

std::string to_json(const Statistics& statistics) {
  OrderedJson out = {{"kept", statistics.kept()}, {"kept_pairs", statistics.kept_pairs()}};
  visit_fields(statistics, [&](const char* name, const auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Spread>) {
      out[name] = spread_json(value);
    } else {
      out[name] = value;
    }
  });
  return out.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

Statistics statistics_from_json(const std::string& text) {
  Statistics out;
  try {
    const OrderedJson json = OrderedJson::parse(text);
    visit_fields(out, [&](const char* name, auto& value) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Spread>) {
        value = spread_from(json.at(name));
      } else {
        json.at(name).get_to(value);
      }
    });
  } catch (const OrderedJson::exception& error) {
    throw base::UserError("prepare", std::string("the state of the earlier run cannot be read: ") + error.what());
  }
  return out;
}

}  // namespace tritonrl::data
