#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "hub/hub.h"
#include "tests/hub/hub_server.h"

// hub_tool fetch model|dataset ID REVISION: fetches all files by Hugging Face's environment variables, prints the
// folder. hub_tool snapshot model|dataset ID REVISION: prints the folder that the cache has. hub_tool serve: a server
// with one model and one data set; prints their addresses, ends when the input does.
int main(int argc, char** argv) {
  using namespace tritonrl::hub;
  const std::string verb = argc > 1 ? argv[1] : "";
  try {
    if (verb == "serve") {
      const std::string weights(3'000'000, 'w');
      const HubServer model({.path = "models/owner/model",
                             .commit = std::string(40, 'a'),
                             .files = {{"config.json", "{}\n"}, {"sub/notes.txt", "notes"}, {"README.md", "# read me"}},
                             .large = {{"model.safetensors", weights}}});
      const HubServer data({.path = "datasets/owner/data",
                            .commit = std::string(40, 'd'),
                            .files = {{"rows.jsonl", "{\"a\": 1}\n"}},
                            .large = {{"data/rows.parquet", weights + "rows"}}});
      std::cout << model.address() << " " << data.address() << std::endl;
      for (std::string line; std::getline(std::cin, line);) {
      }
      return 0;
    }
    if (argc != 5) throw std::runtime_error("hub_tool fetch|snapshot model|dataset ID REVISION, or hub_tool serve");
    HubOptions options = options_from_environment([](const char* name) { return std::getenv(name); });
    options.retry_ms = 10;
    const Repository repository{
        .kind = std::string(argv[2]) == "dataset" ? Repository::Kind::kDataset : Repository::Kind::kModel,
        .id = argv[3],
        .revision = argv[4]};
    if (verb == "snapshot") {
      std::string problem;
      const auto folder = cached_snapshot(repository, options, &problem);
      std::cout << (folder ? folder->string() : "none: " + problem) << "\n";
      return folder ? 0 : 1;
    }
    std::cout << fetch(
                     repository, [](const std::string&) { return true; }, options)
                     .string()
              << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
