#include "machine/coverage.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

constexpr std::string_view kAlways[] = {"tt.load",
                                        "tt.store",
                                        "tt.atomic_rmw",
                                        "tt.atomic_cas",
                                        "tt.descriptor_load",
                                        "tt.descriptor_store",
                                        "tt.descriptor_reduce",
                                        "tt.descriptor_gather",
                                        "tt.descriptor_scatter",
                                        "tt.dot",
                                        "tt.dot_scaled",
                                        "tt.reduce",
                                        "tt.scan",
                                        "tt.map_elementwise",
                                        "tt.gather",
                                        "tt.histogram",
                                        "tt.extern_elementwise",
                                        "arith.cmpf"};

bool matters(const Step& step) {
  if (step.op == nullptr) return false;
  const std::string_view name = step.op->name;
  if (std::find(std::begin(kAlways), std::end(kAlways), name) != std::end(kAlways)) return true;
  // `function`: arithmetic on elements, casts and selects included; steps that only move values have none
  return step.function != nullptr && is_float(step.scalar) && name != "arith.sitofp" && name != "arith.uitofp";
}

// A round that needs nothing of the one before does nothing new.
bool hands_on(const Step& step) {
  if (step.op == nullptr) return false;
  if (step.op->name == "scf.condition") return step.target > 0;  // of a while: the step that tests it
  return step.op->name == "scf.for" && step.target < 0 && !step.op->results.empty();
}

int form_of(const Step& step) {
  if (step.form != 0 || !is_float(step.scalar) || step.scalar == Scalar::kF32) return step.form;
  return 1 + static_cast<int>(step.scalar);
}

std::optional<SourcePosition> position_of(const Step& step, const Module& module, std::string_view source_file) {
  const Location* place = place_in(module, step.location, source_file);
  if (place == nullptr || place->file != source_file || place->line < 1) return std::nullopt;
  return SourcePosition{place->line, place->column, 0, hands_on(step) ? 0 : form_of(step)};
}

}  // namespace

const Step* run_noted_select(Worker& worker, const Step& step) {
  const auto count = static_cast<std::size_t>(worker.count(step));
  if (step.mark != 0) {
    const auto* flags = worker.at<std::uint8_t>(step.in[0]);
    std::uint8_t* sides = worker.marks + step.mark + 1;
    sides[0] |= static_cast<std::uint8_t>(std::memchr(flags, 1, count) != nullptr);
    sides[1] |= static_cast<std::uint8_t>(std::memchr(flags, 0, count) != nullptr);
  }
  const void* in[4] = {worker.frame + step.in[0], worker.frame + step.in[1], worker.frame + step.in[2],
                       worker.frame + step.in[3]};
  step.function(worker.frame + step.out[0], in, worker.count(step));
  return &step + 1;
}

std::vector<SourcePosition> number_places(Code& code, const Module& module, std::string_view source_file) {
  std::vector<SourcePosition> places = {{}};  // sorts before every real one
  for (const auto* steps : {&code.body, &code.regions}) {
    for (const Step& step : *steps) {
      if (!matters(step) && !hands_on(step)) continue;
      const auto position = position_of(step, module, source_file);
      if (!position) continue;
      if (hands_on(step)) {
        for (const int round : {SourcePosition::kSecondRound, SourcePosition::kThirdRound})
          places.push_back({position->line, position->column, round});
        continue;
      }
      places.push_back(*position);
      if (step.run != run_noted_select) continue;
      for (const int side : {1, 2}) places.push_back({position->line, position->column, side, position->form});
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (auto* steps : {&code.body, &code.regions}) {
    for (Step& step : *steps) {
      if (!matters(step) && !hands_on(step)) continue;
      auto position = position_of(step, module, source_file);
      if (!position) continue;
      if (hands_on(step)) position->side = SourcePosition::kSecondRound;
      const auto number = std::lower_bound(places.begin(), places.end(), *position) - places.begin();
      (hands_on(step) ? step.again : step.mark) = static_cast<std::int32_t>(number);
    }
  }
  return places;
}

}  // namespace tritonrl::machine
