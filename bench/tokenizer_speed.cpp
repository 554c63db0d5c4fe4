// Claim: our tokenizer is at least three times as fast as Hugging Face's `tokenizers`, one thread each, with the same
// number of tokens; processor time, the median of several rounds that take turns. Its time is that of the fastest of
// encode, encode_batch and encode_batch_fast, after a round that fills its cache.
//   bench_tokenizer_speed TOKENIZER_JSON [PYTHON]      (or the environment's TRITONRL_REFERENCE_PYTHON)

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/subprocess.h"
#include "peer_run.h"
#include "tests/paths.h"
#include "text/tokenizer/tokenizer.h"

using namespace tritonrl;
namespace fs = std::filesystem;

namespace {

using bench::give_up;
using bench::processor_seconds;
using bench::TemporaryFolder;

constexpr int kRounds = 5;
constexpr double kClaim = 3;

struct Peer {
  std::string python;
  std::string script = source_path("bench/tokenizer_speed.py");

  std::string run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {python, script});
    const base::CommandResult result = base::run_command(arguments, std::chrono::minutes(10));
    if (!result.started) give_up("cannot start " + python);
    if (result.exit_code != 0) give_up(script + " failed:\n" + result.errors);
    return result.output;
  }
};

struct Measured {
  double seconds = 0;
  std::size_t tokens = 0;
};

std::vector<std::string> read_documents(const fs::path& path) {
  const std::string data = base::read_file(path);
  std::vector<std::string> documents;
  for (std::size_t at = 0; at < data.size();) {
    std::uint32_t length = 0;
    std::memcpy(&length, data.data() + at, sizeof length);
    documents.push_back(data.substr(at + sizeof length, length));
    at += sizeof length + length;
  }
  return documents;
}

Measured measure_ours(const text::Tokenizer& tokenizer, const std::vector<std::string>& documents) {
  Measured result;
  const double start = processor_seconds();
  for (const std::string& document : documents) result.tokens += tokenizer.encode(document).size();
  result.seconds = processor_seconds() - start;
  return result;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The ratio of the two medians.
double compare(const std::string& name, const fs::path& corpus, const std::string& tokenizer_path, const Peer& peer) {
  const text::Tokenizer tokenizer = text::Tokenizer::from_file(tokenizer_path);
  const std::vector<std::string> documents = read_documents(corpus);
  double megabytes = 0;
  for (const std::string& document : documents) megabytes += 1e-6 * static_cast<double>(document.size());
  measure_ours(tokenizer, documents);
  std::vector<double> ours, theirs;
  for (int round = 0; round < kRounds; ++round) {
    Measured other;
    std::istringstream(peer.run({"time", tokenizer_path, corpus.string()})) >> other.seconds >> other.tokens;
    const Measured own = measure_ours(tokenizer, documents);
    if (own.tokens != other.tokens) give_up("the two give different numbers of tokens");
    ours.push_back(own.seconds);
    theirs.push_back(other.seconds);
  }
  const double ratio = median(theirs) / median(ours);
  std::printf("%-6s %6.1f MB in %zu documents: ours %6.1f MB/s, tokenizers %5.1f MB/s, %.1f times as fast\n",
              name.c_str(), megabytes, documents.size(), megabytes / median(ours), megabytes / median(theirs), ratio);
  return ratio;
}

}  // namespace

int main(int argc, char** argv) try {
  const char* const python = argc > 2 ? argv[2] : std::getenv("TRITONRL_REFERENCE_PYTHON");
  if (argc < 2 || python == nullptr) give_up("usage: bench_tokenizer_speed TOKENIZER_JSON [PYTHON]");
  const Peer peer{python};
  const TemporaryFolder folder("tokenizer_speed");
  peer.run({"corpus", folder.path.string()});
  const double code = compare("code", folder.path / "code.bin", argv[1], peer);
  const double prose = compare("prose", folder.path / "prose.bin", argv[1], peer);
  const bool holds = code >= kClaim && prose >= kClaim;
  std::printf("claim: at least %.0f times as fast: %s\n", kClaim, holds ? "holds" : "DOES NOT HOLD");
  return holds ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
