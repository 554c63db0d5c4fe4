#include "runner/outcome_wire.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "base/fields.h"
#include "program/program_json.h"
#include "runner/oracle_type.h"
#include "runner/structure_tensors.h"

namespace tritonrl::runner {
namespace {

using base::Json;

using Positions = std::vector<machine::SourcePosition>;

constexpr std::size_t kMostCovered = std::size_t{1} << 24;  // positions of all launches together

[[noreturn]] void wrong(const std::string& what) {
  throw base::JsonError(what);
}

double number_from_json(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string name = json.at("float").get<std::string>();
  return name == "nan"   ? std::numeric_limits<double>::quiet_NaN()
         : name == "inf" ? std::numeric_limits<double>::infinity()
                         : -std::numeric_limits<double>::infinity();
}

constexpr int kSides = 8;  // a form and a side are one number

// Sorted and without repetition, as covered places are.
Json positions_json(const Positions& positions) {
  std::vector<int> flat;
  for (const machine::SourcePosition& one : positions)
    flat.insert(flat.end(), {one.line, one.column, one.form * kSides + one.side});
  return flat;
}

Positions positions_from_json(const Json& json) {
  const auto flat = json.get<std::vector<int>>();
  Positions out;
  for (std::size_t i = 0; i + 2 < flat.size(); i += 3)
    out.push_back({flat[i], flat[i + 1], flat[i + 2] % kSides, flat[i + 2] / kSides});
  const bool sorted = std::adjacent_find(out.begin(), out.end(), std::greater_equal<>()) == out.end();
  if (flat.size() != 3 * out.size() || !sorted || (!out.empty() && out.front().line < 1)) wrong("no list of positions");
  return out;
}

class Reader {
 public:
  Reader(Message message, const RunRequest& request) : message_(std::move(message)), request_(request) {}

  RunOutcome run() {
    const Json& header = message_.header;
    RunOutcome out;
    base::read_fields(header, out);
    read_launches(header, out);
    for (const Json& one : header.at("forwards").elements()) out.forwards.push_back(forward(one));
    if (const Json* answer = header.find("answer")) out.answer = answer_from_json(*answer);
    for (const Json& one : header.at("alone").elements()) out.alone.push_back(alone(one));
    if (const Json* rows = header.find("rows")) out.rows = rows_of(*rows);
    if (header.at("state").get<bool>()) {
      if (!request_.want_state) wrong("state that nobody asked for");
      for (const program::NamedTensor& one : request_.program->state) out.state.push_back(tensor(one.tensor, false));
    }
    return out;
  }

 private:
  std::string blob() {
    if (taken_ == message_.blobs.size()) wrong("too few blobs");
    return std::move(message_.blobs[taken_++]);
  }

  // Many launches of one kernel cover the same: each names one of the header's lists.
  void read_launches(const Json& header, RunOutcome& out) {
    std::vector<Positions> lists;
    for (const Json& list : header.at("covered").elements()) lists.push_back(positions_from_json(list));
    std::size_t sum = 0;
    for (const Json& one : header.at("launches").elements()) {
      LaunchReport& report = out.launches.emplace_back();
      base::read_fields(one, report, "launch");
      for (const machine::TensorTraffic& traffic : report.counters.tensors) {
        if (traffic.storage < -1 || traffic.storage >= static_cast<int>(request_.program->storages.size())) {
          wrong("no such storage");
        }
      }
      const auto index = one.at("covered").get<std::int64_t>();
      if (index < 0) continue;
      if (static_cast<std::size_t>(index) >= lists.size()) wrong("no such list of positions");
      report.covered = lists[static_cast<std::size_t>(index)];
      sum += report.covered.size();
      if (sum > kMostCovered) wrong("too many positions");
    }
  }

  TensorData tensor(program::TensorRef ref, bool widened) {
    const program::Tensor& tensor = request_.program->tensors[static_cast<std::size_t>(ref.index)];
    const program::DType dtype = widened ? oracle_type(tensor.dtype) : tensor.dtype;
    TensorData out{.dtype = dtype, .sizes = tensor.sizes, .bytes = blob()};
    if (static_cast<std::int64_t>(out.bytes.size()) != tensor.numel() * program::size_of(dtype)) {
      wrong("a tensor of another length");
    }
    return out;
  }

  std::vector<TensorData> tensors(const program::Structure& structure, bool widened) {
    std::vector<TensorData> out;
    for (const program::TensorRef ref : tensors_of(structure)) out.push_back(tensor(ref, widened));
    return out;
  }

  ForwardResult forward(const Json& json) {
    ForwardResult out;
    json.get_to(out.forward);
    if (out.forward < 0 || static_cast<std::size_t>(out.forward) >= request_.program->forwards.size()) {
      wrong("no such forward");
    }
    const program::Forward& recorded = request_.program->forwards[static_cast<std::size_t>(out.forward)];
    if (request_.sample > 0) return out;
    if (request_.want_inputs) out.inputs = tensors(recorded.inputs, false);
    if (request_.want_outputs) out.outputs = tensors(recorded.outputs, request_.oracle);
    return out;
  }

