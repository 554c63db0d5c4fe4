"""`optimize`: a module in, a module with the fastest proven kernels out."""

import hashlib
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings
import weakref

import torch

from .inputs import in_range, words_of
from .native import ProgramError, program, program_environment
from .subject import subject_of

USER_MUST_FIX, OURS = 2, 3


class NeedsGpu(RuntimeError):
    """A kernel was called with tensors that are on no GPU."""


class Optimized(torch.nn.Module):
    """Takes the place of the module that was optimised, with a copy of its state.

    module: what is called: the kernels' module where a faster one was proven, else the one that was given. source, file: the kernels'
    text, and where it lies (None: none was found). proof: what the program says of it, all candidates and verdicts among it.
    speed_up: over eager torch, 1.0 without kernels; measured: whether by a clock on a GPU; else it is modelled. why: in words."""

    def __init__(self, module, proof, words, why, file=None):
        super().__init__()
        self.module, self.proof, self.why, self.file = module, proof, why, file
        self.source = None if file is None else pathlib.Path(file).read_text(encoding="utf-8")
        winner = proof.get("winner") or {}
        timing = (winner.get("verdict") or {}).get("timing") or {}
        self.speed_up = 1.0 if file is None else winner.get("speedup")
        self.measured = file is not None and timing.get("mode") == "measured"
        self._words, self._warned = words, set()

    def forward(self, *arguments):
        if self.file is not None:
            self._check(arguments)
        return self.module(*arguments)

    def _check(self, arguments):
        tensors = [one for one in arguments if isinstance(one, torch.Tensor)]
        if not any(one.is_cuda for one in tensors):
            raise NeedsGpu(f"these kernels run on an NVIDIA GPU: move module and inputs there by .cuda(){'' if torch.cuda.is_available() else ', on a machine that has one'}. "
                           f"Their source is in .source ({self.file}), what was proven of them in .proof. {self.why}")
        if torch.is_grad_enabled() and any(one.requires_grad for one in tensors):
            raise RuntimeError("these kernels have no gradients: call them within torch.no_grad(), and train the module that was optimised")
        if not in_range(self._words, arguments):
            sizes = tuple(tuple(one.shape) for one in tensors)
            if sizes not in self._warned:
                self._warned.add(sizes)
                warnings.warn(f"these kernels were proven for inputs {' '.join(self._words)}, and not for sizes {sizes}", stacklevel=3)

    def extra_repr(self):
        return self.why


def optimize(module, inputs, init=None, out=None, device=None, options=()):
    """The fastest kernels for a module that were proven right, as a module in its place.

    module: a live module, whose state is carried over, or a class. inputs: examples of forward's arguments: tensors, numbers, None, or words as
    `tritonrl optimize --input` takes them, such as 'f32[1..64,1024]' for all batches up to 64. init: constructor arguments, ('(64,)', {'heads': 4} or text
    of a call); of a live module they are found by its attributes where they are not said. out: file for the kernels, with the proof beside it
    (default: a folder that goes with the result). device: 'cuda' measures on a GPU, 'cpu' models; default: what is there. options: more words
    for the program, such as ('--budget-seconds', '120').

    ValueError where the caller must change something; ProgramError where the program failed."""
    folder = tempfile.mkdtemp(prefix="tritonrl_")
    try:
        result = _optimize(module, words_of(inputs), init, pathlib.Path(out or pathlib.Path(folder, "optimized.py")), device, options, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(result, shutil.rmtree, folder, True)
    return result


def _optimize(module, words, init, file, device, options, folder):
    subject = subject_of(module, init, len(words), folder)
    live = isinstance(module, torch.nn.Module)
    command = [program(), "optimize", subject.place, "--json", "--out", str(file)]
    for word in words:
        command += ["--input", word]
    if subject.init is not None:
        command += ["--init", subject.init]
    if live and not module.training:
        command.append("--eval")
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    command += ["--device", device, *map(str, options)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=program_environment())
    if done.returncode not in (0, 1):
        words_of_it = done.stderr.strip() or f"exit code {done.returncode}"
        raise ValueError(words_of_it) if done.returncode == USER_MUST_FIX else ProgramError(words_of_it)
    try:
        proof = json.loads(done.stdout)
    except ValueError:
        raise ProgramError(f"{command[0]} did not give a proof: {done.stdout[:200]!r} {done.stderr.strip()}") from None

    original = module if live else subject.made(module)
    why_not = _why_not(done.returncode, proof)
    if why_not:
        return Optimized(original, proof, words, why_not)
    kernels = _loaded(file, subject)
    state = {subject.prefix + name: value for name, value in original.state_dict().items()}
    kernels.load_state_dict(state)
    kernels.train(original.training)
    kernels.requires_grad_(False)
    place = next(iter([*original.parameters(), *original.buffers()]), None)
    if place is not None:
        kernels.to(place.device)
        if place.is_floating_point():
            kernels.to(place.dtype)
    return Optimized(kernels, proof, words, _why(proof), file=str(file))


def _speed(proof):
    timing = proof["winner"]["verdict"].get("timing") or {}
    return f"{proof['winner']['speedup']:.2f} times eager torch ({timing.get('mode', 'modelled')} on {timing.get('device') or timing.get('target') or 'a GPU'})"


def _why(proof):
    return f"proven by tritonrl's judge {proof['winner']['judge_version']}, {_speed(proof)}, by {proof['winner']['source']}"


def _why_not(code, proof):
    """Why the module stays as it is; empty: kernels take its place."""
    if not proof.get("winner"):
        return "no kernels were proven: the module stays as it is" + (f" ({proof['no_teacher']})" if proof.get("no_teacher") else "")
    if code == 1:
        return f"eager torch is the better choice: the best kernels have {_speed(proof)}"
    if not proof["winner"]["same_state_dict"]:
        return "the parameters of the kernels' module are others, so that the state cannot be carried over: the module stays as it is"
    return ""


def _loaded(file, subject):
    name = "tritonrl_optimized_" + hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    spec = importlib.util.spec_from_file_location(name, file)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded  # Triton looks a kernel's module up
    spec.loader.exec_module(loaded)
    return subject.made(loaded.ModelNew)
