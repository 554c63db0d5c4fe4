"""The program under construction: numbered storages, views of them, kernels and steps, in the JSON form of program_json.h."""
import base64
import ctypes
import math
import sys

import torch

from .failure import NotRecordable, OverBudget

MAX_STEPS = 200_000  # recorder.h knows it
TENSORS_A_STEP = 2
MAX_CONSTANT_BYTES = 32 << 20
MAX_TEXT = 64 << 10  # of one argument; json_reader.cpp knows it

_storage_of = torch._C.TensorBase.untyped_storage
_is_meta = torch._C.TensorBase.is_meta.__get__
_DTYPES = {d: str(d)[len("torch."):] for d in vars(torch).values() if isinstance(d, torch.dtype)}
_KEYWORDS = {k: str(k)[len("torch."):] for k in (torch.strided, torch.preserve_format, torch.contiguous_format,
                                                 torch.channels_last, torch.channels_last_3d)}


class Storage:
    __slots__ = ("number", "bytes", "on_target", "constant", "kept", "born", "is_input")

    def __init__(self, number, kept, on_target, born, is_input):
        self.number, self.kept, self.on_target, self.born, self.is_input = number, kept, on_target, born, is_input
        self.bytes = kept.nbytes()
        self.constant = None


class Program:
    def __init__(self, files):
        self.files = list(files)
        self.storages = []
        self.tensors = []
        self.kernels = []
        self.initialise = []
        self.state = []
        self.forwards = []
        self.section, self.steps = "initialise", self.initialise
        self.strides = {}  # (section, step) -> strides of the results, where the runner's device gave others than assumed here
        self.parameters = set()  # storages
        self.order = []  # all steps as they came, whatever their section
        self.max_steps = MAX_STEPS
        self.making_inputs = False
        self.header = {}
        self.by_address = {}  # storages are kept alive, so an address names one storage for good
        self._rows = {}
        self._adopted = {}
        self._constant_bytes = 0
        self._file_numbers = {name: i for i, name in enumerate(self.files)}

    # -- tensors

    def storage(self, tensor, on_target=None):
        """The record of the tensor's storage; a new one is tagged with `on_target`, or None is returned if that is not given."""
        kept = _storage_of(tensor)
        found = self.by_address.get(kept._cdata)
        if found is None and on_target is not None:
            self._bound(self.storages)
            found = Storage(len(self.storages), kept, on_target, len(self.order), self.making_inputs)
            self.storages.append(found)
            self.by_address[kept._cdata] = found
        return found

    def _bound(self, tensors):
        if len(tensors) >= TENSORS_A_STEP * self.max_steps:
            raise OverBudget(f"more than {TENSORS_A_STEP * self.max_steps} tensors in one recording")

    def on_target(self, tensor):
        storage = self.storage(tensor)
        return storage is not None and storage.on_target

    def row(self, tensor, storage):
        key = (storage.number, tensor.dtype, tensor.storage_offset(), tensor.size(), tensor.stride())
        index = self._rows.get(key)
        if index is None:
            self._bound(self.tensors)
            index = self._rows[key] = len(self.tensors)
            self.tensors.append(key)
        return index

    def adopt(self, real):
        """A tensor with values, made from literals or numpy on the host: becomes a constant storage, seen through a meta tensor."""
        kept = _storage_of(real)
        known = self._adopted.get(kept._cdata)
        with torch._C._DisableTorchDispatch():
            if known is None:
                size = kept.nbytes()
                self._constant_bytes += size
                if self._constant_bytes > MAX_CONSTANT_BYTES:
                    raise NotRecordable(f"more than {MAX_CONSTANT_BYTES >> 20} MiB of constants made on the host")
                flat = torch.empty(size, dtype=torch.uint8, device="meta")
                self.storage(flat, on_target=False).constant = ctypes.string_at(kept.data_ptr(), size)
                known = self._adopted[kept._cdata] = (kept, flat)
            out = torch.empty(0, dtype=real.dtype, device="meta")
            return out.set_(_storage_of(known[1]), real.storage_offset(), real.size(), real.stride())

    # -- values

    def value(self, v):
        """Any argument or result in its JSON form. Tensors must have a storage already."""
        if v is None or v is True or v is False:
            return v
        kind = type(v)
        if kind is int:
            if not -(1 << 63) <= v < 1 << 63:
                raise NotRecordable(f"the integer {v} does not fit 64 bits")
            return v
        if kind is str:
            if len(v) > MAX_TEXT:
                raise NotRecordable(f"a text of {len(v)} characters as an argument")
            return v
        if kind is float:
            return v if math.isfinite(v) else {"float": str(v)}
        if isinstance(v, torch.Tensor):
            storage = self.storage(v)
            if storage is None:
                if _is_meta(v):
                    raise NotRecordable("a tensor appeared that no recorded call made")
                v = self.adopt(v)
                storage = self.storage(v)
            return {"tensor": self.row(v, storage)}
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        if kind is torch.dtype:
            return {"dtype": _DTYPES[v]}
        if kind is torch.device:
            return {"device": "target" if v.type == "cuda" else "host"}
        if v in _KEYWORDS:
            return {"keyword": _KEYWORDS[v]}
        if kind is complex:
            return {"complex": [self.value(v.real), self.value(v.imag)]}
        if isinstance(v, (bool, int)):
            return int(v)
        if isinstance(v, float):
            return self.value(float(v))
        if isinstance(v, torch.Generator):
            return None
        raise NotRecordable(f"an argument of type {kind.__name__}")

    def structure(self, v):
        """Inputs and outputs: containers with their kind, objects by their fields."""
        if isinstance(v, torch.Tensor):
            return {"leaf": self.value(v)}
        if isinstance(v, tuple):
            fields = getattr(v, "_fields", None)
            if fields:
                return {"object": type(v).__name__, "items": [[n, self.structure(getattr(v, n))] for n in fields]}
            return {"tuple": [self.structure(x) for x in v]}
        if isinstance(v, list):
            return {"list": [self.structure(x) for x in v]}
        if isinstance(v, dict):
            return {"dict": [[str(k), self.structure(x)] for k, x in sorted(v.items(), key=lambda item: str(item[0]))]}
        if v is None or isinstance(v, (bool, int, float, complex, str, torch.dtype, torch.device)):
            return {"leaf": self.value(v)}
        fields = getattr(v, "__dataclass_fields__", None) or getattr(v, "__dict__", None)
        if fields and not isinstance(v, (type, torch.nn.Module)) and not callable(v):
            return {"object": type(v).__name__, "items": [[n, self.structure(getattr(v, n))] for n in fields]}
        return {"leaf": None, "type": type(v).__name__}

    # -- steps

    def add(self, step, at=None):
        if len(self.order) >= self.max_steps:
            raise OverBudget(f"more than {self.max_steps} calls in one recording")
        step["at"] = at or self.place()
        self.steps.append(step)
        self.order.append(step)

    def place(self):
        """The innermost line of the user's files that is now running."""
        numbers = self._file_numbers
        frame = sys._getframe(2)
        while frame is not None:
            number = numbers.get(frame.f_code.co_filename)
            if number is not None:
                return [number, frame.f_lineno]
            frame = frame.f_back
        return None

    def file_number(self, path):
        return self._file_numbers.get(path)

    def begin(self, section, steps, making_inputs=False):
        """Later steps go to that section."""
        self.section, self.steps, self.making_inputs = section, steps, making_inputs

    def to_json(self):
        return {
            "format": 1,
            **self.header,
            "files": [name.rsplit("/", 1)[-1] for name in self.files],
            "storages": [[s.bytes, "target" if s.on_target else "host"] if s.constant is None else
                         [s.bytes, "host", base64.b64encode(s.constant).decode()] for s in self.storages],
            "tensors": [[s, _DTYPES[d], o, list(z), list(t)] for s, d, o, z, t in self.tensors],
            "kernels": self.kernels,
            "initialise": self.initialise,
            "state": self.state,
            "forwards": self.forwards,
        }
