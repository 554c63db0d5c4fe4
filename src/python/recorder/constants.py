"""Values that follow from literals alone (torch.linspace(…), torch.tensor([…])): replayed here, on the host, for real.

No secret can leak this way: the slice of the program that leads to the tensor reads no input, no parameter and no random number."""
import torch

MAX_ELEMENTS = 1 << 16
MAX_STEPS = 4096
_NO_VALUE = {"aten::empty.memory_format", "aten::empty_strided", "aten::empty_like", "aten::new_empty", "aten::new_empty_strided"}
# Of their first operand these take shape and type, never values.
_OF_SHAPE = {"aten::new_full", "aten::new_ones", "aten::new_zeros", "aten::full_like", "aten::ones_like", "aten::zeros_like"}


def evaluate(program, tensor):
    """(values, certain): the tensor's values as a host tensor, or None if they depend on anything but literals.

    They are uncertain where a parameter is involved: a runner may give those other values than the constructor did."""
    storage = program.storage(tensor)
    if storage is None or tensor.numel() > MAX_ELEMENTS:
        return None, False
    needed, steps = _slice(program, storage)
    if steps is None:
        return None, False
    return _Replay(program).run(steps, program.row(tensor, storage)), not needed & program.parameters


def known(program, *tensors):
    """The values of all these tensors, if they are certain; else None."""
    values = [evaluate(program, t) for t in tensors]
    return [v for v, _ in values] if all(certain for _, certain in values) else None


def _storages(program, value, out):
    if isinstance(value, dict) and "tensor" in value:
        out.add(program.tensors[value["tensor"]][0])
    elif isinstance(value, list):
        for v in value:
            _storages(program, v, out)
    return out


def _slice(program, storage):
    """The storages that this one depends on, and the steps, in order; None if one of them is not a plain function of literals."""
    needed, made, found = {storage.number}, set(), []
    first, index = storage.born, len(program.order)
    while index > first:
        index -= 1
        step = program.order[index]
        if "launch" in step:
            if any(_storages(program, a["value"], set()) & needed for v in step["variants"] for a in v["arguments"]):
                return needed, None
        if "args" not in step:  # a question
            continue
        op = _operator(step["op"])
        args = step["args"][1:] if step["op"] in _OF_SHAPE else step["args"]
        read = _storages(program, args, set()) | _storages(program, list(step.get("kwargs", {}).values()), set())
        written = _storages(program, step["result"], set()) | (read if op._schema.is_mutable else set())
        if not written & needed or (_is_view(op) and not op._schema.is_mutable):
            continue
        if torch.Tag.nondeterministic_seeded in op.tags or (step["op"] in _NO_VALUE and not found):
            return needed, None
        found.append(step)
        made |= written
        needed |= read
        first = min(program.storages[n].born for n in needed)
        if len(found) > MAX_STEPS or sum(program.storages[n].bytes for n in needed) > 16 * MAX_ELEMENTS:
            return needed, None
    for n in needed:
        one = program.storages[n]
        if (one.constant is None and n not in made) or (one.is_input and not program.making_inputs):
            return needed, None
    return needed, found[::-1]


def _is_view(op):
    return any(r.alias_info is not None for r in op._schema.returns)


def _operator(name):
    name, _, overload = name[len("aten::"):].partition(".")
    return getattr(getattr(torch.ops.aten, name), overload or "default")


class _Replay:
    def __init__(self, program):
        self.program = program
        self.memory = {}

    def run(self, steps, wanted):
        for step in steps:
            op = _operator(step["op"])
            kwargs = {k: self._value(v) for k, v in step.get("kwargs", {}).items() if k not in ("device", "pin_memory", "layout")}
            args = [self._value(v) for v in step["args"][step["op"] in _OF_SHAPE:]]
            if step["op"] in _OF_SHAPE:
                args.insert(0, self._shape_of(step["args"][0]))
            result = op(*args, **kwargs)
            self._store(result, step["result"])
        return self._view(wanted).clone()

    def _shape_of(self, v):
        """A tensor of the same shape and type that takes one element's memory."""
        _, dtype, _, sizes, _ = self.program.tensors[v["tensor"]]
        return torch.empty((), dtype=dtype).expand(sizes)

    def _view(self, row):
        number, dtype, offset, sizes, strides = self.program.tensors[row]
        memory = self.memory.get(number)
        if memory is None:
            storage = self.program.storages[number]
            memory = torch.zeros(storage.bytes, dtype=torch.uint8)
            if storage.constant:
                memory = torch.frombuffer(bytearray(storage.constant), dtype=torch.uint8).clone()
            self.memory[number] = memory
        return torch.empty(0, dtype=dtype).set_(memory.untyped_storage(), offset, sizes, strides)

    def _value(self, v):
        if isinstance(v, list):
            return [self._value(x) for x in v]
        if not isinstance(v, dict):
            return v
        (kind, body), = v.items()
        if kind == "tensor":
            return self._view(body)
        if kind == "float":
            return float(body)
        if kind == "complex":
            return complex(*[self._value(x) for x in body])
        return getattr(torch, body)  # dtype, memory format

    def _store(self, result, place):
        if isinstance(result, torch.Tensor) and isinstance(place, dict):
            target = self._view(place["tensor"])
            if target.data_ptr() != result.data_ptr():
                target.copy_(result)
        elif isinstance(result, (list, tuple)):
            for r, p in zip(result, place):
                self._store(r, p)
