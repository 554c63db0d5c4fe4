"""What eager torch computes for the tasks of a corpus at small shapes: the reference for replayed recordings.

usage: eager_outputs.py OUT.json NAME=TASK.py ...    each task's source is read as it is (shapes already small)
"""
import base64
import importlib.util
import json
import sys

import torch

SEED = 1234


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def tensors(v):
    if isinstance(v, torch.Tensor):
        return [v]
    if isinstance(v, dict):
        v = list(v.values())
    elif hasattr(v, "__dataclass_fields__"):
        v = [getattr(v, n) for n in v.__dataclass_fields__]
    return [t for x in v for t in tensors(x)] if isinstance(v, (list, tuple)) else []


def entry_point(task):
    if hasattr(task, "Model"):
        return task.Model
    return [v for v in vars(task).values() if isinstance(v, type) and issubclass(v, torch.nn.Module)
            and v.__module__ == task.__name__][-1]


def run(path, name):
    task = load(path, name)
    torch.manual_seed(SEED)
    given = task.get_init_inputs() if hasattr(task, "get_init_inputs") else []
    book = len(given) == 2 and isinstance(given[0], (list, tuple)) and isinstance(given[1], dict)
    args, kwargs = (given[0], given[1]) if book else (given, {})
    model = entry_point(task)(*args, **kwargs)
    torch.manual_seed(SEED + 1)
    inputs = task.get_inputs()
    torch.manual_seed(SEED + 2)
    with torch.no_grad():
        out = model(**inputs) if isinstance(inputs, dict) else model(*inputs)
    return [{"dtype": str(t.dtype)[6:], "sizes": list(t.shape),
             "data": base64.b64encode(t.detach().contiguous().flatten().view(torch.uint8).numpy().tobytes()).decode()}
            for t in tensors(out)]


def main():
    torch.set_num_threads(1)
    out = {}
    for i, pair in enumerate(sys.argv[2:]):
        name, _, path = pair.partition("=")
        out[name] = run(path, f"task{i}")
    with open(sys.argv[1], "w") as file:
        json.dump(out, file)


main()
