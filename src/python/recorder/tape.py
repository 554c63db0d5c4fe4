"""The dispatch mode that sees every ATen call. Tensors are meta tensors: shape, type and strides, no values; where each storage
would live (host or target GPU) is kept beside them in the program."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import composites, custom_ops, data_dependent, shape_rules
from .failure import NotRecordable

aten = torch.ops.aten
META = torch.device("meta")
_is_meta = torch._C.TensorBase.is_meta.__get__
_Tensor = torch.Tensor

# Calls whose operands may live on different devices.
_MIXED = {aten.copy_.default, aten._to_copy.default, aten.index.Tensor, aten.index_put.default, aten.index_put_.default,
          aten._index_put_impl_.default}
# Lazy bits that a strided view cannot show.
_MATERIALISED = {aten._conj.default: aten.conj_physical.default, aten._neg_view.default: aten.neg.default}
_REFUSED = {"set_", "resize_", "resize_as_", "from_file"}

inside = False  # while an operator runs, torch's own Python sees the truth about devices


class Tape(TorchDispatchMode):
    def __init__(self, program, ask):
        super().__init__()
        self.program = program
        self.ask = ask  # ask(kind, tensors, op="", guess=None) -> answer
        self._names = {}
        self._shapes = {}  # what torch answered for operands of these shapes

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        global inside
        inside = True
        try:
            if func is aten.lift_fresh.default and not _is_meta(args[0]):
                return self.program.adopt(args[0])
            special = data_dependent.HANDLERS.get(func)
            if special is not None:
                return special(self, func, args, kwargs or {})
            func = _MATERIALISED.get(func, func)
            if func.namespace != "aten":
                return custom_ops.call(self, func, args, kwargs or {})
            return self.call(func, args, kwargs)
        finally:
            inside = False

    def call(self, func, args, kwargs, result=None):
        """Records one call; `result` is given where the meta kernels cannot know it."""
        name = self._names.get(func) or self._name(func)
        self._host = self._target = self._adopted = False
        key = [func]
        recorded_args = [self._encode(a, key) for a in args]
        recorded_kwargs = {}
        on_target = None
        if kwargs:
            kwargs = {k: v for k, v in kwargs.items() if v is not None and k != "generator"}
            device = kwargs.get("device")
            if device is not None:
                on_target = device.type == "cuda"
                kwargs["device"] = META
            for k, v in kwargs.items():
                if k != "pin_memory" and v is not torch.strided:  # always so, and told by no one
                    key.append(k)
                    recorded_kwargs[k] = self._encode(v if v is not META else device, key)
            kwargs.pop("pin_memory", None)
        else:
            kwargs = {}
        if self._host and self._target and func not in _MIXED:
            raise RuntimeError("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! "
                               f"(when checking arguments of {name})")
        if self._adopted:
            args = [self._meta(a) for a in args]
            kwargs = {k: self._meta(v) for k, v in kwargs.items()}
        if result is None:
            result = self._shape(func, args, kwargs, key)
        strides = self.program.strides.get((self.program.section, len(self.program.steps)))
        if strides is not None:
            result = _with_strides(result, strides)
        if on_target is None:
            on_target = self._target
        self.program.add({"op": name, "args": recorded_args, "kwargs": recorded_kwargs, "result": self._result(result, on_target)})
        return result

    def _encode(self, v, key):
        """The operand's JSON form; notes which devices take part, and adds to the key what shapes depend on."""
        if isinstance(v, _Tensor):
            program = self.program
            storage = program.storage(v)
            if storage is None:
                v = self._meta(v)
                storage = program.storage(v)
                self._adopted = True
            if storage.on_target:
                self._target = True
            elif v.dim() > 0:  # zero-dimensional host tensors mix with anything
                self._host = True
            index = program.row(v, storage)
            row = program.tensors[index]
            key += row[1], row[3], row[4]
            return {"tensor": index}
        if type(v) in (list, tuple):
            key.append(len(v))
            return [self._encode(x, key) for x in v]
        key += type(v), v
        return self.program.value(v)

    def _meta(self, v):
        """The operand with tensors that hold values replaced by what stands for them."""
        if isinstance(v, _Tensor):
            if _is_meta(v):
                if self.program.storage(v) is None:
                    raise NotRecordable("a tensor appeared that no recorded call made")
                return v
            return self.program.adopt(v)
        return [self._meta(x) for x in v] if type(v) in (list, tuple) else v

    def _shape(self, func, args, kwargs, key):
        rule = shape_rules.RULES.get(func)
        if rule is not None:
            result = rule(*args, **kwargs)
            if result is not None:
                return result
        rule = composites.SHAPES.get(func)
        if rule is not None:
            return rule(*args, **kwargs)
        key = tuple(key)
        known = self._shapes.get(key)
        if known is not None:
            made = [torch.empty_strided(*shape, dtype=dtype, device=META) for shape, dtype in known[1]]
            return tuple(made) if known[0] else made[0]
        try:
            result = func(*args, **kwargs)
        except NotImplementedError:
            result = composites.shape_by_zeros(func, args, kwargs)
        self._remember(func, key, result)
        return result

    def _remember(self, func, key, result):
        """Only results in memory of their own can be made again from their shapes."""
        if any(r.alias_info is not None for r in func._schema.returns):
            return
        several = isinstance(result, (list, tuple))
        results = result if several else (result,)
        if all(isinstance(r, _Tensor) and r.storage_offset() == 0 for r in results):
            self._shapes[key] = (several, [((r.size(), r.stride()), r.dtype) for r in results])

    def _result(self, result, on_target):
        if isinstance(result, _Tensor):
            return {"tensor": self.program.row(result, self.program.storage(result, on_target))}
        if isinstance(result, (list, tuple)):
            return [self._result(r, on_target) for r in result]
        return self.program.value(result)

    def _name(self, func):
        schema = func._schema
        if schema.name.split("::")[1] in _REFUSED:
            raise NotRecordable(f"operator {schema.name} changes what a storage is")
        name = self._names[func] = schema.name + ("." + schema.overload_name if schema.overload_name else "")
        return name


def _with_strides(result, strides):
    """Results of the same shapes, laid out as the runner's device does it."""
    several = isinstance(result, (list, tuple))
    made = [torch.empty_strided(r.size(), s, dtype=r.dtype, device=META) if isinstance(r, _Tensor) else r
            for r, s in zip(result if several else [result], strides)]
    return tuple(made) if several else made[0]


# torch wraps the method so that its compiler leaves it alone; nothing is compiled here, and the wrapper is half the cost of a call
Tape.__torch_dispatch__ = getattr(Tape.__torch_dispatch__, "_torchdynamo_orig_callable", Tape.__torch_dispatch__)
