#include "tests/runner/test_runner.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "sandbox/probe.h"
#include "tests/paths.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::runner {
namespace {

template <class T>
std::vector<double> values_as(const std::string& bytes) {
  std::vector<double> out(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<double>(value);
  }
  return out;
}

}  // namespace

RunnerOptions test_runner_options() {
  RunnerOptions options;
  options.executable = build_path("tritonrl-runner");
  options.policy.level = sandbox::best_level(sandbox::probe());
  return options;
}

Runner& test_runner() {
  static Runner runner(test_runner_options());
  return runner;
}

program::Program record_task(const std::string& source, std::uint64_t seed, int forwards) {
  python::RecordRequest request = python::task_request(source);
  request.forwards = forwards;
  request.answer = [&](const program::Program& so_far, const program::Question& question) {
    return test_runner().run(question_request(so_far, question, seed)).answer;
  };
  const python::RecordOutcome outcome = python::test_recorder().record(request);
  if (!outcome.program) throw std::runtime_error("not recorded: " + outcome.message);
  return *outcome.program;
}

// Compilers for ARM do not all know the type in C++.
static double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

std::vector<double> values(const TensorData& tensor) {
  switch (tensor.dtype) {
    case program::DType::kFloat32:
      return values_as<float>(tensor.bytes);
    case program::DType::kFloat64:
      return values_as<double>(tensor.bytes);
    case program::DType::kInt64:
      return values_as<std::int64_t>(tensor.bytes);
    case program::DType::kInt32:
      return values_as<std::int32_t>(tensor.bytes);
    case program::DType::kInt8:
      return values_as<std::int8_t>(tensor.bytes);
    case program::DType::kBool:
      return values_as<std::uint8_t>(tensor.bytes);
    case program::DType::kFloat16:
    case program::DType::kBFloat16:
      break;
    default:
      throw std::runtime_error("values of this type are not read by tests");
  }
  const bool brain = tensor.dtype == program::DType::kBFloat16;
  std::vector<double> out;
  for (std::size_t i = 0; i + 1 < tensor.bytes.size(); i += 2) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, tensor.bytes.data() + i, 2);
    if (brain) {
      const std::uint32_t wide = std::uint32_t{bits} << 16;
      float value = 0;
      std::memcpy(&value, &wide, 4);
      out.push_back(value);
    } else {
      out.push_back(half(bits));
    }
  }
  return out;
}

}  // namespace tritonrl::runner
