#include "cli/model/loaded_model.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "base/error.h"
#include "base/files.h"
#include "cli/find_model.h"
#include "cli/hub_environment.h"
#include "weights/adapter_config.h"

namespace tritonrl::cli {
namespace {

// torch finds its GPU part only once that library is loaded; with a CPU wheel there is none.
bool has_cuda() {
  ::dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL);
  return at::hasCUDA();
}

c10::Device choose_device(const std::string& name) {
  if (name == "cpu") return c10::Device(c10::kCPU);
  if (has_cuda()) return c10::Device(c10::kCUDA, 0);
  if (name == "auto") return c10::Device(c10::kCPU);
  throw base::UserError("model", "--device cuda: torch finds no GPU here; pass --device cpu");
}

std::optional<c10::ScalarType> choose_dtype(const std::string& name, const c10::Device& device) {
  if (name == "fp32") return c10::kFloat;
  if (name == "bf16") return c10::kBFloat16;
  if (name == "fp16") return c10::kHalf;
  return device.is_cpu() ? c10::kFloat : c10::kBFloat16;
}

}  // namespace

void declare(CLI::App& command, ModelArguments& arguments) {
  command
      .add_option("--model", arguments.model,
                  "folder in Hugging Face's layout, .gguf file, or owner/name on the hub (downloaded once); or the "
                  "folder of an adapter, which names its base")
      ->required();
  command.add_option("--adapter", arguments.adapter, "folder of a LoRA adapter in PEFT's layout");
  declare_any_base(command, arguments.any_base);
  command.add_option("--dtype", arguments.dtype, "of the weights; auto: fp32 on the CPU, bf16 on a GPU")
      ->check(CLI::IsMember({"auto", "fp32", "bf16", "fp16"}))
      ->capture_default_str();
  command.add_flag("--8bit", arguments.eight_bit, "hold linear layers as int8 with a scale a row");
  command.add_option("--device", arguments.device, "where the model runs; auto: a GPU if there is one")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  command.add_option("--threads", arguments.threads, "of the CPU; 0: one a core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
}

void declare_any_base(CLI::App& command, bool& any_base) {
  command.add_flag("--any-base", any_base,
                   "load an adapter that names another base model or was made for other weights");
}

model::LoadAdapterOptions adapter_options(bool any_base) {
  return {.any_base = any_base,
          .warn = [](const std::string& doubt) { std::cerr << "tritonrl: warning: " << doubt << "\n"; }};
}

weights::ModelLocation locate_model(const std::string& name) {
  return find_model(name, hub_from_environment(), transfer_on_stderr());
}

weights::ModelConfig locate_config(const std::string& name) {
  return find_config(name, hub_from_environment(), transfer_on_stderr());
}

ModelArguments with_base(ModelArguments arguments) {
  const std::filesystem::path folder = arguments.model, config = folder / "adapter_config.json";
  std::error_code unreachable;
  if (!std::filesystem::exists(config, unreachable) || std::filesystem::exists(folder / "config.json", unreachable))
    return arguments;
  if (!arguments.adapter.empty())
    throw base::UserError("model", arguments.model + " is an adapter, and so is --adapter; name one of them");
  arguments.adapter = arguments.model;
  arguments.model = weights::parse_adapter_config(base::read_file(config), config.string()).base_model;
  if (arguments.model.empty())
    throw base::UserError("model",
                          config.string() + ": names no base model; pass --model BASE --adapter " + arguments.adapter);
  return arguments;
}

model::ModelOptions model_options(const ModelArguments& arguments) {
  if (arguments.threads > 0) at::set_num_threads(arguments.threads);
  model::ModelOptions options;
  options.device = choose_device(arguments.device);
  options.dtype = choose_dtype(arguments.dtype, options.device);
  options.eight_bit = arguments.eight_bit;
  return options;
}

LoadedModel load_model(const ModelArguments& given) {
  const ModelArguments arguments = with_base(given);
  const model::ModelOptions options = model_options(arguments);
  const weights::ModelLocation location = locate_model(arguments.model);
  LoadedModel loaded{.text = weights::open_tokenizer(location),
                     .transformer = model::Transformer::load(weights::open_model(location), options)};
  if (!arguments.adapter.empty())
    model::load_adapter(*loaded.transformer, arguments.adapter, adapter_options(arguments.any_base));
  return loaded;
}

}  // namespace tritonrl::cli
