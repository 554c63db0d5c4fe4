#include "tests/machine/kernel_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/files.h"
#include "base/json.h"
#include "program/program_json.h"

namespace tritonrl::machine {
namespace {

using base::Json;
using program::DType;

constexpr std::byte kGarbage{0xA5};

template <class T>
double as(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

// Sign, exponent and mantissa as IEEE has them. `finite_top`: the largest exponent holds numbers too, and only the
// pattern of all ones is NaN.
double small_float(std::uint32_t bits, int exponent_bits, int mantissa_bits, bool finite_top = false) {
  const std::uint32_t exponent_mask = (1u << exponent_bits) - 1;
  const std::uint32_t exponent = (bits >> mantissa_bits) & exponent_mask;
  const std::uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const bool negative = (bits >> (exponent_bits + mantissa_bits)) & 1;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  double value;
  if (exponent == exponent_mask && !finite_top) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (finite_top && exponent == exponent_mask && mantissa == (1u << mantissa_bits) - 1) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - bias - mantissa_bits);
  } else {
    value = std::ldexp(mantissa + (1u << mantissa_bits), static_cast<int>(exponent) - bias - mantissa_bits);
  }
  return negative ? -value : value;
}

// Written without the machine's own conversions, which are under test.
double element(const char* bytes, DType dtype) {
  std::uint16_t half = 0;
  if (program::size_of(dtype) == 2) std::memcpy(&half, bytes, 2);
  const auto byte = static_cast<std::uint8_t>(*bytes);
  switch (dtype) {
    case DType::kFloat64:
      return as<double>(bytes);
    case DType::kFloat32:
      return as<float>(bytes);
    case DType::kFloat16:
      return small_float(half, 5, 10);
    case DType::kBFloat16:
      return small_float(half, 8, 7);
    case DType::kFloat8E4M3Fn:
      return small_float(byte, 4, 3, true);
    case DType::kFloat8E5M2:
      return small_float(byte, 5, 2);
    case DType::kInt64:
      return as<std::int64_t>(bytes);
    case DType::kInt32:
      return as<std::int32_t>(bytes);
    case DType::kInt16:
      return as<std::int16_t>(bytes);
    case DType::kInt8:
      return as<std::int8_t>(bytes);
    case DType::kUInt64:
      return as<std::uint64_t>(bytes);
    case DType::kUInt32:
      return as<std::uint32_t>(bytes);
    case DType::kUInt16:
      return as<std::uint16_t>(bytes);
    default:
      return byte;
  }
}

double error_ratio(double got, double wanted, const Expected& expected) {
  if (got == wanted || (std::isnan(got) && std::isnan(wanted))) return 0;
  const double error = std::abs(got - wanted);
  const double allowed = expected.atol + expected.rtol * std::abs(wanted);
  return std::isfinite(error) && allowed > 0 ? error / allowed : std::numeric_limits<double>::infinity();
}

std::string slice(const std::string& blob, const Json& part) {
  return blob.substr(part.at("offset").get<std::size_t>(), part.at("bytes").get<std::size_t>());
}

KernelCase parse(const Json& json, const std::string& blob, program::Program program) {
  KernelCase out{.name = json.at("name").text(),
                 .family = json.at("family").text(),
                 .program = std::move(program),
                 .contents = {},
                 .pointers = {},
                 .expected = {}};
  out.contents.resize(out.program.storages.size());
  for (const Json& one : json.at("inputs")) out.contents.at(one.at("storage").get<std::size_t>()) = slice(blob, one);
  for (const Json& one : json.at("pointers")) {
    out.pointers.push_back(
        {one.at("storage").get<int>(), one.at("index").integer(), one.at("to").get<int>(), one.at("offset").integer()});
  }
  for (const Json& one : json.at("expected")) {
    const std::optional<DType> dtype = program::dtype_from_string(one.at("dtype").get<std::string>());
    TRL_CHECK(dtype.has_value(), "a case of an unknown dtype");
    out.expected.push_back({one.at("from").text(), one.at("storage").get<int>(), *dtype, slice(blob, one),
                            one.at("rtol").real(), one.at("atol").real()});
  }
  return out;
}

}  // namespace

base::Result<KernelCase> load_kernel_case(const std::filesystem::path& json_file) {
  const std::string blob = base::read_file(std::filesystem::path(json_file).replace_extension(".bin"));
  try {
    const Json json = Json::parse(base::read_file(json_file));
    base::Result<program::Program> program = program::program_from_json(json.at("program"));
    if (!program.ok()) return base::Failure{json_file.filename().string() + ": " + program.error()};
    return parse(json, blob, std::move(program).value());
  } catch (const base::JsonError& fault) {
    return base::Failure{json_file.filename().string() + ": " + fault.what()};
  }
}

std::vector<std::filesystem::path> kernel_case_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

CaseMemory::CaseMemory(const KernelCase& kernel_case) {
  const std::vector<program::Storage>& storages = kernel_case.program.storages;
  for (std::size_t i = 0; i < storages.size(); ++i) {
    std::vector<std::byte>& data = data_.emplace_back(static_cast<std::size_t>(storages[i].bytes), kGarbage);
    const std::optional<std::string>& contents = kernel_case.contents[i];
    if (contents) std::memcpy(data.data(), contents->data(), std::min(contents->size(), data.size()));
    allocations_.push_back(
        memory_.add(data.data(), storages[i].bytes, "storage " + std::to_string(i), contents.has_value()));
  }
  for (const PointerElement& pointer : kernel_case.pointers) {
    const std::uint64_t value = address(pointer.to) + static_cast<std::uint64_t>(pointer.offset);
    std::memcpy(data_.at(static_cast<std::size_t>(pointer.storage)).data() + pointer.index * 8, &value, sizeof(value));
  }
}

std::uint64_t CaseMemory::address(int storage) const {
  return memory_.at(allocations_.at(static_cast<std::size_t>(storage))).address;
}

std::string_view CaseMemory::bytes(int storage) const {
  const std::vector<std::byte>& data = data_.at(static_cast<std::size_t>(storage));
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

Distance distance(std::string_view got, const Expected& expected) {
  const auto size = static_cast<std::size_t>(program::size_of(expected.dtype));
  Distance worst;
  if (got.size() != expected.bytes.size()) return {std::numeric_limits<double>::infinity(), -1, 0, 0};
  for (std::size_t i = 0; i < got.size() / size; ++i) {
    const char* a = got.data() + i * size;
    const char* b = expected.bytes.data() + i * size;
    if (std::memcmp(a, b, size) == 0) continue;  // also exact where 64-bit integers do not fit a double
    const double mine = element(a, expected.dtype), theirs = element(b, expected.dtype);
    const double ratio = program::is_floating(expected.dtype) ? error_ratio(mine, theirs, expected)
                                                              : std::numeric_limits<double>::infinity();
    if (ratio > worst.ratio) worst = {ratio, static_cast<std::int64_t>(i), mine, theirs};
  }
  return worst;
}

}  // namespace tritonrl::machine
