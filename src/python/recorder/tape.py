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
_Parameter = torch.nn.Parameter
_storage_of = torch._C.TensorBase.untyped_storage

_TO_COPY = aten._to_copy.default
# Calls whose operands may live on different devices.
_MIXED = {aten.copy_.default, aten._to_copy.default, aten.index.Tensor, aten.index_put.default, aten.index_put_.default,
          aten._index_put_impl_.default}
_REFUSED = {"set_", "resize_", "resize_as_", "from_file"}

inside = False  # while an operator runs, torch's own Python sees the truth about devices


class Tape(TorchDispatchMode):
    def __init__(self, program, ask):
        super().__init__()
        self.program = program
        self.ask = ask  # ask(kind, tensors, op="", guess=None) -> answer
        self._plans = {}  # operator -> (handler, name, whether results share memory with operands), looked up once
        self._shapes = {}  # what torch answered for operands of these shapes

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # nothing is compiled here, and the wrapper that keeps torch's compiler out is half the cost of a call

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        global inside
        plan = self._plans.get(func)
        if plan is None:
            plan = self._plan(func)
        inside = True
        try:
            handler = plan[0]
            if handler is None:
                return self.call(func, args, kwargs)
            return handler(self, func, args, kwargs or {})
        finally:
            inside = False

    def _plan(self, func):
        """Which handler sees the operator (None: it is recorded as it is), its name, and whether it is a view or in place."""
        schema = func._schema
        name = schema.name + ("." + schema.overload_name if schema.overload_name else "")
        if schema.name.split("::")[1] in _REFUSED:
            raise NotRecordable(f"operator {schema.name} changes what a storage is")
        handler = data_dependent.HANDLERS.get(func) or _HANDLERS.get(func)
        if handler is None and func.namespace != "aten":
            handler = custom_ops.call
        plan = self._plans[func] = (handler, name, any(r.alias_info is not None for r in schema.returns))
        return plan

    def call(self, func, args, kwargs, result=None):
        """Records one call; `result` is given where the meta kernels cannot know it."""
        plan = self._plans.get(func) or self._plan(func)
        self._host = self._target = self._adopted = False
        program = self.program
        encode = self._encode
        recorded_args = [encode(a) for a in args]
        recorded_kwargs = {}
        on_target = None
        if kwargs:
            kwargs = {k: v for k, v in kwargs.items() if v is not None and k != "generator" and k != "pin_memory"}
            if func is _TO_COPY and kwargs.get("device") == META:  # a copy that stays where it is: only its type changes
                del kwargs["device"]
            # a strided layout goes without saying
            recorded_kwargs = {k: encode(v) for k, v in kwargs.items() if v is not torch.strided}
            device = kwargs.get("device")
            if device is not None:
                # Only torch's own code says "meta": it makes a result beside an operand that this call does not name.
                on_target = device.type == "cuda" or (device == META and program.section.startswith("forward"))
                kwargs["device"] = META
        else:
            kwargs = {}
        if self._host and self._target and func not in _MIXED:
            raise RuntimeError("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! "
                               f"(when checking arguments of {plan[1]})")
        if self._adopted:
            args = [self._meta(a) for a in args]
            kwargs = {k: self._meta(v) for k, v in kwargs.items()}
        if result is None:
            result = self._shape(func, args, kwargs, None if plan[2] else (recorded_args, recorded_kwargs))
        if program.strides:
            strides = program.strides.get((program.section, len(program.steps)))
            if strides is not None:
                result = _with_strides(result, strides)
        step = {"op": plan[1], "args": recorded_args, "result": self._result(result, self._target if on_target is None else on_target)}
        if recorded_kwargs:
            step["kwargs"] = recorded_kwargs
        program.add(step)
        return result

    def record_body(self, body, args, kwargs):
        """Runs the candidate's own function from within a call, its calls recorded in turn."""
        global inside
        inside = False
        try:
            with self:
                return body(*args, **kwargs)
        finally:
            inside = True

    def _encode(self, v):
        """The operand's JSON form; notes which devices take part."""
        kind = type(v)
        if kind is _Tensor or kind is _Parameter or isinstance(v, _Tensor):
            program = self.program
            storage = program.by_address.get(_storage_of(v)._cdata)
            if storage is None:
                v = self._meta(v)
                storage = program.storage(v)
                self._adopted = True
            if storage.on_target:
                self._target = True
            elif v.dim() > 0:  # zero-dimensional host tensors mix with anything
                self._host = True
            return {"tensor": program.row(v, storage)}
        if kind is int or kind is bool or v is None:
            return v
        if kind is list or kind is tuple:
            return [self._encode(x) for x in v]
        return self.program.value(v)

    def _key(self, value):
        """What shapes depend on: of tensors the type, sizes and strides, all other operands as they are."""
        if isinstance(value, dict):
            if "tensor" in value:
                row = self.program.tensors[value["tensor"]]
                return row[1], row[3], row[4]
            return tuple([(k, self._key(v)) for k, v in value.items()])
        if isinstance(value, (list, tuple)):
            return tuple([self._key(v) for v in value])
        return type(value), value

    def _meta(self, v):
        """The operand with tensors that hold values replaced by what stands for them."""
        if isinstance(v, _Tensor):
            if _is_meta(v):
                if self.program.storage(v) is None:
                    raise NotRecordable("a tensor appeared that no recorded call made")
                return v
            return self.program.adopt(v)
        return [self._meta(x) for x in v] if type(v) in (list, tuple) else v

    def _shape(self, func, args, kwargs, operands):
        """The result by the quickest rule that knows it. `operands`, as recorded, are none where torch must be asked anew: the
        result shares memory with an operand."""
        check = shape_rules.CHECKS.get(func)
        if check is not None:
            check(*args, **kwargs)
        rule = shape_rules.RULES.get(func)
        if rule is not None:
            result = rule(*args, **kwargs)
            if result is not None:
                return result
        rule = composites.SHAPES.get(func)
        if rule is not None:
            return rule(*args, **kwargs)
        if operands is None:
            return func(*args, **kwargs)
        key = (func, self._key(operands))
        known = self._shapes.get(key)
        if known is not None:
            made = [torch.empty_strided(*shape, dtype=dtype, device=META) for shape, dtype in known[1]]
            return tuple(made) if known[0] else made[0]
        try:
            result = func(*args, **kwargs)
        except NotImplementedError:
            result = composites.shape_by_zeros(func, args, kwargs)
        several = isinstance(result, (list, tuple))
        results = result if several else (result,)
        if all(isinstance(r, _Tensor) and r.storage_offset() == 0 for r in results):
            self._shapes[key] = (several, [((r.size(), r.stride()), r.dtype) for r in results])
        return result

    def _result(self, result, on_target):
        if isinstance(result, _Tensor):
            return {"tensor": self.program.row(result, self.program.storage(result, on_target))}
        if isinstance(result, (list, tuple)):
            return [self._result(r, on_target) for r in result]
        return self.program.value(result)


def _lift(tape, func, args, kwargs):
    """Where torch.tensor and its like hand their values over."""
    return args[0] if _is_meta(args[0]) else tape.program.adopt(args[0])


def _materialised(func):
    """Lazy bits of a tensor that a strided view cannot show: recorded as the copy they stand for."""
    return lambda tape, _func, args, kwargs: tape.call(func, args, kwargs)


_HANDLERS = {
    aten.lift_fresh.default: _lift,
    aten._conj.default: _materialised(aten.conj_physical.default),
    aten._neg_view.default: _materialised(aten.neg.default),
}


def _with_strides(result, strides):
    """Results of the same shapes, laid out as the runner's device does it."""
    several = isinstance(result, (list, tuple))
    made = [torch.empty_strided(r.size(), s, dtype=r.dtype, device=META) if isinstance(r, _Tensor) else r
            for r, s in zip(result if several else [result], strides)]
    return tuple(made) if several else made[0]

