"""Which submodule made which calls: of each of its calls the steps, the inputs and what it was made with, as a user would write them."""
import dataclasses
import functools
import inspect

import torch

MOST_RUNS = 20_000
_SHORT = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.float64: "f64", torch.int64: "i64", torch.int32: "i32",
          torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool"}


class ModuleRuns:
    def __init__(self, program):
        self.program = program
        self.runs = []
        self.open = []  # those under way
        self.made = {}  # module -> constructor arguments as text, or None where they cannot be written

    def watch_classes(self, task):
        """From now on their constructors tell what they are given."""
        for cls in [v for v in vars(task).values() if isinstance(v, type) and issubclass(v, torch.nn.Module)]:
            if cls.__module__ == task.__name__ and "__init__" in vars(cls):
                cls.__init__ = self._telling(cls.__init__)
        self.task = task.__name__

    def watch(self, module):
        for name, each in module.named_modules():
            each.register_forward_pre_hook(functools.partial(self._begin, name), with_kwargs=True)
            each.register_forward_hook(self._end)

    def to_json(self):
        return [run for run in self.runs if run["end"] >= 0]

    def _telling(self, init):
        @functools.wraps(init)
        def made(module, *args, **kwargs):
            if id(module) not in self.made:  # a base's constructor is called by the class's own
                self.made[id(module)] = _call_text(args, kwargs)
            init(module, *args, **kwargs)
        return made

    def _begin(self, name, module, args, kwargs):
        if len(self.runs) >= MOST_RUNS:
            return
        cls = type(module)
        run = {"path": name, "class": cls.__name__, "own": cls.__module__ == self.task, "begin": len(self.program.steps), "end": -1}
        init, inputs = self.made.get(id(module), ""), _inputs_text(module, args, kwargs)
        if init is not None:
            run["init"] = init
        if inputs is not None:
            run["inputs"] = inputs
        self.runs.append(run)
        self.open.append((module, run))

    def _end(self, module, _args, _output):
        while self.open:  # those inside that raised are over
            opened, run = self.open.pop()
            if opened is module:
                run["end"] = len(self.program.steps)
                return


def _call_text(args, kwargs):
    parts = [_literal(a) for a in args] + [None if _literal(v) is None else f"{k}={_literal(v)}" for k, v in kwargs.items()]
    return None if None in parts else ", ".join(parts)


def _literal(v):
    if dataclasses.is_dataclass(v) and type(v).__module__ == "task":
        fields = [(f.name, _literal(getattr(v, f.name))) for f in dataclasses.fields(v) if f.init]
        return None if None in [text for _, text in fields] else f"{type(v).__name__}({', '.join(f'{n}={t}' for n, t in fields)})"
    if v is None or type(v) in (bool, int, float, str):
        return repr(v)
    if isinstance(v, torch.dtype):
        return str(v)
    if type(v) in (list, tuple):
        inner = [_literal(x) for x in v]
        if None in inner:
            return None
        text = ", ".join(inner)
        return f"[{text}]" if type(v) is list else f"({text},)" if len(inner) == 1 else f"({text})"
    return None


def _inputs_text(module, args, kwargs):
    """One for each argument of forward, as --input has them."""
    try:
        bound = inspect.signature(module.forward).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return None
    if bound.kwargs:  # only by their names
        return None
    out = [_input_text(v) for v in bound.args]
    return None if None in out else out


def _input_text(v):
    if isinstance(v, torch.Tensor):
        kind = _SHORT.get(v.dtype)
        return None if kind is None or v.dim() == 0 else f"{kind}[{','.join(str(int(s)) for s in v.shape)}]"
    if v is None or type(v) in (bool, int, float):
        return repr(v)
    text = _literal(v)
    return None if text is None else "=" + text
