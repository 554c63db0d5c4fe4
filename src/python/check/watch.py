"""Sees every ATen call: keeps results on the device where they would be, and notes what is written and what is read before."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import events, memory, operators, places

aten = torch.ops.aten
_CPU = torch.device("cpu")
_Tensor = torch.Tensor

# Results that hold nothing yet.
_EMPTY = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted"}
# In place, and not from what was there: the whole operand is written.
_OVERWRITES = {"fill_", "zero_", "copy_", "normal_", "uniform_", "random_", "exponential_", "bernoulli_", "cauchy_", "log_normal_",
               "geometric_", "index_put_", "_index_put_impl_", "masked_fill_", "masked_scatter_", "scatter_", "index_copy_",
               "index_fill_", "set_", "resize_", "eye_", "_foreach_zero_", "_foreach_copy_"}
# Looks at sizes and types of its operands only.
_SHAPE_ONLY = {"zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "randint_like", "new_zeros", "new_ones", "new_full",
               "is_same_size", "record_stream", "_has_compatible_shallow_copy_type"} | _EMPTY
# What is undefined in the operand is so in the result.
_COPIES = {"clone", "_to_copy", "contiguous"}

# The host's kernels calculate these in the narrow type itself, a GPU's do not. How many of the results are narrow there; 0: all.
_WIDENED = {"native_layer_norm": 1, "native_layer_norm_backward": 0, "native_group_norm_backward": 0, "native_batch_norm": 1,
            "native_batch_norm_backward": 0, "embedding_dense_backward": 0, "mm": 0, "addmm": 0, "bmm": 0, "baddbmm": 0, "mv": 0,
            "convolution": 0, "convolution_backward": 0}
_NARROW = (torch.float16, torch.bfloat16)

forced = None  # True, False: where copies go that are made now


def _in_backward():
    """There torch's own formulas name the device of their operands, which is the host's in truth."""
    return torch._C._current_graph_task_id() != -1


class _Plan:
    def __init__(self, func):
        schema = func._schema
        self.full_name = schema.name
        self.name = schema.name.split("::")[1]
        self.empty = self.name in _EMPTY
        self.copies = self.name in _COPIES
        views = [r.alias_info is not None and not r.alias_info.is_write for r in schema.returns]
        self.view = any(views)
        self.fresh = not any(r.alias_info is not None for r in schema.returns)
        self.reads = not self.view and self.name not in _SHAPE_ONLY and not self.copies
        overwrites = self.name in _OVERWRITES
        self.written = [(i, a.name, overwrites or a.kwarg_only) for i, a in enumerate(schema.arguments)
                        if a.alias_info is not None and a.alias_info.is_write]


def _tensors(values):
    for value in values:
        if isinstance(value, _Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


class Watch(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self._plans = {}

    @classmethod
    def _should_skip_dynamo(cls):
        return False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        plan = self._plans.get(func)
        if plan is None:
            plan = self._plans[func] = _Plan(func)
        kwargs = kwargs or {}
        operands = list(_tensors(args))
        if kwargs:
            operands += _tensors(kwargs.values())
        regions = [memory.find(t) for t in operands]
        gpu = any(r is not None and r.gpu for r in regions)
        device = kwargs.get("device")
        if device is not None:
            if device.type == "cuda":
                gpu, kwargs = True, {**kwargs, "device": _CPU}
            elif not (gpu and forced is None and (plan.copies or _in_backward())):
                gpu = False
        if kwargs.get("pin_memory"):
            kwargs = {k: v for k, v in kwargs.items() if k != "pin_memory"}
        if forced is not None and plan.copies:
            gpu = forced
        uncertain = any(r is not None and r.undefined is not None for r in regions)
        written = [(v, whole) for i, name, whole in plan.written for v in _tensors([args[i] if i < len(args) else kwargs.get(name)])]
        if uncertain and plan.reads:
            fresh = {id(v) for v, whole in written if whole}
            for tensor, region in zip(operands, regions):
                if region is not None and region.undefined is not None and id(tensor) not in fresh and plan.name != "copy_":
                    _read(plan.name, tensor, region)
        if (kernel := operators.kernel_of(plan.full_name, gpu)) is not None:
            with torch.no_grad(), self:
                return kernel(*args, **kwargs)
        if plan.name in _WIDENED and gpu and any(t.dtype in _NARROW for t in operands):
            result = _widened(func, args, kwargs, _WIDENED[plan.name])
        else:
            result = func(*args, **kwargs)
        if plan.fresh:
            for made in _tensors(result if isinstance(result, (list, tuple)) else (result,)):
                region = memory.note(made, gpu, plan.empty)
                if uncertain and plan.copies:
                    _carry(args[0], made, gpu)
        if written:
            for tensor, _ in written:
                region = memory.find(tensor)
                if region is None or plan.name == "copy_" and _carry(args[1], tensor, region.gpu):
                    continue
                if region.undefined is not None:
                    memory.undefined_part(tensor, region).zero_()
        return result


def _widened(func, args, kwargs, count):
    narrow = next(t.dtype for t in _tensors(args) if t.dtype in _NARROW)
    wide = func(*[a.float() if isinstance(a, _Tensor) and a.dtype in _NARROW else a for a in args], **kwargs)
    if isinstance(wide, _Tensor):
        return wide.to(narrow)
    return tuple(r.to(narrow) if isinstance(r, _Tensor) and (i < count or not count) else r for i, r in enumerate(wide))


def _carry(source, copy, gpu):
    """Undefined elements stay so in a copy."""
    region = memory.find(source)
    if region is None or region.undefined is None or source.element_size() != copy.element_size():
        return False
    part = memory.undefined_part(source, region)
    if not part.any():
        memory.settle(region)
        return False
    made = memory.find(copy) or memory.note(copy, gpu, True)
    if made.undefined is None:
        made.undefined = torch.zeros(copy.untyped_storage().nbytes(), dtype=torch.uint8)
    made.made_at, made.launched = region.made_at, region.launched
    memory.undefined_part(copy, made).copy_(part)
    return True


def _read(operator, tensor, region):
    part = memory.undefined_part(tensor, region)
    if not part.any():
        memory.settle(region)
        return
    bad = part.ne(0)
    first = [int(i) for i in bad.nonzero()[0]]
    file, line = places.running()
    events.send("read", operator=operator, file=file, line=line, elements=int(bad.sum()), of=tensor.numel(), first=first,
                made_at=list(region.made_at), launched=region.launched)
    part.zero_()  # told once
