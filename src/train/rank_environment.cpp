#include "train/rank_environment.h"

#include <charconv>
#include <cstring>

#include "base/error.h"

namespace tritonrl::train {
namespace {

using Launcher = RankEnvironment::Launcher;
using Get = std::function<const char*(const char*)>;

struct Variables {
  Launcher launcher;
  const char *ranks, *rank, *local_rank, *local_ranks;  // the last tells whether all are on one machine; may be null
};
// mpirun before srun: where both speak, mpirun was started inside a job of Slurm's.
constexpr Variables kLaunchers[] = {
    {Launcher::kTorchrun, "WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {Launcher::kMpirun, "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {Launcher::kMpirun, "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {Launcher::kSrun, "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID", nullptr},
};

const char* value_of(const Get& get, const char* variable) {
  const char* const text = variable == nullptr ? nullptr : get(variable);
  return text == nullptr || *text == '\0' ? nullptr : text;
}

int number(const Get& get, const char* variable, int least) {
  const char* const text = value_of(get, variable);
  if (text == nullptr)
    throw base::UserError("train", std::string("the launcher did not set ") + variable +
                                       "; start the ranks with "
                                       "mpirun, srun, or torchrun --no-python");
  int value = -1;
  const char* const end = text + std::strlen(text);
  if (std::from_chars(text, end, value).ptr != end || value < least)
    throw base::UserError("train", std::string(variable) + "=" + text +
                                       " is no number of ranks; unset it, or start "
                                       "the ranks with mpirun, srun, or torchrun --no-python");
  return value;
}

// "node[03-07,09]" → "node03"; "a,b" → "a".
std::string first_node(const std::string& list) {
  const std::size_t bracket = list.find('['), comma = list.find(',');
  if (bracket == std::string::npos || comma < bracket) return list.substr(0, comma);
  const std::size_t end = list.find_first_of(",-]", bracket);
  return list.substr(0, bracket) + list.substr(bracket + 1, end - bracket - 1);
}

}  // namespace

std::optional<RankEnvironment> rank_environment(const Get& get) {
  for (const Variables& names : kLaunchers) {
    if (value_of(get, names.ranks) == nullptr) continue;
    RankEnvironment out;
    out.launcher = names.launcher;
    out.ranks = number(get, names.ranks, 1);
    if (out.ranks == 1 && value_of(get, names.rank) == nullptr) continue;  // no launcher's
    out.rank = number(get, names.rank, 0);
    out.local_rank = value_of(get, names.local_rank) != nullptr ? number(get, names.local_rank, 0) : out.rank;
    if (out.rank >= out.ranks)
      throw base::UserError("train", std::string(names.rank) + " is not below " + names.ranks +
                                         ": the environment is "
                                         "one of two launchers; unset one of them");
    const char* const port = value_of(get, "MASTER_PORT");
    if (port != nullptr) out.port = static_cast<std::uint16_t>(number(get, "MASTER_PORT", 1));
    if (const char* const host = value_of(get, "MASTER_ADDR")) {
      out.host = host;
    } else if (const char* const nodes = value_of(get, "SLURM_STEP_NODELIST");
               out.launcher == Launcher::kSrun && nodes) {
      out.host = first_node(nodes);
    } else if (value_of(get, names.local_ranks) == nullptr || number(get, names.local_ranks, 1) != out.ranks) {
      out.host.clear();
    }
    const char* const agent = value_of(get, "TORCHELASTIC_USE_AGENT_STORE");
    out.hosted = agent != nullptr && std::string(agent) == "True";
    for (const char* const part : {"TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT", "SLURM_STEP_ID"}) {
      if (const char* const text = value_of(get, part)) out.attempt += std::string(text) + "/";
    }
    return out;
  }
  return std::nullopt;
}

}  // namespace tritonrl::train
