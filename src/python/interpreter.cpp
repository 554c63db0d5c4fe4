#include "python/interpreter.h"

#include <cstdio>

#include "base/error.h"
#include "base/fields.h"
#include "base/subprocess.h"

namespace tritonrl::python {
namespace {

constexpr const char* kProbe = R"(
import importlib.metadata as metadata, importlib.util, json, os, sys
sys.path = [p for p in sys.path if p]  # what lies in the working directory is no package
def version(name):
    try: return metadata.version(name)
    except metadata.PackageNotFoundError: return ""
def folder(name):
    found = importlib.util.find_spec(name)
    return os.path.dirname(found.origin) if found and found.origin else ""
paths = {os.path.realpath(p) for p in [*sys.path, sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable))] if p and os.path.exists(p)}
print(json.dumps({"version": sys.version.split()[0], "torch": version("torch"), "triton": version("triton"), "torch_folder": folder("torch"),
                  "arrow_folder": folder("pyarrow"), "paths": sorted(paths)}))
)";

constexpr const char* kFix = "; activate an environment with both, pass --python, or run scripts/setup.sh";

}  // namespace

bool version_at_least(const std::string& version, int major, int minor) {
  int have_major = 0, have_minor = 0;
  if (std::sscanf(version.c_str(), "%d.%d", &have_major, &have_minor) != 2) return false;
  return have_major > major || (have_major == major && have_minor >= minor);
}

void Interpreter::fields(base::FieldVisitor& field) {
  field("version", version);
  field("torch", torch_version);
  field("triton", triton_version);
  field("torch_folder", torch_folder, base::kMayLack);
  field("arrow_folder", arrow_folder, base::kMayLack);
  field("paths", paths);
}

Interpreter read_interpreter(const std::string& executable) {
  const base::CommandResult answer = base::run_command({executable, "-B", "-c", kProbe});
  if (!answer.started) throw base::UserError("python", executable + ": cannot be executed" + kFix);
  base::Result<Interpreter> found = base::from_json<Interpreter>(answer.output, "answer");
  if (answer.exit_code != 0 || !found.ok()) {
    std::string why = answer.errors.substr(0, 300);
    for (char& c : why) c = c == '\n' ? ' ' : c;
    throw base::UserError("python",
                          executable + ": does not behave like Python" + (why.empty() ? "" : " (" + why + ")") + kFix);
  }
  Interpreter interpreter = std::move(found).value();
  interpreter.executable = executable;
  return interpreter;
}

Interpreter probe_interpreter(const std::string& executable) {
  Interpreter interpreter = read_interpreter(executable);
  if (!version_at_least(interpreter.torch_version, 2, 11)) {
    throw base::UserError("python", executable + ": torch is " +
                                        (interpreter.torch_version.empty() ? "missing" : interpreter.torch_version) +
                                        ", and 2.11 or newer is needed" + kFix);
  }
  if (!version_at_least(interpreter.triton_version, 3, 6)) {
    throw base::UserError("python", executable + ": triton is " +
                                        (interpreter.triton_version.empty() ? "missing" : interpreter.triton_version) +
                                        ", and 3.6 or newer is needed" + kFix);
  }
  return interpreter;
}

}  // namespace tritonrl::python
