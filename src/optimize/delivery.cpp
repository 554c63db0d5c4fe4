#include "optimize/delivery.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "optimize/wording.h"
#include "text/chars.h"

namespace tritonrl::optimize {
namespace {

namespace fs = std::filesystem;
using base::Json;

constexpr std::string_view kFirstWords = "\"\"\"ModelNew: ";

// "GatedMLP" -> "gated_mlp"
std::string in_small_letters(const std::string& name) {
  const auto large = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool begins =
        large(name[i]) && i > 0 && (!large(name[i - 1]) || (i + 1 < name.size() && !large(name[i + 1])));
    if (begins && out.back() != '_') out += '_';
    const bool plain = large(name[i]) || (name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9');
    out += large(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : plain ? name[i] : '_';
  }
  return out;
}

std::string usual_name(const Subject& subject) {
  std::error_code unreachable;
  const bool class_named = !fs::is_regular_file(subject.place, unreachable);
  const std::string name = class_named ? subject.entry_point : fs::path(subject.place).stem().string();
  return in_small_letters(name) + "_optimized.py";
}

// Lines of at most so many bytes, where blanks allow it.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kWidth = 100;
  std::string out;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (line > 0 && line + 1 + end - at > kWidth) out += '\n', line = 0;
    if (line > 0) out += ' ', ++line;
    out += text.substr(at, end - at);
    line += end - at;
    at = end + 1;
  }
  return out;
}

// A file whose name begins with a number is imported by that name alone.
std::string import_line(const std::string& module) {
  if (text::leading_word(module) == module) return "from " + module + " import ModelNew";
  return "ModelNew = importlib.import_module('" + module + "').ModelNew";
}

// Which inputs it was right on, in words.
std::string proven_text(const Optimized& optimized, const Tried& best) {
  std::string tried, not_tried;
  for (const record::VariationResult& one : best.verdict.variations) {
    std::string& list = one.status == record::VariationResult::Status::kPassed ? tried : not_tried;
    if (list.find(one.name) == std::string::npos) list += (list.empty() ? "" : ", ") + one.name;
  }
  std::string out = "Proven by tritonrl's judge " + best.verdict.judge_version + " (policy " + best.verdict.policy +
                    ", " + best.verdict.backend + "): right on all inputs that were tried (" + tried + ")";
  if (!optimized.ranges.empty()) {
    out += ", at " + sizes_text(optimized.timed_sizes);
    for (const RangeProof& proof : optimized.ranges) out += "; " + sizes_text(proof.sizes);
    out += " (the lowest and highest of the ranges, the others drawn in secret)";
  }
  return out + ".";
}

// No text of others may end the string that it stands in, or mean something there.
std::string harmless(std::string text) {
  std::erase_if(text,
                [](char c) { return c == '\\' || c == '"' || (static_cast<unsigned char>(c) < 32 && c != '\n'); });
  return text;
}

Json verdict_json(const record::Verdict& verdict) {
  return Json::parse(record::to_json(verdict));
}

Json candidate_json(const Tried& tried) {
  Json out = {
      {"source", tried.candidate.source},
      {"kind", to_string(tried.verdict.kind)},
      {"rule", tried.verdict.rule},
      {"message", tried.verdict.message},
      {"passed", tried.passed()},
      {"speedup", tried.verdict.timing ? Json(tried.verdict.timing->speedup) : Json()},
      {"timing", !tried.verdict.timing ? Json() : Json(tried.verdict.timing->measured ? "measured" : "modelled")},
      {"code_sha256", base::sha256(tried.candidate.code)}};
  if (!tried.failed_at.empty()) out["failed_at"] = tried.failed_at;
  return out;
}

Json sizes_json(const Sizes& sizes) {
  Json out = Json::object();
  for (const auto& [name, size] : sizes) out[name] = size;
  return out;
}

}  // namespace

Delivery delivery_of(const Subject& subject, const fs::path& out) {
  Delivery delivery;
  delivery.code = out.empty() ? fs::path(usual_name(subject)) : out;
  const std::string name = delivery.code.string();
  if (delivery.code.extension() != ".py")
    throw base::UserError("optimize", "--out " + name + ": choose a name that ends in .py");
  delivery.proof = delivery.code;
  delivery.proof.replace_extension(".json");
  delivery.module_name = delivery.code.stem().string();
  std::error_code unreachable;
  if (fs::is_directory(delivery.code, unreachable))
    throw base::UserError("optimize", "--out " + name + ": is a folder; name a file");
  if (fs::exists(delivery.code, unreachable) && !base::read_file(delivery.code).starts_with(kFirstWords)) {
    throw base::UserError("optimize",
                          name + ": is there and is no earlier result of this command; choose another name by --out");
  }
  if (fs::exists(delivery.proof, unreachable) &&
      base::read_file(delivery.proof).find("\"task_sha256\"") == std::string::npos) {
    throw base::UserError("optimize", delivery.proof.string() +
                                          ": is there, is no earlier proof, and would be overwritten by that of " +
                                          name + "; choose another name by --out");
  }
  return delivery;
}

