"""What scripts/make_cheats.py must know before it calls a changed candidate wrong: run by a Python that has torch and triton, no GPU needed.

Reads JSON lines {"task", "code", "entry_point"} from the standard input, writes one line of facts for each:

    inputs, outputs    [[shape, dtype], …] at the task's own sizes, on tensors without values; null where that fails
    launches           [{"kernel", "grid", "values", "outputs"}, …] of one forward at the task's own sizes; values are the integers that were
                       passed, outputs the arguments that lie in an output's memory
    rowwise            the reference gives the same rows for a part of the batch (tried on values, at small sizes)
    largest            the largest output of the reference there, and `grows`: for inputs ten thousand times as large
    differs            two draws of inputs give different outputs
    rounds             the outputs rounded to bfloat16 are further away than the judge's tolerance for float32

Candidates are executed here as they are: give it honest ones only.
"""
import ast
import json
import re
import sys
import tempfile
import types

import torch
import triton
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction

LAUNCHES = []


def note_launch(jit, *args, grid, warmup, **kwargs):
    names = [p.name for p in jit.params]
    given = dict(zip(names, args))
    given.update({k: v for k, v in kwargs.items() if k in names})
    for p in jit.params:
        if p.name not in given and p.has_default:
            given[p.name] = p.default
    size = grid(given) if callable(grid) else grid
    values = {k: int(v) for k, v in given.items() if isinstance(v, int) and not isinstance(v, bool)}
    tensors = {k: v for k, v in given.items() if isinstance(v, torch.Tensor)}
    LAUNCHES.append({"kernel": jit.fn.__name__, "grid": [int(g) for g in size], "values": values, "tensors": tensors})
    return types.SimpleNamespace(n_regs=64, n_spills=0, metadata=types.SimpleNamespace(shared=0, num_warps=4))


def first_configuration(tuner, *args, **kwargs):
    return tuner.fn.run(*args, **kwargs, **tuner.configs[0].all_kwargs())


def load(text, name, folder):
    load.count += 1
    path = f"{folder}/{name}{load.count}.py"  # Triton reads the text of its kernels from the file, through a cache by name
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    exec(compile(text, path, "exec"), module.__dict__)
    return module


load.count = 0


def smaller(text, divisor):
    """The task with its large integer constants divided."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int and node.value.value >= 16:
            value = max(8, node.value.value // divisor)
            text = re.sub(rf"(?m)^({re.escape(node.targets[0].id)}\s*=\s*){node.value.value}\b", rf"\g<1>{value}", text)
    return text


def arguments(module, entry):
    reference = getattr(module, entry)
    given = module.get_init_inputs() if hasattr(module, "get_init_inputs") else []
    if len(given) == 2 and isinstance(given[0], list) and isinstance(given[1], dict):
        return reference, given[0], given[1]
    return reference, list(given), {}


def shapes(values):
    values = values if isinstance(values, (list, tuple)) else [values]
    return [[list(v.shape), str(v.dtype)[6:]] if isinstance(v, torch.Tensor) else None for v in values]


def look(task, code, entry, folder):
    facts = {"inputs": None, "outputs": None, "launches": None, "rowwise": False, "largest": None, "grows": None, "differs": False, "rounds": False}
    with torch.no_grad():
        try:
            with torch.device("meta"):
                module = load(task, "task", folder)
                reference, args, kwargs = arguments(module, entry)
                inputs = module.get_inputs()
                facts["inputs"] = shapes(inputs)
                facts["outputs"] = shapes(reference(*args, **kwargs)(*inputs))
        except Exception:
            pass
        try:
            LAUNCHES.clear()
            with torch.device("meta"):
                solution = load(code, "candidate", folder).ModelNew(*args, **kwargs)
                made = solution(*inputs)
            places = {v.untyped_storage()._cdata for v in (made if isinstance(made, (list, tuple)) else [made]) if isinstance(v, torch.Tensor)}
            facts["launches"] = [{**{k: v for k, v in one.items() if k != "tensors"},
                                  "outputs": [k for k, v in one["tensors"].items() if v.untyped_storage()._cdata in places]} for one in LAUNCHES]
        except Exception:
            pass
        for divisor in (1, 4, 16, 64, 256):
            try:
                text = smaller(task, divisor)
                with torch.device("meta"):
                    if sum(v.numel() for v in load(text, "task", folder).get_inputs() if isinstance(v, torch.Tensor)) > 1 << 19:
                        continue
                module = load(text, "task", folder)
                reference, args, kwargs = arguments(module, entry)
                made = reference(*args, **kwargs)
                inputs, others = module.get_inputs(), module.get_inputs()
                out = made(*inputs)
                if not isinstance(out, torch.Tensor) or not out.is_floating_point():
                    break
                facts["largest"] = float(out.abs().max())
                facts["differs"] = not torch.allclose(out, made(*others), rtol=1e-3, atol=1e-5)
                facts["rounds"] = bool(((out - out.bfloat16().float()).abs() > 3e-4 * (1 + out.abs())).any())
                large = [v * 1e4 if isinstance(v, torch.Tensor) and v.is_floating_point() else v for v in inputs]
                facts["grows"] = float(made(*large).abs().max())
                facts["rowwise"] = rows_agree(made, inputs, others, out)
                break
            except Exception:
                continue
    return facts


def rows_agree(made, inputs, others, out):
    """The rows of one half are the same with and without the other half, and with another one."""
    tensors = [v for v in inputs if isinstance(v, torch.Tensor) and v.dim() > 0]
    rows = tensors[0].shape[0]
    if rows < 4 or out.dim() == 0 or out.shape[0] != rows:
        return False
    batched = [i for i, v in enumerate(inputs) if isinstance(v, torch.Tensor) and v.dim() > 0 and v.shape[0] == rows]
    if len(batched) != len(tensors):
        return False
    half = rows // 2
    part = made(*[v[:half] if i in batched else v for i, v in enumerate(inputs)])
    mixed = made(*[torch.cat([v[:half], others[i][half:]]) if i in batched else v for i, v in enumerate(inputs)])
    return part.shape[0] == half and torch.allclose(part, out[:half], rtol=1e-4, atol=1e-5) and \
        torch.allclose(mixed[:half], out[:half], rtol=1e-4, atol=1e-5)


def main():
    JITFunction.run = note_launch
    Autotuner.run = first_configuration
    torch.cuda.get_device_properties = lambda *_: types.SimpleNamespace(multi_processor_count=132, name="", total_memory=1 << 37)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            pair = json.loads(line)
            print(json.dumps(look(pair["task"], pair["code"], pair["entry_point"], folder)), flush=True)


if __name__ == "__main__":
    main()
