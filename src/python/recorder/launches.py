"""Triton launches: recorded with everything a compiler and a runner need, never executed."""
import types

import torch
import triton.language as tl
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction, KernelInterface

from . import kernel_source, tuning
from .failure import NotRecordable

_ASSUMED_REGISTERS = 64     # what a kernel that asks about its own compilation is told
_ASSUMED_SHARED = 1024


class Launches:
    def __init__(self, program):
        self.program = program
        self.collected = None  # an autotuner collects its variants here
        self.tunes = False  # whether what an autotuner does in its first call is recorded, too
        self._tuned = tuning.Tuned()
        self._kernels = {}

    def install(self):
        launches = self
        JITFunction.run = lambda jit, *args, grid, warmup, **kwargs: launches.run(jit, args, grid, warmup, kwargs)
        # the original wraps dtypes in mock tensors, which is right, but maps over the fakes too
        KernelInterface.warmup = lambda jit, *args, grid, **kwargs: jit.run(*args, grid=grid, warmup=True, **kwargs)
        Autotuner.run = lambda tuner, *args, **kwargs: launches.autotune(tuner, args, kwargs)

    def begin(self, program, tunes=False):
        """Later launches belong to that program."""
        self.program, self.collected, self.tunes, self._tuned, self._kernels = program, None, tunes, tuning.Tuned(), {}

    def run(self, jit, args, grid, warmup, kwargs):
        for hook in jit.pre_run_hooks:
            hook(*args, **kwargs)
        kwargs.setdefault("debug", bool(jit.debug))
        _, _, _, backend, binder = jit.device_caches[0]
        bound, specialization, _ = binder(*args, **kwargs)
        options, signature, _, _ = jit._pack_args(backend, kwargs, bound, specialization, None)
        compiled = _Compiled(self, jit, options, kwargs)
        if warmup:
            return compiled
        if grid is None:
            raise TypeError("the launch has no grid")
        size = [int(g) for g in (grid(bound) if callable(grid) else grid)]
        if not 1 <= len(size) <= 3:
            raise ValueError(f"a grid has one to three dimensions, not {len(size)}")
        variant = {
            "grid": size + [1] * (3 - len(size)),
            "arguments": [self._argument(n, v, *s) for (n, v), s in zip(bound.items(), specialization)],
            "options": self._options(options, kwargs),
        }
        number = self._kernel(jit, [v for v in bound.values() if isinstance(v, JITFunction)])
        if 0 in size:
            return compiled  # as Triton: an empty grid launches nothing
        if self.collected is not None:
            self.collected.append((number, variant))
        else:
            self.program.add({"launch": number, "variants": [variant]})
        return compiled

    def autotune(self, tuner, args, kwargs):
        """Every configuration that Triton would try, of very many the first; the runner picks. Where several calls are recorded, the
        first of a key launches twice: once as one that tries a configuration, with what that leaves in memory."""
        tuner.nargs = dict(zip(tuner.arg_names, args))
        try:
            configs, tunes = self._tuned.configs(tuner, kwargs)
            tuner.best_config = configs[0]
            if tunes:
                tuning.refuse_own_hooks(tuner)
            if tunes and self.tunes and self.collected is None:
                given = {**tuner.nargs, **kwargs, **configs[0].all_kwargs()}
                self._launch_tuned(tuner, configs, args, kwargs, lambda: tuner.pre_hook(given))
                tuner.post_hook(given, exception=None)
                tuner.pre_hook(given, reset_only=True)
            return self._launch_tuned(tuner, configs, args, kwargs, lambda: None)
        finally:
            tuner.nargs = None

    def _launch_tuned(self, tuner, configs, args, kwargs, prepare):
        outer, self.collected = self.collected, []
        compiled = None
        hooks = tuning.ConfigHooks(self.program)
        try:
            for config in configs:
                if hooks.run(config, {**tuner.nargs, **kwargs}):
                    prepare()
                made = tuner.fn.run(*args, **kwargs, **config.all_kwargs())
                compiled = compiled or made
            collected = self.collected
        finally:
            self.collected = outer
        if collected and outer is None:
            if len({number for number, _ in collected}) != 1:
                raise NotRecordable("an autotuner that launches different kernels")
            self.program.add({"launch": collected[0][0], "variants": [variant for _, variant in collected]})
        elif collected:
            outer.extend(collected)
        return compiled

    def _kernel(self, jit, passed):
        key = (id(jit), *[id(p) for p in passed])
        if key not in self._kernels:
            self.program.kernels.append(kernel_source.capture(jit, self.program, passed))
            self._kernels[key] = (len(self.program.kernels) - 1, jit, passed)  # kept alive: ids are reused
        return self._kernels[key][0]

    def _argument(self, name, value, kind, attribute=None):
        record = {"name": name, "type": _type_text(kind), "value": self._value(value)}
        if isinstance(attribute, str) and "D" in attribute:
            record["aligned"] = True
        return record

    def _value(self, v):
        if isinstance(v, torch.Tensor):
            if not self.program.on_target(v):
                raise ValueError("Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)")
            return self.program.value(v)
        if isinstance(v, tl.constexpr):
            return self._value(v.value)
        if isinstance(v, tl.dtype):
            return {"symbol": f"tl.{v}"}
        if isinstance(v, torch.dtype):
            return {"dtype": str(v)[len("torch."):]}
        if isinstance(v, JITFunction):
            return {"symbol": v.fn.__name__}
        if hasattr(v, "block_shape") and hasattr(v, "base"):
            return {"descriptor": self._descriptor(v)}
        if hasattr(v, "base") and isinstance(getattr(v, "base"), torch.Tensor):  # triton.reinterpret
            return self._value(v.base)
        if isinstance(v, (list, tuple)):
            return [self._value(x) for x in v]
        if v is None or isinstance(v, (bool, int, float, str, complex)):
            return self.program.value(v)
        if hasattr(v, "item") and not isinstance(v, torch.Tensor):  # numpy scalars
            return self.program.value(v.item())
        raise NotRecordable(f"a kernel argument of type {type(v).__name__}")

    def _descriptor(self, v):
        out = {**self.program.value(v.base), "shape": [int(x) for x in v.shape], "strides": [int(x) for x in v.strides],
               "block": [int(x) for x in v.block_shape]}
        if getattr(v, "padding", "zero") != "zero":
            out["padding"] = str(v.padding)
        if getattr(v, "round_f32_to_tf32", False):
            out["round_f32_to_tf32"] = True
        return out

    def _options(self, options, given):
        keep = {"num_warps", "num_stages", "num_ctas", "maxnreg"} | (set(given) & set(options.__dict__))
        values = {k: getattr(options, k, None) for k in sorted(keep)}
        return {k: self._value(v) for k, v in values.items()
                if v is not None and isinstance(v, (bool, int, float, str, tuple)) and (k != "debug" or v)}


def _type_text(kind):
    return kind if isinstance(kind, str) else "(" + ",".join(_type_text(k) for k in kind) + ")"


class _Compiled:
    """Stands for the compiled kernel that a launch returns; its figures are assumptions."""

    def __init__(self, launches, jit, options, given):
        self._launches, self._jit = launches, jit
        self._given = {k: v for k, v in given.items() if k not in jit.arg_names and k != "debug"}
        self.n_regs, self.n_spills, self.n_max_threads = _ASSUMED_REGISTERS, 0, 1024
        self.name, self.asm, self.function = jit.fn.__name__, {}, 1
        self.metadata = types.SimpleNamespace(shared=_ASSUMED_SHARED, num_warps=options.num_warps, num_ctas=options.num_ctas,
                                              num_stages=getattr(options, "num_stages", 1), name=self.name)

    def _init_handles(self):
        pass

    def result(self):
        return self

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self._launches.run(self._jit, args, grid, False, {**self._given, **kwargs})


LAUNCHES = Launches(None)  # one a process: Triton's launch is replaced once, each recording brings its own program