std::string delivered_code(const Subject& subject, const Optimized& optimized, const Delivery& delivery,
                           const std::string& other_state) {
  const Tried& best = *optimized.best();
  const std::string& cls = subject.entry_point;
  std::string words = wrapped(subject.entry_point + " of " + name_of(subject).substr(0, name_of(subject).rfind(':')) +
                              " with Triton kernels. It takes the place of " + cls +
                              ": the same constructor arguments, the same inputs, the same outputs.") +
                      "\n\n    " + import_line(delivery.module_name) + "\n    model = ModelNew(...).cuda()    # as " +
                      cls + "(...)\n";
  if (other_state.empty()) {
    words += "    model.load_state_dict(trained.state_dict())    # of a trained " + cls + ": the names are the same\n";
  } else {
    words += "\n" +
             wrapped("Its parameters are not those of " + cls + ": " + other_state +
                     ". A state dict of the one does not fit the other.") +
             "\n";
  }
  words += "\n" + wrapped(proven_text(optimized, best)) + "\n" +
           wrapped("Speed: " + speed_text(best.verdict) + ". By: " + best.candidate.source +
                   ". Inputs: " + subject.inputs_from + ". Mode: " + subject.mode +
                   ". The whole proof, with all that was tried: " + delivery.proof.filename().string()) +
           "\n";
  return std::string(kFirstWords) + harmless(words) + "\"\"\"\n" + best.candidate.code +
         (best.candidate.code.ends_with('\n') ? "" : "\n");
}

bool is_delivered(const Optimized& optimized, const OptimizeOptions& options) {
  const Tried* best = optimized.best();
  return best != nullptr && (options.even_slower || is_faster(best->verdict));
}

Json deliver(const Subject& subject, const Optimized& optimized, const OptimizeOptions& options,
             const Delivery& delivery, const std::string& other_state) {
  const bool written = is_delivered(optimized, options);
  const std::string code = written ? delivered_code(subject, optimized, delivery, other_state) : "";
  Json proof = proof_json(subject, optimized, code, other_state);
  proof["file"] = written ? Json(delivery.code.string()) : Json();
  if (!written) return proof;
  if (delivery.code.has_parent_path()) fs::create_directories(delivery.code.parent_path());
  base::write_file_atomically(delivery.code, code);
  base::write_file_atomically(delivery.proof, proof.dump(1) + "\n");
  return proof;
}

Json proof_json(const Subject& subject, const Optimized& optimized, const std::string& code,
                const std::string& other_state) {
  Json out = {{"module", name_of(subject)},         {"entry_point", subject.entry_point},
              {"inputs_from", subject.inputs_from}, {"task_sha256", base::sha256(optimized.task.source)},
              {"task", optimized.task.source},      {"seconds", optimized.seconds}};
  Json ranges = Json::array();
  for (const Range& range : subject.ranges())
    ranges.push_back({{"name", range.name}, {"low", range.low}, {"high", range.high}});
  out["ranges"] = std::move(ranges);
  out["timed_sizes"] = sizes_json(optimized.timed_sizes);
  if (const Tried* best = optimized.best()) {
    Json proven = Json::array();
    for (const RangeProof& proof : optimized.ranges)
      proven.push_back(
          {{"which", proof.which}, {"sizes", sizes_json(proof.sizes)}, {"verdict", verdict_json(proof.verdict)}});
    Json winner = {{"source", best->candidate.source},
                   {"code_sha256", base::sha256(best->candidate.code)},
                   {"judge_version", best->verdict.judge_version},
                   {"speedup", best->speedup()},
                   {"faster", is_faster(best->verdict)},
                   {"same_state_dict", other_state.empty()},
                   {"verdict", verdict_json(best->verdict)},
                   {"other_sizes", std::move(proven)}};
    winner["file_sha256"] = code.empty() ? Json() : Json(base::sha256(code));
    out["winner"] = std::move(winner);
  } else {
    out["winner"] = Json();
  }
  Json candidates = Json::array();
  for (const Tried& tried : optimized.tried) candidates.push_back(candidate_json(tried));
  out["candidates"] = std::move(candidates);
  out["repeated"] = optimized.repeated;
  out["without_time"] = optimized.without_time;
  out["no_teacher"] = optimized.no_teacher;
  return out;
}

}  // namespace tritonrl::optimize