  std::vector<TensorData> narrowed(const program::Structure& structure, const std::vector<int>& dimensions) {
    std::vector<TensorData> out;
    const auto refs = tensors_of(structure);
    for (std::size_t i = 0; i < refs.size(); ++i) {
      const program::Tensor& tensor = request_.program->tensors[static_cast<std::size_t>(refs[i].index)];
      TensorData& data = out.emplace_back();
      data.dtype = tensor.dtype;
      data.sizes = tensor.sizes;
      if (dimensions[i] >= 0) {
        std::int64_t& size = data.sizes[static_cast<std::size_t>(dimensions[i])];
        size = size / request_.rows->count * request_.rows->most;
      }
      data.bytes = blob();
      std::int64_t elements = 1;
      for (const std::int64_t size : data.sizes) elements *= size;
      if (static_cast<std::int64_t>(data.bytes.size()) != elements * program::size_of(data.dtype))
        wrong("rows of another length");
    }
    return out;
  }

  RowValues rows_of(const Json& json) {
    if (!request_.rows) wrong("rows that nobody asked for");
    RowValues out;
    base::read_fields(json, out, "rows");
    if (!out.unknown.empty()) return out;
    if (static_cast<std::int64_t>(out.rows.size()) != request_.rows->most) wrong("another number of rows");
    for (const std::int64_t row : out.rows) {
      if (row < 0 || row >= request_.rows->count) wrong("no such row");
    }
    const auto last = static_cast<std::size_t>(request_.forwards.back());
    const program::Forward& forward = request_.program->forwards[last];
    out.inputs = narrowed(forward.inputs, request_.rows->inputs);
    out.outputs = narrowed(forward.outputs, request_.rows->outputs);
    for (const TensorData& one : out.outputs) {
      out.written.push_back(blob());
      if (out.written.back().size() * static_cast<std::size_t>(program::size_of(one.dtype)) != one.bytes.size())
        wrong("marks of another length");
    }
    return out;
  }

  AloneStorage alone(const Json& json) {
    AloneStorage out;
    base::read_fields(json, out, "alone");
    if (out.storage < 0 || static_cast<std::size_t>(out.storage) >= request_.program->storages.size()) {
      wrong("no such storage");
    }
    const auto bytes = request_.program->storages[static_cast<std::size_t>(out.storage)].bytes;
    for (std::string* part : {&out.before, &out.after, &out.written}) {
      *part = blob();
      if (static_cast<std::int64_t>(part->size()) != bytes) wrong("a storage of another length");
    }
    return out;
  }

  Message message_;
  const RunRequest& request_;
  std::size_t taken_ = 0;
};

// See Reader::read_launches.
void write_launches(const RunOutcome& outcome, Json& header) {
  std::map<Positions, int> lists;
  std::size_t sum = 0;
  for (const LaunchReport& report : outcome.launches) {
    Json& one = header["launches"].emplace_back(base::to_json(report));
    sum += report.covered.size();
    one["covered"] = -1;
    if (report.covered.empty() || sum > kMostCovered) continue;
    const auto [place, fresh] = lists.emplace(report.covered, static_cast<int>(lists.size()));
    if (fresh) header["covered"].push_back(positions_json(report.covered));
    one["covered"] = place->second;
  }
}

}  // namespace

Json answer_to_json(const program::Value& answer) {
  return Json::parse(program::to_json(answer));
}

program::Value answer_from_json(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return {json.get<bool>()};
  if (json.is_number_integer()) return {json.get<std::int64_t>()};
  if (json.is_object() && json.contains("complex")) {
    const Json& parts = json["complex"];
    return {std::complex<double>(number_from_json(parts.at(0)), number_from_json(parts.at(1)))};
  }
  if (!json.is_array()) return {number_from_json(json)};
  program::Value::List list;
  for (const Json& item : json) {
    if (item.is_array()) wrong("a list in a list");
    list.push_back(answer_from_json(item));
  }
  return {std::move(list)};
}

MessageView to_message(const RunOutcome& outcome) {
  MessageView out;
  Json& header = out.header;
  header = base::to_json(outcome);
  for (const char* list : {"launches", "covered", "forwards", "alone"}) header[list] = Json::array();
  write_launches(outcome, header);
  for (const ForwardResult& result : outcome.forwards) {
    header["forwards"].push_back(result.forward);
    for (const TensorData& tensor : result.inputs) out.blobs.emplace_back(tensor.bytes);
    for (const TensorData& tensor : result.outputs) out.blobs.emplace_back(tensor.bytes);
  }
  if (outcome.answer) header["answer"] = answer_to_json(*outcome.answer);
  for (const AloneStorage& one : outcome.alone) {
    header["alone"].push_back(base::to_json(one));
    for (const std::string* part : {&one.before, &one.after, &one.written}) out.blobs.emplace_back(*part);
  }
  if (outcome.rows) {
    header["rows"] = base::to_json(*outcome.rows);
    for (const TensorData& tensor : outcome.rows->inputs) out.blobs.emplace_back(tensor.bytes);
    for (const TensorData& tensor : outcome.rows->outputs) out.blobs.emplace_back(tensor.bytes);
    for (const std::string& marks : outcome.rows->written) out.blobs.emplace_back(marks);
  }
  header["state"] = !outcome.state.empty();
  for (const TensorData& tensor : outcome.state) out.blobs.emplace_back(tensor.bytes);
  return out;
}

base::Result<RunOutcome> outcome_from_message(Message message, const RunRequest& request) {
  try {
    return Reader(std::move(message), request).run();
  } catch (const base::JsonError& error) {
    return base::Failure{error.what()};
  }
}

}  // namespace tritonrl::runner
