"""Builds the wheel (PEP 517): CMake builds the programs for the torch of the environment that pip installs into, `cmake --install` lays them
out, and they are packed beside the Python package of clients/python. Without torch there, the pinned one is built for.

A build that is there can be packed: pip wheel . --config-settings build-dir=build/release
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = "Teaches language models to write GPU kernels, and proves that they do"
VERSIONS = """
import importlib.metadata as m, json
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return ""
print(json.dumps({name: version(name) for name in ("torch", "triton", "pyarrow")}))
"""


def _version():
    return re.search(r"project\(tritonrl VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _pinned():
    """The versions that scripts/setup.sh installs."""
    return dict(re.findall(r"^(torch|triton|pyarrow)_version=(\S+)$", (ROOT / "scripts" / "setup.sh").read_text(), re.MULTILINE))


def _own_environment():
    """pip hides the packages of the environment from a build; by PYTHONPATH, which their interpreter can do without."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONNOUSERSITE")}


def _versions(environment):
    return json.loads(subprocess.run([sys.executable, "-c", VERSIONS], env=environment, cwd="/", check=True, capture_output=True, text=True).stdout)


def _at_least(version, *least):
    return tuple(map(int, re.findall(r"\d+", version)[:2])) >= least


def _is_enough(versions):
    return _at_least(versions["torch"], 2, 11) and _at_least(versions["triton"], 3, 6)


def get_requires_for_build_wheel(config_settings=None):
    needed = [tool for tool in ("cmake", "ninja") if shutil.which(tool) is None]
    if not _is_enough(_versions(_own_environment())):
        needed += [f"{name}=={version}" for name, version in _pinned().items()] + ["numpy"]
    return needed


def _build(folder):
    """The programs in `folder`, and what they say of themselves."""
    environment = _own_environment()
    if not _is_enough(_versions(environment)):
        environment = dict(os.environ)  # what pip fetched for this build
    found = _versions(environment)
    cache = folder / "CMakeCache.txt"
    if not cache.exists() or folder.name == "wheel":
        command = ["cmake", "--preset", "release", "-B", str(folder), f"-DTRITONRL_PYTHON={sys.executable}", "-DTRITONRL_TESTS=OFF"]
        _run(command, environment, "system packages that it names are missing: scripts/setup.sh installs them")
    _run(["cmake", "--build", str(folder), "--target", "programs"], environment, "")
    facts = json.loads(subprocess.run([folder / "tritonrl", "--version", "--json"], check=True, capture_output=True, text=True).stdout)
    if _release(facts["torch"]) != _release(found["torch"]):
        raise SystemExit(f"{folder} was built for torch {facts['torch'] or '(none)'}, and this environment has {found['torch']}: leave build-dir out, or configure it with this Python")
    return facts, environment


def _run(command, environment, hint):
    done = subprocess.run(command, cwd=ROOT, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed{'; ' if hint else ''}{hint}")


def _release(version):
    return ".".join(version.split("+")[0].split(".")[:2])


def _metadata(facts):
    torch, triton = facts["torch"], facts["triton"]
    return "\n".join([
        "Metadata-Version: 2.1", "Name: tritonrl", f"Version: {_version()}", f"Summary: {SUMMARY}", "License: Apache-2.0",
        "Requires-Python: >=3.10", f"Requires-Dist: torch=={_release(torch)}.*", f"Requires-Dist: triton=={_release(triton)}.*", "Requires-Dist: numpy",
        "Provides-Extra: parquet", *([f"Requires-Dist: pyarrow=={facts['arrow'].split('.')[0]}.*; extra == 'parquet'"] if facts["arrow"] else []),
        "Provides-Extra: tasks", "Requires-Dist: einops; extra == 'tasks'",
        "Description-Content-Type: text/markdown", "", (ROOT / "README.md").read_text()])


class _Wheel:
    def __init__(self, path, info):
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._info, self._record = info, []

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))  # the same bytes for the same files
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100000 | mode) << 16
        self._zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(content)}")

    def add_tree(self, folder, prefix):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                self.add(f"{prefix}/{path.relative_to(folder)}", path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)

    def close(self):
        record = f"{self._info}/RECORD"
        self._zip.writestr(record, "\n".join([*self._record, f"{record},,", ""]))
        self._zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = (ROOT / ((config_settings or {}).get("build-dir") or "build/wheel")).resolve()
    facts, environment = _build(folder)
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    tag = f"py3-none-{platform}"
    name = f"tritonrl-{_version()}"
    info = f"{name}.dist-info"
    with tempfile.TemporaryDirectory() as stage:
        _run(["cmake", "--install", str(folder), "--prefix", stage, "--strip"], environment, "")
        wheel = _Wheel(pathlib.Path(wheel_directory, f"{name}-{tag}.whl"), info)
        wheel.add_tree(pathlib.Path(stage, "lib", "tritonrl"), "tritonrl/native")
        wheel.add_tree(pathlib.Path(stage, "share"), f"{name}.data/data/share")
    wheel.add_tree(ROOT / "clients" / "python" / "tritonrl", "tritonrl")
    wheel.add("tritonrl_reward.py", (ROOT / "clients" / "python" / "tritonrl_reward.py").read_bytes())
    wheel.add(f"{info}/METADATA", _metadata(facts).encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tritonrl\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.add(f"{info}/entry_points.txt", b"[console_scripts]\ntritonrl = tritonrl.__main__:main\n")
    wheel.add(f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.close()
    return f"{name}-{tag}.whl"


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows."""
    name = f"tritonrl-{_version()}"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    path = pathlib.Path(sdist_directory, f"{name}.tar.gz")
    with tarfile.open(path, "w:gz") as archive, tempfile.NamedTemporaryFile("w", suffix="PKG-INFO") as info:
        for file in filter(None, files):
            if not file.startswith("tests/"):
                archive.add(ROOT / file, f"{name}/{file}", recursive=False)
        info.write(f"Metadata-Version: 2.1\nName: tritonrl\nVersion: {_version()}\nSummary: {SUMMARY}\n")
        info.flush()
        archive.add(info.name, f"{name}/PKG-INFO")
    return path.name
