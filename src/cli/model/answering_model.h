#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "cli/model/rl_command.h"
#include "generate/generator.h"
#include "model/transformer.h"

namespace tritonrl::cli {

// Who answers the tasks of a reinforcement run: the model that is trained, or a server that follows its adapter
// (--rollouts). `context`: tokens of prompt and answer. Everything given must outlive it. UserError where the server
// cannot be asked.
std::unique_ptr<generate::Generator> answering_model(const RlCommandOptions& options, model::Transformer& model,
                                                     const weights::AdapterConfig& adapter, const text::ModelText& text,
                                                     std::int64_t context,
                                                     const std::function<void(const std::string&)>& say);

}  // namespace tritonrl::cli
