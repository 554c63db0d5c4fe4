#include "cli/find_model.h"

#include "base/error.h"

namespace tritonrl::cli {
namespace {

weights::ModelLocation fetch_model(const std::string& name, const hub::HubOptions& hub, const hub::Transfer& transfer) {
  std::vector<std::string> chosen;
  const hub::Choice choose = [&](const std::vector<std::string>& files) {
    return chosen = hub::choose_model_files(files);
  };
  const std::filesystem::path snapshot = hub::fetch_chosen({.id = name}, choose, hub, transfer);
  // The last choice is that of the snapshot, which may hold other files from earlier.
  using Kind = weights::ModelLocation::Kind;
  if (weights::is_gguf_name(chosen.front())) return {.kind = Kind::kGguf, .path = snapshot / chosen.front()};
  return {.kind = Kind::kFolder, .path = snapshot};
}

}  // namespace

weights::ModelLocation find_model(const std::string& name, const hub::HubOptions& hub, const hub::Transfer& transfer) {
  if (const std::optional<weights::ModelLocation> here = weights::find_local_model(name)) return *here;
  std::string looked = name + " does not exist here";
  if (hub::is_repository_id(name) && !weights::is_gguf_name(name)) {
    try {
      return fetch_model(name, hub, transfer);
    } catch (const base::UserError& error) {
      looked += std::string("; ") + error.what();
    }
  }
  throw base::UserError("weights", "no model \"" + name + "\": " + looked +
                                       ". Name a folder, a .gguf file, or a model of the hub as owner/name");
}

weights::ModelConfig find_config(const std::string& name, const hub::HubOptions& hub, const hub::Transfer& transfer) {
  if (!weights::find_local_model(name) && hub::is_repository_id(name) && !weights::is_gguf_name(name)) {
    const std::filesystem::path snapshot = hub::fetch(
        {.id = name}, [](const std::string& file) { return file == "config.json"; }, hub, transfer);
    if (std::filesystem::exists(snapshot / "config.json"))
      return weights::read_config({weights::ModelLocation::Kind::kFolder, snapshot});
  }
  return weights::read_config(find_model(name, hub, transfer));
}

}  // namespace tritonrl::cli
