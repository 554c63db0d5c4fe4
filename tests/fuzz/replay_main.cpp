// Stands in for libFuzzer where the compiler has none: runs the target on every seed and on a few thousand changed
// copies of them, always the same ones.
//
//     fuzz_x [-runs=N] SEED_FILE_OR_FOLDER ...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Random = std::mt19937_64;

std::size_t pick(Random& random, std::size_t count) {
  return count == 0 ? 0 : random() % count;
}

// Numbers at which lengths and offsets go wrong.
std::uint64_t telling_number(Random& random) {
  const std::uint64_t numbers[] = {0,
                                   1,
                                   7,
                                   8,
                                   31,
                                   32,
                                   255,
                                   1u << 16,
                                   0x7fffffff,
                                   0xffffffff,
                                   std::uint64_t{1} << 62,
                                   ~std::uint64_t{0} >> 1,
                                   ~std::uint64_t{0},
                                   ~std::uint64_t{7}};
  return numbers[pick(random, std::size(numbers))];
}

void change(std::string& bytes, const std::string& other, Random& random) {
  const std::size_t at = pick(random, bytes.size() + 1), length = 1 + pick(random, 16);
  switch (random() % 7) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random());
      break;
    case 2: {
      const std::uint64_t number = telling_number(random);
      const std::size_t width = std::min<std::size_t>(std::size_t{1} << random() % 4, bytes.size() - at);
      bytes.replace(at, width, std::string(reinterpret_cast<const char*>(&number), width));
      break;
    }
    case 3:
      bytes.erase(at, length);
      break;
    case 4:
      bytes.insert(at, bytes.substr(pick(random, bytes.size() + 1), length));
      break;
    case 5:
      if (!other.empty()) bytes.insert(at, other.substr(pick(random, other.size()), 4 * length));
      break;
    case 6:
      if (random() % 4 == 0) bytes.resize(at);
      break;
  }
}

void run(const std::string& bytes) {
  // A copy of exactly this size, so that the address sanitizer sees a read past its end.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void read_seed(const std::filesystem::path& path, std::vector<std::string>& seeds) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read the seed %s\n", path.c_str());
    std::exit(2);
  }
  seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t runs = 4000;
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("-runs=")) {
      runs = std::stoul(argument.substr(6));
    } else if (std::filesystem::is_directory(argument)) {
      std::vector<std::filesystem::path> files;
      for (const auto& entry : std::filesystem::directory_iterator(argument)) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const auto& file : files) read_seed(file, seeds);
    } else {
      read_seed(argument, seeds);
    }
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds: name files or folders\n");
    return 2;
  }
  for (const std::string& seed : seeds) run(seed);
  Random random(1);
  for (std::size_t i = 0; i < runs; ++i) {
    std::string bytes = seeds[i % seeds.size()];
    const std::size_t changes = 1 + pick(random, 4);
    for (std::size_t k = 0; k < changes; ++k) change(bytes, seeds[pick(random, seeds.size())], random);
    run(bytes);
  }
  std::printf("%zu seeds, %zu changed copies: no finding\n", seeds.size(), runs);
}
